#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The messages of a synchronizing command on standard error: the results of local writes, and
  /// with `--verbose` everything.
  struct SyncReporter: Reporter {
    let isVerbose: Bool

    func report(_ event: StoreEvent) {
      switch event {
      case .pushed(let entry):
        if isVerbose { Console.note("\(name(entry)) was accepted") }
      case .deferred(let entry, let until, let reason):
        if isVerbose { Console.note("\(name(entry)) waits until \(until): \(reason)") }
      case .parked(let entry, let reason):
        Console.note(
          "\(name(entry)) is parked: \(reason); see freshstore outbox list, then retry or drop it")
      case .rewritten(let entry, let replaced):
        for fallen in replaced {
          Console.note(
            "\(name(fallen)) met another change at its source and is sent over it"
              + (fallen.id == entry.id ? "" : ", with write \(entry.id)")
          )
        }
      case .discarded(let entries):
        for entry in entries {
          Console.note("\(name(entry)) was given up for what the source holds")
        }
      case .fetchEnded(_, let keys, _, let failure?):
        for key in keys { Console.note("\(Console.quoted(key: key)): \(failure.message)") }
      default:
        if isVerbose { VerboseReporter(namesRecords: true).report(event) }
      }
    }

    private func name(_ entry: OutboxEntry) -> String {
      "write \(entry.id) of \(Console.quoted(key: entry.key))"
    }
  }
#endif
