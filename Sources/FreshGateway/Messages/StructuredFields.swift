internal import FreshHTTP

/// Structured fields (RFC 9651), as far as caching needs them: dictionaries and lists.
///
/// An invalid text fails as a whole: the field then does not count, as section 4.2 demands. Valid parts of no use here
/// are skipped, so that an extension spoils nothing beside it.
enum StructuredFields {
  enum Item: Sendable, Hashable {
    case integer(Int64)
    case string(String)
    case token(String)
    case boolean(Bool)
    /// An inner list, a decimal, bytes, a date, or text beyond ASCII: valid, and of no use here.
    case other
  }

  /// The members of a dictionary in order, each with the last value of its key; `nil` for an invalid text.
  static func dictionary(_ text: String) -> [(key: String, value: Item)]? {
    let members = members(text) { (scanner) -> (key: String, value: Item)? in
      guard let key = key(&scanner) else { return nil }
      guard scanner.take(UInt8(ascii: "=")) else {
        return parameters(&scanner) ? (key, .boolean(true)) : nil
      }
      guard let value = value(&scanner) else { return nil }
      return (key, value)
    }
    guard let members else { return nil }
    var known: Set<String> = []
    return members.reversed().filter { known.insert($0.key).inserted }.reversed()
  }

  /// The members of a list; `nil` for an invalid text.
  static func list(_ text: String) -> [Item]? { members(text) { value(&$0) } }

  /// Writes a string (section 4.1.6), without the characters that it cannot hold.
  static func string(_ text: String) -> String {
    var written = "\""
    for scalar in text.unicodeScalars where (0x20..<0x7F).contains(scalar.value) {
      if scalar == "\"" || scalar == "\\" { written += "\\" }
      written.unicodeScalars.append(scalar)
    }
    return written + "\""
  }

  private static func members<Member>(
    _ text: String, _ member: (inout ByteScanner) -> Member?
  ) -> [Member]? {
    var scanner = ByteScanner(text)
    scanner.take { $0 == UInt8(ascii: " ") }
    var members: [Member] = []
    while !scanner.isAtEnd {
      guard let next = member(&scanner) else { return nil }
      members.append(next)
      scanner.take(while: FieldSyntax.isWhitespace)
      if scanner.isAtEnd { return members }
      guard scanner.take(FieldSyntax.comma) else { return nil }
      scanner.take(while: FieldSyntax.isWhitespace)
      if scanner.isAtEnd { return nil }
    }
    return members
  }

  /// Section 4.2.3.3.
  private static func key(_ scanner: inout ByteScanner) -> String? {
    guard let first = scanner.current, isLowercase(first) || first == UInt8(ascii: "*") else {
      return nil
    }
    let bytes = scanner.take {
      isLowercase($0) || FieldSyntax.isDigit($0) || "_-.*".utf8.contains($0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Section 4.2.1.1: an item, or an inner list, whose items are skipped.
  private static func value(_ scanner: inout ByteScanner) -> Item? {
    guard scanner.take(UInt8(ascii: "(")) else { return item(&scanner) }
    while true {
      scanner.take { $0 == UInt8(ascii: " ") }
      if scanner.take(UInt8(ascii: ")")) { return parameters(&scanner) ? .other : nil }
      guard item(&scanner) != nil,
        scanner.current == UInt8(ascii: " ") || scanner.current == UInt8(ascii: ")")
      else { return nil }
    }
  }

  /// Section 4.2.3: an item; its parameters are skipped.
  private static func item(_ scanner: inout ByteScanner) -> Item? {
    guard let item = bareItem(&scanner), parameters(&scanner) else { return nil }
    return item
  }

  private static func parameters(_ scanner: inout ByteScanner) -> Bool {
    while scanner.take(UInt8(ascii: ";")) {
      scanner.take { $0 == UInt8(ascii: " ") }
      guard key(&scanner) != nil else { return false }
      if scanner.take(UInt8(ascii: "=")), bareItem(&scanner) == nil { return false }
    }
    return true
  }

  private static func bareItem(_ scanner: inout ByteScanner) -> Item? {
    guard let first = scanner.current else { return nil }
    switch first {
    case FieldSyntax.quote: return string(&scanner)
    case UInt8(ascii: "?"): return boolean(&scanner)
    case UInt8(ascii: ":"): return bytes(&scanner)
    case UInt8(ascii: "@"): return date(&scanner)
    case UInt8(ascii: "%"): return displayString(&scanner)
    case UInt8(ascii: "-"): return number(&scanner)
    case _ where FieldSyntax.isDigit(first): return number(&scanner)
    case _ where FieldSyntax.isLetter(first) || first == UInt8(ascii: "*"):
      let token = scanner.take { FieldSyntax.isTokenByte($0) || ":/".utf8.contains($0) }
      return .token(String(decoding: token, as: UTF8.self))
    default: return nil
    }
  }

  /// Section 4.2.5: only visible ASCII and spaces, and only these two escapes.
  private static func string(_ scanner: inout ByteScanner) -> Item? {
    guard scanner.take(FieldSyntax.quote) else { return nil }
    var content: [UInt8] = []
    while let byte = scanner.current, (0x20..<0x7F).contains(byte) {
      _ = scanner.take(byte)
      if byte == FieldSyntax.quote { return .string(String(decoding: content, as: UTF8.self)) }
      guard byte == FieldSyntax.backslash else {
        content.append(byte)
        continue
      }
      guard let escaped = scanner.current, escaped == FieldSyntax.quote || escaped == byte else {
        return nil
      }
      _ = scanner.take(escaped)
      content.append(escaped)
    }
    return nil
  }

  private static func boolean(_ scanner: inout ByteScanner) -> Item? {
    if scanner.take("?1") { return .boolean(true) }
    return scanner.take("?0") ? .boolean(false) : nil
  }

  private static func bytes(_ scanner: inout ByteScanner) -> Item? {
    guard scanner.take(UInt8(ascii: ":")) else { return nil }
    scanner.take {
      FieldSyntax.isLetter($0) || FieldSyntax.isDigit($0) || "+/=".utf8.contains($0)
    }
    return scanner.take(UInt8(ascii: ":")) ? .other : nil
  }

  /// Section 4.2.9.
  private static func date(_ scanner: inout ByteScanner) -> Item? {
    guard scanner.take(UInt8(ascii: "@")), case .integer? = number(&scanner) else { return nil }
    return .other
  }

  /// Section 4.2.10: UTF-8, in which bytes beyond visible ASCII and two special characters are percent-encoded in lower
  /// case.
  private static func displayString(_ scanner: inout ByteScanner) -> Item? {
    guard scanner.take("%\"") else { return nil }
    var content: [UInt8] = []
    while let byte = scanner.current, (0x20..<0x7F).contains(byte) {
      _ = scanner.take(byte)
      switch byte {
      case FieldSyntax.quote:
        let text = String(decoding: content, as: UTF8.self)
        return text.utf8.elementsEqual(content) ? .other : nil
      case UInt8(ascii: "%"):
        var digits: [UInt8] = []
        while digits.count < 2, let digit = scanner.current, "0123456789abcdef".utf8.contains(digit)
        {
          _ = scanner.take(digit)
          digits.append(digit)
        }
        guard digits.count == 2,
          let encoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        content.append(encoded)
      default: content.append(byte)
      }
    }
    return nil
  }

  /// Section 4.2.4.
  private static func number(_ scanner: inout ByteScanner) -> Item? {
    let isNegative = scanner.take(UInt8(ascii: "-"))
    let digits = String(decoding: scanner.take(while: FieldSyntax.isDigit), as: UTF8.self)
    guard (1...15).contains(digits.utf8.count), let value = Int64(digits) else { return nil }
    guard scanner.take(UInt8(ascii: ".")) else { return .integer(isNegative ? -value : value) }
    let fraction = scanner.take(while: FieldSyntax.isDigit).count
    return (1...3).contains(fraction) && digits.utf8.count <= 12 ? .other : nil
  }

  private static func isLowercase(_ byte: UInt8) -> Bool {
    FieldSyntax.isLetter(byte) && FieldSyntax.lowercased(byte) == byte
  }
}
