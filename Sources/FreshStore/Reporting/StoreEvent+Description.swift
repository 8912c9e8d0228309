internal import Strategies

extension StoreEvent {
  /// A stable name for logs and metrics; it never changes once released.
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

  /// The figures of the event as text, by name; never a stored value, nor the query of a key that is a
  /// URL.
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
