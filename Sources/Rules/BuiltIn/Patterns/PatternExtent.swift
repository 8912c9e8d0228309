/// The part of a text that a pattern has to match.
public enum PatternExtent: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of it.
  case whole
  /// A part of it, anywhere.
  case search
  /// Its beginning.
  case prefix
}
