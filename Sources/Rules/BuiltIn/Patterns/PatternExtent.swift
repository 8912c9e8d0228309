/// How much of a text a pattern has to account for.
public enum PatternExtent: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of it.
  case whole
  /// A part of it, anywhere.
  case search
  /// Its beginning.
  case prefix
}
