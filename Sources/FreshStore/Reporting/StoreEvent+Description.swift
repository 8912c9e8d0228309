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
    case .swept: "swept"
    case .pruned: "pruned"
    }
  }

  /// The figures of the event as text, by name; never a stored value.
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
      return ["collection": collection, "key": key, "owner": owner]
    case .swept(let result):
      return [
        "examined": "\(result.examined)", "marked": "\(result.marked)",
        "batches": "\(result.batches)",
      ]
    case .pruned(let result):
      return ["removed": "\(result.removed)", "bytes": "\(result.bytes)"]
    }
  }

  /// A batch is named by its first key and its size.
  private static func figures(_ collection: String, _ keys: [String]) -> [String: String] {
    ["collection": collection, "key": keys.first ?? "", "keys": "\(keys.count)"]
  }
}

extension Decision {
  fileprivate var figures: [String: String] {
    var figures = [
      "collection": collection, "key": key, "outcome": outcome.rawValue, "decided-by": decidedBy,
      "reason": cause.code, "why": "\(cause)",
    ]
    figures["age-milliseconds"] = age.map { "\($0.wholeMilliseconds)" }
    return figures
  }
}
