import FreshStore

/// JSON of a number, some of which have so much white space before them that they are about as large as a
/// threshold, on either side of it. A value always has the same bytes.
struct LargeCodec: Codec {
  struct Failure: Error {}

  /// The size from which values are kept apart, in bytes, unless a script says otherwise.
  static let usualThreshold = 65_536

  /// The size around which the large values lie, in bytes.
  let threshold: Int

  let identifier = "json"

  func encode(_ value: Int) -> [UInt8] {
    let digits = Array("\(value)".utf8)
    guard value % 4 == 0 else { return digits }
    let size = threshold + value / 4 % 3 - 1
    return Array(repeating: UInt8(ascii: " "), count: max(0, size - digits.count)) + digits
  }

  func decode(_ bytes: [UInt8]) throws -> Int {
    let digits = bytes.drop { $0 == UInt8(ascii: " ") }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else { throw Failure() }
    return value
  }
}
