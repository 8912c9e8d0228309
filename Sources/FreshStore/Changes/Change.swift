internal import Platform
public import Strategies
internal import Synchronization

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
    /// Sources may be asked again. Pauses after failures ended, a local write was retried or no longer waits
    /// for another one, or work in progress was given back.
    case resumed
    /// Changes by other stores cannot be listed one by one: anything may have changed. The file was
    /// replaced, this process stood still for long, or the store only reads.
    case unknown
  }

  /// The state of a local write after the change.
  public struct Write: Sendable, Hashable {
    /// Its number, as in `OutboxEntry.id`.
    public let id: Int64
    /// The time of the next attempt; `nil` when the attempt is not put off.
    public let until: Timestamp?
    /// The reason why it was put off or parked.
    public let reason: String?

    init(_ id: Int64, until: Timestamp? = nil, reason: String? = nil) {
      (self.id, self.until, self.reason) = (id, until, reason)
    }
  }

  /// The origins whose pauses have ended: other stores forget the failures of their own fetches there.
  package enum EndedPauses: Sendable, Hashable {
    case all
    case origin(Origin)
  }

  /// The kind of the change.
  public let kind: Kind
  /// The collection; `nil` when any collection may have changed.
  public let collection: String?
  /// The key; `nil` when many keys may have changed.
  public let key: String?
  /// The local write concerned; `nil` when there is none, or many.
  public let write: Write?
  /// The number of changes dropped before this one, because the observer or this process was slow.
  /// When the process was slow, the count includes all changes that might have been for the observer.
  public var missed = 0
  /// The origins whose pauses a caller has ended; `nil` for none.
  let ended: EndedPauses?

  init(
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

/// Hands committed changes to observers.
/// Memory is bounded: a slow observer loses the oldest changes and learns how many.
package final class ChangeHub: Sendable {
  /// A change and its number among one observer's changes: a gap shows how many were dropped.
  private struct Numbered: Sendable {
    let number: Int
    let change: Change
  }

  private struct Observer: Sendable {
    let collection: ExactName?
    let key: ExactName?
    /// Changes handed to this observer so far.
    var count = 0

    func wants(_ change: Change) -> Bool {
      Self.concerns(change.collection, collection) && Self.concerns(change.key, key)
    }

    private static func concerns(_ name: String?, _ wanted: ExactName?) -> Bool {
      guard let name, let wanted else { return true }
      return ExactName(name) == wanted
    }
  }

  private let observers = Multicast<Numbered, Observer>()

  var isEmpty: Bool { observers.count == 0 }

  /// The changes of a collection, or of one key of it, from now on. The stream ends when the iterating task is
  /// cancelled or the store is closed; it then calls `leave`.
  func changes(
    collection: String?, key: String?, buffering limit: Int, leave: @escaping @Sendable () -> Void
  ) -> AsyncStream<Change> {
    let stream = observers.stream(
      for: Observer(collection: collection.map(ExactName.init), key: key.map(ExactName.init)),
      buffering: .bufferingNewest(max(1, limit)), onEnd: leave)
    let last = Atomic<Int>(0)
    return AsyncStream {
      var next = stream.makeAsyncIterator()
      guard let numbered = await next.next() else { return nil }
      var change = numbered.change
      change.missed =
        numbered.number - last.exchange(numbered.number, ordering: .relaxed) - 1
      return change
    }
  }

  /// Tells the observers of a change. Called after the commit, in the order of commits.
  func publish(_ change: Change) {
    observers.send { observer in
      guard observer.wants(change) else { return nil }
      observer.count += 1
      return Numbered(number: observer.count, change: change)
    }
  }

  /// Counts changes as missed by every observer: nothing tells any more which observers they were for.
  func skip(_ count: Int) {
    observers.send { observer in
      observer.count += count
      return nil
    }
  }

  func finish() { observers.finish() }
}

/// The keys that a transaction may have changed.
package struct AffectedKeys: Sendable {
  /// The keys by collection. A collection may occur more than once; nearly always there is only one.
  private(set) var parts: [(collection: ExactName, keys: [String])] = []

  init() {}

  init(_ collection: String, _ keys: [String]) {
    parts = [(ExactName(collection), keys)]
  }

  mutating func add(_ other: AffectedKeys) { parts += other.parts }

  mutating func add(_ key: String, of collection: String) {
    guard let last = parts.indices.last, parts[last].collection.text.hasSameBytes(as: collection)
    else { return parts.append((ExactName(collection), [key])) }
    parts[last].keys.append(key)
  }
}
