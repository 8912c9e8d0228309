/// The rules of RFC 9110 section 5.6 that every field parser shares, over bytes.
package enum FieldSyntax {
  /// The separator of list members (section 5.6.1).
  package static let comma = UInt8(ascii: ",")
  /// The mark at both ends of a quoted string (section 5.6.4).
  package static let quote = UInt8(ascii: "\"")
  /// The escape mark of a quoted string: the byte after it stands for itself.
  package static let backslash = UInt8(ascii: "\\")
  package static let slash = UInt8(ascii: "/")
  static let semicolon = UInt8(ascii: ";")
  package static let equals = UInt8(ascii: "=")

  /// Section 5.6.3.
  package static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// `DIGIT`.
  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The number of a hexadecimal digit, in either case; `nil` for any other byte.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch lowercased(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter):
      letter - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// `ALPHA`.
  package static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }

  /// Section 5.6.2: `tchar`.
  package static func isTokenByte(_ byte: UInt8) -> Bool {
    let mask = byte < 64 ? lowTokenBytes : byte < 128 ? highTokenBytes : 0
    return mask >> UInt64(byte & 63) & 1 == 1
  }

  /// True for one or more token bytes.
  package static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// The same of bytes that are not a text yet.
  package static func isToken(bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
  }

  /// Section 5.5: a value that can be sent: no control bytes but the tab.
  package static func isFieldValue(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy(isValueByte)
  }

  /// The same of bytes that are not a text yet.
  package static func isFieldValue(bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy(isValueByte)
  }

  static func isValueByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\t") || (byte >= 0x20 && byte != 0x7F)
  }

  /// Section 8.3.1: a type and a subtype, and parameters, each `name=token` or `name="text"`.
  static func isMediaType(_ text: some StringProtocol) -> Bool {
    guard isFieldValue(text) else { return false }
    var scanner = ByteScanner(text)
    guard !scanner.take(while: isTokenByte).isEmpty, scanner.take(slash),
      !scanner.take(while: isTokenByte).isEmpty
    else { return false }
    scanner.take(while: isWhitespace)
    while scanner.take(semicolon) {
      scanner.take(while: isWhitespace)
      // A parameter may be missing between two semicolons (section 5.6.6).
      guard !scanner.take(while: isTokenByte).isEmpty else { continue }
      guard scanner.take(equals) else { return false }
      let isQuoted = scanner.current == quote
      guard isQuoted ? scanner.quotedString() != nil : !scanner.take(while: isTokenByte).isEmpty
      else { return false }
      scanner.take(while: isWhitespace)
    }
    return scanner.isAtEnd
  }

  /// The lower case of an ASCII letter; any other byte unchanged.
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The text with its ASCII letters in lower case. Nothing else changes, in any locale.
  package static func lowercased(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(where: { lowercased($0) != $0 }) else { return String(text) }
    return String(decoding: text.utf8.map(lowercased), as: UTF8.self)
  }

  /// True for texts that differ only in the case of ASCII letters.
  package static func equalIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol)
    -> Bool
  {
    left.utf8.count == right.utf8.count
      && left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
  }

  /// Without the white space at both ends.
  package static func trimmed(_ text: some StringProtocol) -> String {
    let bytes = text.utf8.drop(while: isWhitespace)
    let trailing = bytes.reversed().prefix(while: isWhitespace).count
    return String(decoding: bytes.dropLast(trailing), as: UTF8.self)
  }

  /// The members of a comma-separated list, trimmed, without the empty ones (section 5.6.1.2). A comma inside
  /// a quoted string does not separate (section 5.6.4).
  package static func listMembers(_ text: some StringProtocol) -> [String] {
    var members: [String] = []
    var member: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if byte == comma && !isQuoted {
        members.append(trimmed(String(decoding: member, as: UTF8.self)))
        member.removeAll()
        continue
      }
      if byte == quote && !isEscaped {
        isQuoted.toggle()
      }
      isEscaped = isQuoted && byte == backslash && !isEscaped
      member.append(byte)
    }
    members.append(trimmed(String(decoding: member, as: UTF8.self)))
    return members.filter { !$0.isEmpty }
  }

  /// One bit for each byte below 64, and for each byte from 64 to 127. Every field name is checked, so a
  /// check has to be fast.
  private static let lowTokenBytes = tokenMask(from: 0)
  private static let highTokenBytes = tokenMask(from: 64)

  private static func tokenMask(from first: UInt8) -> UInt64 {
    (first..<first + 64).reduce(0) { mask, byte in
      let isToken = isDigit(byte) || isLetter(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      return isToken ? mask | 1 << UInt64(byte - first) : mask
    }
  }
}

/// The rules for whole strings, such as names and values. Other modules cannot specialise the generic rules,
/// and a gateway checks every field of a request.
extension FieldSyntax {
  /// True for one or more token bytes.
  package static func isToken(_ text: String) -> Bool { isToken(text[...]) }

  /// Section 5.5: a value that can be sent: no control bytes but the tab.
  package static func isFieldValue(_ text: String) -> Bool { isFieldValue(text[...]) }

  /// ASCII letters in lower case.
  package static func lowercased(_ text: String) -> String { lowercased(text[...]) }

  /// True for texts that differ only in the case of ASCII letters.
  package static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
    equalIgnoringCase(left[...], right[...])
  }

  /// Without the white space at both ends.
  package static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, isWhitespace(first) || isWhitespace(last)
    else { return text }
    guard let start = bytes.firstIndex(where: { !isWhitespace($0) }),
      let end = bytes.lastIndex(where: { !isWhitespace($0) })
    else { return "" }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }

  /// The members of a comma-separated list.
  package static func listMembers(_ text: String) -> [String] { listMembers(text[...]) }
}

/// A position in the bytes of a field value, moved forward by the parsers.
package struct ByteScanner {
  private let bytes: [UInt8]
  /// The number of bytes before this position.
  package private(set) var position = 0

  /// Begins at the first byte.
  package init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  /// True after the last byte.
  package var isAtEnd: Bool { position == bytes.count }
  /// The byte at this position; `nil` at the end.
  package var current: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Moves past one byte if it is the expected one.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// Moves past the literal; its letters match in either case.
  package mutating func take(_ literal: String) -> Bool {
    let expected = literal.utf8
    let found = bytes[position...].prefix(expected.count)
    guard
      found.elementsEqual(
        expected, by: { FieldSyntax.lowercased($0) == FieldSyntax.lowercased($1) })
    else { return false }
    position += expected.count
    return true
  }

  /// Moves past one of the names and returns its index. A longer name must come before a shorter one that it
  /// begins with.
  package mutating func take(oneOf names: [String]) -> Int? {
    for (index, name) in names.enumerated() where take(name) {
      return index
    }
    return nil
  }

  /// Moves past exactly that many digits and returns their value.
  package mutating func number(digits count: Int) -> Int? {
    let digits = bytes[position...].prefix(count)
    guard digits.count == count, digits.allSatisfy(FieldSyntax.isDigit) else { return nil }
    position += count
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Moves past the bytes that meet the condition and returns them.
  @discardableResult
  package mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, condition(byte) {
      position += 1
    }
    return bytes[start..<position]
  }

  /// Moves past a quoted string and returns its content, unescaped (RFC 9110 section 5.6.4). For an
  /// unterminated string it returns `nil`, and the position stays after the opening quote.
  mutating func quotedString() -> [UInt8]? {
    guard take(FieldSyntax.quote) else { return nil }
    let start = position
    var content: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == FieldSyntax.quote {
        return content
      }
      if byte == FieldSyntax.backslash, let escaped = current {
        position += 1
        content.append(escaped)
      } else {
        content.append(byte)
      }
    }
    position = start
    return nil
  }
}
