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

  /// True when ``encoded(_:)`` would change nothing.
  package static func isEncoded(_ text: some StringProtocol) -> Bool {
    var digitsLeft = 0
    for byte in text.utf8 {
      if digitsLeft > 0 {
        guard isHexadecimal(byte) else { return false }
        digitsLeft -= 1
      } else if byte == percent {
        digitsLeft = 2
      } else if !isAllowed(byte) {
        return false
      }
    }
    return digitsLeft == 0
  }

  /// True where a percent sign begins no encoded byte.
  static func hasStrayPercent(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { index in
      bytes[index] == percent
        && !(bytes.count > index + 2 && isHexadecimal(bytes[index + 1])
          && isHexadecimal(bytes[index + 2]))
    }
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
  static func ascii(_ text: some StringProtocol) -> String { ascii(bytes: text.utf8) }

  /// The same of bytes that may be no text.
  package static func ascii(bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
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
  private static let lowAllowed = allowed(from: 0)
  private static let highAllowed = allowed(from: 64)

  /// A bit for each of 64 bytes.
  private static func allowed(from first: UInt8) -> UInt64 {
    (first..<first + 64).reduce(0) { mask, byte in
      let isAllowed =
        FieldSyntax.isLetter(byte) || FieldSyntax.isDigit(byte) || punctuation.contains(byte)
      return isAllowed ? mask | 1 << UInt64(byte - first) : mask
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    let mask = byte < 64 ? lowAllowed : byte < 128 ? highAllowed : 0
    return mask >> UInt64(byte & 63) & 1 == 1
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    FieldSyntax.isDigit(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(FieldSyntax.lowercased(byte))
  }
}
