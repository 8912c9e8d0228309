#if Metrics
  public import Metrics
  internal import Strategies

  /// Counts events with swift-metrics:
  ///
  /// | metric | kind | dimensions |
  /// | --- | --- | --- |
  /// | `freshstore_decisions` | counter | `collection`, `outcome`, `decided_by` |
  /// | `freshstore_fetches` | counter, one per key | `collection`, `result` (`ok`, `failed`) |
  /// | `freshstore_fetch_duration` | timer | `collection`, `result` |
  /// | `freshstore_not_stored` | counter | none |
  /// | `freshstore_lease_waits` | counter | `collection` |
  /// | `freshstore_pushes` | counter, one per write | `collection`, `result` (the event's name) |
  /// | `freshstore_fleet_failures` | counter | none |
  /// | `freshstore_fleet_marks` | counter, one per mark | none |
  /// | `freshstore_fleet_marks_refused` | counter | none |
  /// | `freshstore_fleet_hits` | counter | `collection` |
  /// | `freshstore_swept`, `freshstore_pruned` | counter, records | none |
  public struct MetricsReporter: Reporter {
    private let factory: any MetricsFactory

    /// Creates a reporter on `factory`, by default the program's.
    public init(_ factory: any MetricsFactory = MetricsSystem.factory) {
      self.factory = factory
    }

    /// Counts one event.
    public func report(_ event: StoreEvent) {
      switch event {
      case .decided(let decision):
        count(
          "decisions",
          [
            ("collection", decision.collection), ("outcome", decision.outcome.rawValue),
            ("decided_by", decision.decidedBy),
          ])
      case .fetchBegan: break
      case .fetchEnded(let collection, let keys, let duration, let failure):
        let dimensions = [
          ("collection", collection), ("result", failure == nil ? "ok" : "failed"),
        ]
        count("fetches", dimensions, by: keys.count)
        Timer(label: "freshstore_fetch_duration", dimensions: dimensions, factory: factory)
          .recordNanoseconds(duration.wholeMilliseconds * 1_000_000)
      case .notStored: count("not_stored", [])
      case .waitedForLease(let collection, _, _):
        count("lease_waits", [("collection", collection)])
      case .wentAlone: count("fleet_failures", [])
      case .tookFleetMarks(let marks, _): count("fleet_marks", [], by: marks)
      case .refusedFleetMark: count("fleet_marks_refused", [])
      case .foundInFleet(let collection, _, _):
        count("fleet_hits", [("collection", collection)])
      case .swept(let result): count("swept", [], by: result.marked)
      case .pushed(let entry), .deferred(let entry, _, _), .parked(let entry, _),
        .rewritten(let entry, _):
        count("pushes", [("collection", entry.collection), ("result", event.name)])
      case .discarded(let entries):
        for entry in entries {
          count("pushes", [("collection", entry.collection), ("result", event.name)])
        }
      case .unrestored(let collection, _): count("unrestored", [("collection", collection)])
      case .pruned(let result): count("pruned", [], by: result.removed)
      }
    }

    private func count(_ name: String, _ dimensions: [(String, String)], by amount: Int = 1) {
      Counter(label: "freshstore_" + name, dimensions: dimensions, factory: factory)
        .increment(by: amount)
    }
  }
#endif
