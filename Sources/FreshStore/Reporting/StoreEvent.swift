public import Strategies

/// A decision or an action of the store.
public enum StoreEvent: Sendable {
  /// The gate decided on a record.
  case decided(Decision)
  /// A fetch begins for these keys.
  case fetchBegan(collection: String, keys: [String])
  /// A fetch ended; `failure` is `nil` when it succeeded.
  case fetchEnded(
    collection: String, keys: [String], duration: Duration, failure: FetchFailure?)
  /// A fetched value could not be stored; its callers got it anyway.
  case notStored(StoreError)
  /// Another owner's lease makes the caller wait.
  case waitedForLease(collection: String, key: String, owner: String)
  /// The fleet's shared tier did not answer, or refused: the host goes on without the fleet.
  case wentAlone(SharedTierError)
  /// Marks of the fleet were applied. When their number is not known, everything fetched before is stale.
  case tookFleetMarks(count: Int, unknown: SharedNews.Cause?)
  /// The shared tier refused a mark that was kept for it (``Store/refusedFleetMarks()``).
  /// The other hosts do not know of the mark.
  case refusedFleetMark(RefusedMark)
  /// A record of the fleet was stored in place of a fetch.
  case foundInFleet(collection: String, key: String, owner: String)
  /// A sweep ended.
  case swept(SweepResult)
  /// The source accepted a local write.
  case pushed(OutboxEntry)
  /// A local write waits for another attempt.
  case deferred(OutboxEntry, until: Timestamp, reason: String)
  /// A local write was parked: it waits until it is retried or dropped on request.
  case parked(OutboxEntry, reason: String)
  /// A conflict was resolved: this write, based on the source's version, is sent in place of the others.
  case rewritten(OutboxEntry, inPlaceOf: [OutboxEntry])
  /// Local writes were discarded: the source's version won, or they were dropped on request.
  case discarded([OutboxEntry])
  /// The last local write of a record was dropped, and the known state of its source is damaged on the disk.
  /// The record has no value until it is fetched.
  case unrestored(collection: String, key: String)
  /// A prune ended.
  case pruned(PruneResult)
}

extension StoreEvent {
  /// A stable name for logs and metrics. It never changes after its release.
  public var name: String {
    switch self {
    case .decided: "decided"
    case .fetchBegan: "fetch-began"
    case .fetchEnded: "fetch-ended"
    case .notStored: "not-stored"
    case .waitedForLease: "waited-for-lease"
    case .wentAlone: "went-alone"
    case .tookFleetMarks: "took-fleet-marks"
    case .refusedFleetMark: "refused-fleet-mark"
    case .foundInFleet: "found-in-fleet"
    case .swept: "swept"
    case .pruned: "pruned"
    case .pushed: "pushed"
    case .deferred: "deferred"
    case .parked: "parked"
    case .rewritten: "rewritten"
    case .discarded: "discarded"
    case .unrestored: "unrestored"
    }
  }

  /// The figures of the event as text, by name.
  /// They never contain a stored value, nor the query of a key that is a URL.
  public var figures: [String: String] {
    switch self {
    case .decided(let decision):
      return decision.figures
    case .fetchBegan(let collection, let keys):
      return Self.figures(collection, keys)
    case .fetchEnded(let collection, let keys, let duration, let failure):
      var figures = Self.figures(collection, keys)
      figures["milliseconds"] = "\(duration.wholeMilliseconds)"
      figures["failure"] = failure?.message
      return figures
    case .notStored(let error):
      return ["error": "\(error)"]
    case .waitedForLease(let collection, let key, let owner):
      return ["collection": collection, "key": KeyText.shown(key), "owner": owner]
    case .wentAlone(let error):
      return ["error": "\(error)"]
    case .tookFleetMarks(let count, let cause):
      return ["marks": "\(count)"].merging(cause.map { ["why": $0.words] } ?? [:]) { first, _ in
        first
      }
    case .refusedFleetMark(let mark):
      return ["mark": "\(mark.id)", "scope": mark.scope.words, "why": mark.refusal]
    case .foundInFleet(let collection, let key, let owner):
      return ["collection": collection, "key": KeyText.shown(key), "owner": owner]
    case .swept(let result):
      return [
        "examined": "\(result.examined)", "marked": "\(result.marked)",
        "batches": "\(result.batches)",
      ]
    case .pruned(let result):
      return ["removed": "\(result.removed)", "bytes": "\(result.bytes)"]
    case .pushed(let entry):
      return Self.figures(entry)
    case .deferred(let entry, let until, let reason):
      return Self.figures(entry).merging(["until": "\(until)", "why": reason]) { first, _ in first }
    case .parked(let entry, let reason):
      return Self.figures(entry).merging(["why": reason]) { first, _ in first }
    case .rewritten(let entry, let replaced):
      return Self.figures(entry).merging(["writes": Self.numbers(replaced)]) { first, _ in first }
    case .discarded(let entries):
      var figures = entries.first.map(Self.figures) ?? [:]
      figures["writes"] = Self.numbers(entries)
      return figures
    case .unrestored(let collection, let key):
      return ["collection": collection, "key": KeyText.shown(key)]
    }
  }

  private static func numbers(_ entries: [OutboxEntry]) -> String {
    entries.map { "\($0.id)" }.joined(separator: " ")
  }

  private static func figures(_ entry: OutboxEntry) -> [String: String] {
    [
      "collection": entry.collection, "key": KeyText.shown(entry.key), "write": "\(entry.id)",
      "kind": entry.kind.rawValue, "attempts": "\(entry.attempts)",
    ]
  }

  /// A batch is named by its first key and its size.
  private static func figures(_ collection: String, _ keys: [String]) -> [String: String] {
    ["collection": collection, "key": KeyText.shown(keys.first ?? ""), "keys": "\(keys.count)"]
  }
}

extension Decision {
  fileprivate var figures: [String: String] {
    var figures = [
      "collection": collection, "key": KeyText.shown(key), "outcome": outcome.rawValue,
      "decided-by": decidedBy,
      "reason": cause.code, "why": "\(cause)",
    ]
    figures["age-milliseconds"] = age.map { "\($0.wholeMilliseconds)" }
    return figures
  }
}
