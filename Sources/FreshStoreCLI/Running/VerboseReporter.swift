#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The report of the store's work under `--verbose`.
  struct VerboseReporter: Reporter {
    func report(_ event: StoreEvent) {
      switch event {
      case .decided(let decision):
        Console.note("decided: \(decision)")
      case .fetchBegan:
        Console.note("fetching")
      case .fetchEnded(_, _, let duration, let failure):
        Console.note(
          failure.map { "the fetch failed after \(duration.brief): \($0)" }
            ?? "fetched in \(duration.brief)")
      case .notStored(let error):
        Console.note("not stored: \(error)")
      case .waitedForLease(_, _, let owner):
        Console.note("waiting for \(owner), who is fetching it")
      case .swept, .pruned, .pushed, .deferred, .parked, .rewritten, .discarded:
        break
      }
    }
  }
#endif
