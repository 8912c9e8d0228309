/// Whether a pattern distinguishes upper and lower case.
public enum LetterCase: String, Sendable, Hashable, Codable, CaseIterable {
  /// It does.
  case sensitive
  /// It does not, by Unicode's mapping to lower case.
  case insensitive
}
