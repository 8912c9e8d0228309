#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The report of the store's work under `--verbose`.
  struct VerboseReporter: Reporter {
    /// True for work on many records, whose messages name them.
    var namesRecords = false

    func report(_ event: StoreEvent) {
      switch event {
      case .decided(let decision):
        note([decision.key], "decided: \(decision)")
      case .fetchBegan(_, let keys):
        note(keys, "fetching")
      case .fetchEnded(_, let keys, let duration, let failure):
        note(
          keys,
          failure.map { "the fetch failed after \(duration.brief): \($0)" }
            ?? "fetched in \(duration.brief)")
      case .notStored(let error):
        Console.note("not stored: \(error)")
      case .waitedForLease(_, _, let owner):
        Console.note("waiting for \(owner), who is fetching it")
      case .wentAlone(let error):
        Console.note("the fleet is out of reach: \(error)")
      case .refusedFleetMark(let mark):
        Console.note("the fleet refuses a mark that was kept for it: \(mark.refusal)")
      case .foundInFleet(_, let key, let owner):
        note([key], "found in the fleet, from \(owner)")
      case .tookFleetMarks, .swept, .pruned, .pushed, .deferred, .parked, .rewritten, .discarded,
        .unrestored:
        break
      }
    }

    private func note(_ keys: [String], _ words: String) {
      guard namesRecords, let key = keys.first else { return Console.note(words) }
      let more = keys.count > 1 ? " and \(keys.count - 1) more" : ""
      Console.note("\(Console.quoted(key: key))\(more): \(words)")
    }
  }
#endif
