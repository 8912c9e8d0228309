/// What a mark covers.
public enum Scope: Codable, Hashable, Sendable {
  case key(String), tag, prefix(String), collection
}
