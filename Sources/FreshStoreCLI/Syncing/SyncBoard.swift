#if CommandLine
  internal import FreshStore
  internal import FreshSync
  internal import Strategies

  /// Shows the work of a daemon: to readers of its output, and to `freshstore sync status`.
  struct SyncBoard {
    let lock: SyncLock
    let isJSON: Bool

    /// Shows each status until they end. When a status cannot be stored, only other processes miss it.
    func show(_ statuses: AsyncStream<SyncStatus>) async throws {
      var last: SyncStatus?
      for await status in statuses {
        let answer = SyncWorkOutput(status)
        lock.note(try StandardOutput.encoded(answer))
        if isJSON { try StandardOutput.json(answer) }
        tell(status, after: last)
        last = status
      }
    }

    private func tell(_ status: SyncStatus, after last: SyncStatus?) {
      if case .offline(let reason) = status.phase, !(last?.phase.isOffline ?? false) {
        Console.note("waiting for the network: \(reason)")
      } else if last?.phase.isOffline == true, !status.phase.isOffline {
        Console.note("the network is back")
      }
      if let failure = status.failure, failure != last?.failure { Console.note(failure) }
    }
  }

  extension SyncStatus.Phase {
    var isOffline: Bool { if case .offline = self { true } else { false } }
  }

  /// The output of `sync run --json`, which is also stored for `sync status`.
  struct SyncWorkOutput: Codable {
    struct Origin: Codable {
      let name: String
      let inFlight: Int
      let pausedUntil: String?
    }

    /// One of stopped, at-work, idle, offline or stopping.
    let phase: String
    /// When the next work falls due.
    let until: String?
    /// Why no source is in reach.
    let reason: String?
    let inFlight: Int
    let origins: [Origin]
    let report: SyncReport
    /// Why the store could not be used.
    let failure: String?

    init(_ status: SyncStatus) {
      var (until, reason): (String?, String?)
      switch status.phase {
      case .stopped: phase = "stopped"
      case .draining: phase = "at-work"
      case .idle(let moment):
        phase = "idle"
        until = moment?.description
      case .offline(let because):
        phase = "offline"
        reason = because
      case .stopping: phase = "stopping"
      }
      (self.until, self.reason) = (until, reason)
      inFlight = status.inFlight
      origins = status.origins.sorted { $0.key < $1.key }.map { name, origin in
        Origin(
          name: name, inFlight: origin.inFlight, pausedUntil: origin.pausedUntil?.description)
      }
      report = status.report
      failure = status.failure
    }

    /// For people.
    var words: String {
      let detail = reason.map { ": \($0)" } ?? until.map { " until \($0)" } ?? ""
      return phase + detail
    }
  }

  extension SyncReport {
    /// For people.
    var line: String {
      let parts = [
        (fetched, "fetched"), (notModified, "confirmed"), (gone, "gone"),
        (lists, "lists followed"), (pushed, "sent"), (conflicts, "given up for the source's"),
        (parked, "parked"), (failed, "failed"), (deferred, "put off"),
        (held, "held up"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }
  }

  /// Reports the work of a synchronizing command on standard error: the results of local writes, and everything with
  /// `--verbose`.
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
          "\(name(entry)) is parked: \(reason); see freshstore outbox list, then correct, retry or drop it, or send it "
            + "over a conflict (freshstore outbox send --over)")
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
