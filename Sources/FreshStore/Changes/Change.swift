/// A change that was committed, by this store or by another one on its file.
public struct Change: Sendable, Hashable {
  /// The kinds of change.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A value was stored.
    case stored
    /// The source confirmed the copy; its stamps were renewed.
    case revalidated
    /// The source says that the object does not exist.
    case absent
    /// A local write was stored; its source will be told.
    case written
    /// The source accepted a local write.
    case pushed
    /// A local write was dropped: the record is again what it was without it.
    case restored
    /// Records were marked stale.
    case marked
    /// Records were removed.
    case removed
    /// Sources may be asked again: pauses after failures were ended, or what somebody had in hand was
    /// given back.
    case resumed
    /// Changes by others went by that cannot be told one by one: anything may have changed. The
    /// file was replaced, this process stood still for long, or the store only reads.
    case unknown
  }

  /// What happened.
  public let kind: Kind
  /// The collection; `nil` when any collection may be concerned.
  public let collection: String?
  /// The key; `nil` when many may be concerned.
  public let key: String?
  /// Changes that were dropped before this one because the observer was slow, or this process; of
  /// the latter, all count that might have been for the observer.
  public var missed = 0

  package init(kind: Kind, collection: String?, key: String?, missed: Int = 0) {
    (self.kind, self.collection, self.key, self.missed) = (kind, collection, key, missed)
  }

  /// Changes went by untold.
  static let unknown = Change(kind: .unknown, collection: nil, key: nil)
}
