/// A mark that was made while the shared tier was out of reach, and that the tier has refused since: this host has
/// applied it, and the others never hear of it (``Store/refusedFleetMarks()``).
public struct RefusedMark: Sendable, Hashable {
  /// Its number among those of the file.
  public let id: Int64
  /// The records that it covers.
  public let scope: SharedMark.Scope
  /// The reason that its maker gave.
  public let reason: String
  /// The tier's words.
  public let refusal: String

  /// Creates one, as a store tells of it.
  public init(id: Int64, scope: SharedMark.Scope, reason: String, refusal: String) {
    (self.id, self.scope, self.reason, self.refusal) = (id, scope, reason, refusal)
  }
}
