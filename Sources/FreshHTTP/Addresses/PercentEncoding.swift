/// Percent-encoding of paths and queries (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// Encodes every byte that a path or query cannot hold, and a percent sign that begins no encoded
  /// byte; an encoded byte stays as it is.
  static func encoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isEncodedByte =
        byte == percent && bytes.count > index + 2 && isHexadecimal(bytes[index + 1])
        && isHexadecimal(bytes[index + 2])
      if isEncodedByte || isAllowed(byte) {
        encoded.append(byte)
      } else {
        encoded += encodedByte(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes a text as one segment of a path, or as a value in a query: only the unreserved characters of
  /// RFC 3986 section 2.3 stay, and the dots of `.` and `..`, which would lead to another folder, do not.
  package static func segment(_ text: some StringProtocol) -> String {
    let isStep = text == "." || text == ".."
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      let stays =
        FieldSyntax.isLetter(byte) || FieldSyntax.isDigit(byte) || "-_~".utf8.contains(byte)
        || (byte == UInt8(ascii: ".") && !isStep)
      encoded += stays ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes the bytes outside ASCII alone. The result can be split character by character: no
  /// combining mark changes the character before it.
  static func ascii(_ text: some StringProtocol) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      encoded += byte < 0x80 ? [byte] : encodedByte(byte)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The decoded text.
  package static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
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
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func encodedByte(_ byte: UInt8) -> [UInt8] {
    [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)
  /// `unreserved`, `sub-delims` and the additions of path and query.
  private static let punctuation = Set("-._~!$&'()*+,;=:@/?".utf8)

  private static func isAllowed(_ byte: UInt8) -> Bool {
    FieldSyntax.isLetter(byte) || FieldSyntax.isDigit(byte) || punctuation.contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    FieldSyntax.isDigit(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(FieldSyntax.lowercased(byte))
  }
}
