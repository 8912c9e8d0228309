/// The scope of a mark.
public enum Scope: Codable, Hashable, Sendable {
  case key(String), tag, prefix(String), collection
}
