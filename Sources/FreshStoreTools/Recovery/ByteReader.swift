/// Reads numbers and bytes one after the other; never past the end.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  /// The index of the next byte.
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position >= bytes.endIndex }

  /// The next `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// A signed big-endian number.
  mutating func integer(_ count: Int) -> Int64? {
    guard let part = bytes(count), let first = part.first else { return nil }
    return part.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// A number of one to nine bytes (https://sqlite.org/fileformat2.html, section 1.6).
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard !isAtEnd else { return nil }
      let byte = bytes[position]
      position += 1
      if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}

extension Sequence<UInt8> {
  /// An unsigned big-endian number.
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}
