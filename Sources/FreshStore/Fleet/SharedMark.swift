/// A mark that all hosts of a fleet apply: what it covers is stale if it was asked for before.
public struct SharedMark: Sendable, Hashable {
  /// The records that a mark covers.
  public enum Scope: Sendable, Hashable {
    /// One record.
    case key(SharedKey)
    /// The records with a tag, in every collection.
    case tag([UInt8])
    /// The records of a collection whose keys begin with these bytes.
    case prefix([UInt8], in: [UInt8])
    /// The records of a collection.
    case collection([UInt8])
    /// All records.
    case all
  }

  /// The position just after this mark.
  public let position: SharedPosition
  /// The records that it covers.
  public let scope: Scope
  /// The reason that its maker gave.
  public let reason: String

  /// Creates a mark.
  public init(position: SharedPosition, scope: Scope, reason: String) {
    (self.position, self.scope, self.reason) = (position, scope, reason)
  }
}

/// A place in the order of a fleet's marks: the number of the last applied one, and its token.
///
/// The token is drawn at random for each mark. A journal without the number, or with another token under it, is not the
/// journal of the position. It was restored from an older copy, or failed over to a replica that lagged.
///
/// A position of another generation is one of another fleet: a tier takes its host for a new one.
public struct SharedPosition: Sendable, Hashable {
  /// The number of the mark.
  public let number: Int64
  /// The token of the mark.
  public let token: Int64
  /// Tells the fleet from any other, and from itself before it was set up anew. It is drawn when a tier is set up, and
  /// a restored copy keeps it. 0 for a tier that there is only one of.
  public let generation: Int64

  /// Creates a position, as read from a host's file.
  public init(number: Int64, token: Int64, generation: Int64 = 0) {
    (self.number, self.token, self.generation) = (number, token, generation)
  }
}

extension SharedMark.Scope {
  /// The records that it covers, in words, and without secrets of an address.
  package var words: String {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    return switch self {
    case .key(let key): "'\(KeyText.shown(text(key.key)))' of \(text(key.collection))"
    case .tag(let tag): "the tag '\(text(tag))'"
    case .prefix(let prefix, let collection):
      "'\(KeyText.shown(text(prefix)))…' of \(text(collection))"
    case .collection(let collection): "all of \(text(collection))"
    case .all: "all"
    }
  }
}

/// The marks that a host has missed, as every answer of the shared tier brings them.
public enum SharedNews: Sendable, Hashable {
  /// The marks after the host's position, in their order, and its next position. `isMore` when there are
  /// more marks than fit into one answer: nothing is fresh before they are applied.
  case marks([SharedMark], position: SharedPosition, isMore: Bool)
  /// The marks after the host's position are not known: all that it fetched before is suspect.
  case suspect(Cause, position: SharedPosition)

  /// The reason why marks are not known.
  public enum Cause: Sendable, Hashable {
    /// The host had no position, or one of another fleet.
    case new
    /// The journal was trimmed beyond the host's position.
    case trimmed
    /// The journal does not know the host's position: its history was lost.
    case historyLost
  }

  /// The position of a host that has applied this.
  public var position: SharedPosition {
    switch self {
    case .marks(_, let position, _), .suspect(_, let position): position
    }
  }
}

extension SharedNews {
  /// True when there is more than fitted into the answer.
  var isMore: Bool {
    if case .marks(_, _, let isMore) = self { isMore } else { false }
  }

  /// True when what was found with it may be older.
  var isSuspect: Bool {
    if case .suspect = self { true } else { false }
  }

  /// True when the journal is not the one that the host knows.
  var hasLostHistory: Bool {
    if case .suspect(.historyLost, _) = self { true } else { false }
  }
}

extension SharedNews.Cause {
  /// The cause, in one clause.
  var words: String {
    switch self {
    case .new: "the host had no place in its journal"
    case .trimmed: "its journal was trimmed while the host was away"
    case .historyLost: "its journal is not the one that the host knows"
    }
  }
}

/// An answer of the shared tier, with the marks that its host has missed.
///
/// The marks are applied first: what the answer holds is at least as new.
public struct SharedAnswer<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value
  /// The marks since the position that the host stated.
  public let news: SharedNews

  /// Creates an answer.
  public init(_ value: Value, news: SharedNews) {
    (self.value, self.news) = (value, news)
  }
}

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

/// A mark that was made while the shared tier was out of reach, and that it has not taken yet: it is delivered later.
package struct KeptMark: Sendable, Hashable {
  /// Its number among those of the file.
  package let id: Int64
  /// The records that it covers.
  package let scope: SharedMark.Scope
  /// The reason that its maker gave.
  package let reason: String
}
