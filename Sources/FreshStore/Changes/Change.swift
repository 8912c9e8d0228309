public import Strategies

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
    /// A local write was handed out, and is being sent (`OutboxEntry.State.pushing`).
    case pushing
    /// The source accepted a local write.
    case pushed
    /// A local write was not accepted, and is sent again; ``Change/write`` says when and why.
    case deferred
    /// A local write was parked; ``Change/write`` says why.
    case parked
    /// A local write was dropped: the record has its state from before the write again.
    case restored
    /// Records joined a list or left one; ``Change/key`` is `nil`.
    case listed
    /// Records were marked stale.
    case marked
    /// Records were removed.
    case removed
    /// Sources may be asked again: pauses after failures ended, a local write was retried or need not wait
    /// for another one any more, or work in progress was given back.
    case resumed
    /// Changes by others cannot be listed one by one: anything may have changed. The file was
    /// replaced, this process stood still for long, or the store only reads.
    case unknown
  }

  /// What became of a local write.
  public struct Write: Sendable, Hashable {
    /// Its number, as in `OutboxEntry.id`.
    public let id: Int64
    /// The time of the next attempt; `nil` when that is not put off.
    public let until: Timestamp?
    /// The reason why it was put off or parked.
    public let reason: String?

    package init(_ id: Int64, until: Timestamp? = nil, reason: String? = nil) {
      (self.id, self.until, self.reason) = (id, until, reason)
    }
  }

  /// The origins whose pauses have ended: others forget what their own fetches say against the routes there.
  package enum EndedPauses: Sendable, Hashable {
    case all
    case origin(Origin)
  }

  /// The kind of the change.
  public let kind: Kind
  /// The collection; `nil` when any collection may be concerned.
  public let collection: String?
  /// The key; `nil` when many may be concerned.
  public let key: String?
  /// The local write concerned; `nil` when there is none, or many.
  public let write: Write?
  /// Changes dropped before this one because the observer, or this process, was slow; in the second
  /// case the count includes all changes that might have been for the observer.
  public var missed = 0
  /// The origins whose pauses somebody has ended; `nil` for none.
  package let ended: EndedPauses?

  package init(
    kind: Kind, collection: String?, key: String?, write: Write? = nil, missed: Int = 0,
    ended: EndedPauses? = nil
  ) {
    (self.kind, self.collection, self.key) = (kind, collection, key)
    (self.write, self.missed, self.ended) = (write, missed, ended)
  }

  /// Above this number of changes of one kind by one list, observers get one change without a key.
  static let mostOfOneKind = 256

  /// Unlisted changes.
  static let unknown = Change(kind: .unknown, collection: nil, key: nil)
}
