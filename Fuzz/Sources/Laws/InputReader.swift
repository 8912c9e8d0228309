/// Reads an input byte by byte; past its end there are zeros and empty lists.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) {
    rest = input[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number of so many bytes, the highest first.
  mutating func number(_ count: Int) -> Int {
    (0..<count).reduce(0) { number, _ in number << 8 | Int(byte()) }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A byte with a count, 31 at most, and so many bytes; from 224 on another byte between them
  /// gives the number of repetitions.
  mutating func repeatedBytes() -> [UInt8] {
    let head = byte()
    let times = head < 0xE0 ? 1 : Int(byte())
    let part = bytes(Int(head & 0x1F))
    return Array((0..<times).map { _ in part }.joined())
  }

  /// The same as a text; invalid UTF-8 is repaired, as Swift does it.
  mutating func text() -> String { String(decoding: repeatedBytes(), as: UTF8.self) }
}
