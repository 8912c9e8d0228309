/// Percent-encoding of paths and queries (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// Encodes a text as one segment of a path, or as a value in a query: only the unreserved characters of
  /// RFC 3986 section 2.3 stay. Of `.` and `..` there is no spelling that does not lead to another folder.
  package static func segment(_ text: some StringProtocol) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      let stays =
        FieldSyntax.isLetter(byte) || FieldSyntax.isDigit(byte) || "-._~".utf8.contains(byte)
      encoded += stays ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes the bytes outside ASCII alone. The result can be split character by character: no
  /// combining mark changes the character before it.
  static func ascii(_ text: some StringProtocol) -> String { ascii(bytes: text.utf8) }

  /// The same of bytes that may be no text.
  static func ascii(bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      encoded += byte < 0x80 ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The decoded text.
  package static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: decoded(Array(text.utf8)), as: UTF8.self)
  }

  /// The decoded bytes.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let pair = bytes[index...].dropFirst().prefix(2)
      if bytes[index] == percent, pair.count == 2, pair.allSatisfy(isHexadecimal),
        let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
      {
        decoded.append(byte)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func encodedByte(_ byte: UInt8) -> [UInt8] {
    [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    FieldSyntax.isDigit(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(FieldSyntax.lowercased(byte))
  }
}
