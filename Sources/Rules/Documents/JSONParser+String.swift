extension JSONParser {
  /// Reads a text, from its opening quote past its closing one.
  mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    var text = try plain()
    while true {
      guard index < bytes.endIndex else { throw unexpected("a closing quote") }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return text
      case UInt8(ascii: "\\"):
        text.unicodeScalars.append(try escape())
        text += try plain()
      default: throw error(.controlCharacter(bytes[index]))
      }
    }
  }

  /// Reads up to a quote, a backslash or a control character.
  private mutating func plain() throws(JSONSyntaxError) -> String {
    let start = index
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      index += 1
    }
    if let text = String(validating: bytes[start..<index], as: UTF8.self) { return text }
    throw error(.notUTF8, at: UTF8Text.firstIllFormed(in: bytes[start..<index]))
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard index < bytes.endIndex else { throw unexpected("an escape") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar(from: start)
    default:
      let found = (0x20...0x7E).contains(byte) ? String(Character(Unicode.Scalar(byte))) : ""
      throw error(.malformedEscape(found), at: start)
    }
  }

  /// Reads the digits after `\u`, and the second escape of a surrogate pair.
  private mutating func scalar(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let text = String(first, radix: 16, uppercase: true)
    guard UTF16.isLeadSurrogate(first), bytes[index...].starts(with: [0x5C, 0x75]) else {
      throw error(.loneSurrogate(text), at: start)
    }
    let secondStart = index
    index += 2
    let second = try codeUnit(from: secondStart)
    guard UTF16.isTrailSurrogate(second) else { throw error(.loneSurrogate(text), at: start) }
    return UTF16.decode(.init([first, second]))
  }

  private mutating func codeUnit(from start: Int) throws(JSONSyntaxError) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    let isHexadecimal = digits.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
    guard digits.count == 4, isHexadecimal,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error(.malformedEscape("u"), at: start) }
    index += 4
    return unit
  }
}
