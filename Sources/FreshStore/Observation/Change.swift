/// A change that this store committed.
public struct Change: Sendable, Hashable {
  /// The kinds of change.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A value was stored.
    case stored
    /// The source confirmed the copy; its stamps were renewed.
    case revalidated
    /// The source says that the object does not exist.
    case absent
    /// Records were marked stale.
    case marked
    /// Records were removed.
    case removed
  }

  /// What happened.
  public let kind: Kind
  /// The collection; `nil` when any collection may be concerned.
  public let collection: String?
  /// The key; `nil` when many may be concerned.
  public let key: String?
  /// Changes that were dropped before this one because the observer was slow.
  public var missed = 0
}
