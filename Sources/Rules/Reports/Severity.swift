/// The weight of an issue.
public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
  /// The value must not be accepted.
  case must
  /// The value may be accepted, unless the caller is strict.
  case should
}
