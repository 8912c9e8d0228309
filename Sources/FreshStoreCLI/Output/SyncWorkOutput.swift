#if CommandLine
  internal import FreshSync
  internal import Strategies

  /// The output of `sync run --json`, which is also left for `sync status`.
  struct SyncWorkOutput: Codable {
    struct Origin: Codable {
      let name: String
      let inFlight: Int
      let pausedUntil: String?
    }

    /// stopped, at-work, idle, offline or stopping.
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
#endif
