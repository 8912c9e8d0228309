/// The rules for whole strings, as names and values are: in other modules the generic ones are not specialised, and
/// every field of a request to a gateway passes here.
extension FieldSyntax {
  /// True for one or more token bytes.
  package static func isToken(_ text: String) -> Bool { isToken(text[...]) }

  /// Section 5.5: a value that can be sent: no control bytes but the tab.
  package static func isFieldValue(_ text: String) -> Bool { isFieldValue(text[...]) }

  /// ASCII letters in lower case.
  package static func lowercased(_ text: String) -> String { lowercased(text[...]) }

  /// Equal but for the case of ASCII letters.
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
