/// A position in the bytes of a field value, moved forward by the parsers.
package struct ByteScanner {
  private let bytes: [UInt8]
  /// How many bytes lie behind.
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

  /// Moves past the literal, letters in either case.
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

  /// Moves past one of the names and returns its place in the list. Longer names that begin like
  /// shorter ones must come first.
  package mutating func take(oneOf names: [String]) -> Int? {
    for (index, name) in names.enumerated() where take(name) {
      return index
    }
    return nil
  }

  /// Moves past exactly that many digits and returns their number.
  package mutating func number(digits count: Int) -> Int? {
    let digits = bytes[position...].prefix(count)
    guard digits.count == count, digits.allSatisfy(FieldSyntax.isDigit) else { return nil }
    position += count
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Moves past every byte the condition holds for and returns them.
  @discardableResult
  package mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, condition(byte) {
      position += 1
    }
    return bytes[start..<position]
  }

  /// Moves past a quoted string and returns its content, unescaped (RFC 9110 section 5.6.4). For an
  /// unterminated one it returns `nil` and leaves the position after its opening quote.
  package mutating func quotedString() -> [UInt8]? {
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
