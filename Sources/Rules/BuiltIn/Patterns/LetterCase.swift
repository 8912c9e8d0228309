/// Whether upper and lower case are the same to a pattern.
public enum LetterCase: String, Sendable, Hashable, Codable, CaseIterable {
  /// They are not.
  case sensitive
  /// They are, by Unicode's mapping to lower case.
  case insensitive
}
