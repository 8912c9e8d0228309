/// The answer of a source to a fetch.
public enum Reply: Codable, Hashable, Sendable {
  case value(Int, Lifetime, isTagged: Bool?)
  case unchanged(Lifetime)
  case gone
  case failure
}
