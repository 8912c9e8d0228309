/// A committed change, by this store or another one on its file.
public struct Change: Sendable, Hashable {
  /// The kinds of change.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A value was stored.
    case stored
    /// The source confirmed the copy; its stamps were renewed.
    case revalidated
    /// The source reported that the object does not exist.
    case absent
    /// A local write was stored; the source is told later.
    case written
    /// The source accepted a local write.
    case pushed
    /// A local write was dropped: the record has its state from before the write again.
    case restored
    /// Records were marked stale.
    case marked
    /// Records were removed.
    case removed
    /// Sources may be asked again: pauses after failures ended, or work in progress was given back.
    case resumed
    /// Changes by others cannot be listed one by one: anything may have changed. The file was
    /// replaced, this process stood still for long, or the store only reads.
    case unknown
  }

  /// The kind of the change.
  public let kind: Kind
  /// The collection; `nil` when any collection may be concerned.
  public let collection: String?
  /// The key; `nil` when many may be concerned.
  public let key: String?
  /// Changes dropped before this one because the observer, or this process, was slow; in the second
  /// case the count includes all changes that might have been for the observer.
  public var missed = 0

  package init(kind: Kind, collection: String?, key: String?, missed: Int = 0) {
    (self.kind, self.collection, self.key, self.missed) = (kind, collection, key, missed)
  }

  /// Above this number of changes of one kind by one list, observers get one change without a key.
  static let mostOfOneKind = 256

  /// Unlisted changes.
  static let unknown = Change(kind: .unknown, collection: nil, key: nil)
}
