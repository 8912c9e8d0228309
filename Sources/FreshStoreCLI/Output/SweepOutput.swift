#if CommandLine
  internal import FreshStore
  internal import FreshSync

  /// The output of `sweep --json`.
  struct SweepOutput: Encodable {
    /// Records looked at.
    var examined = 0
    /// Records newly marked stale.
    var marked = 0
    /// Write transactions that marked.
    var batches = 0
    /// The longest time for which other writers were kept waiting.
    var longestHoldSeconds = 0.0
    /// Records fetched again, those the source confirmed and those it no longer has included.
    var refetched = 0
    /// Records whose refetch failed.
    var failed = 0
    /// Records left out, because their sources are out of reach or left alone, or because the store
    /// failed.
    var deferred = 0
    /// Records that are due and have no URL to fetch from.
    var skipped = 0
    /// Records removed.
    var removed = 0
    /// Bytes of the values removed.
    var bytes = 0
    /// The duration of the whole sweep.
    var seconds = 0.0
    /// False when a limit or a signal ended the sweep before there was nothing left to mark.
    var isComplete = true
    /// True when nothing was written.
    var isDryRun = false

    mutating func add(_ result: SweepResult) {
      examined = result.examined
      marked = result.marked
      batches = result.batches
      isComplete = result.isComplete
      isDryRun = result.isDryRun
      note(hold: result.longestHold)
    }

    mutating func add(_ report: SyncReport, skipped: Int) {
      (refetched, failed, deferred) = (report.refetched, report.failed, report.deferred)
      self.skipped = skipped
    }

    mutating func add(_ result: PruneResult) {
      removed = result.removed
      bytes = result.bytes
      note(hold: result.longestHold)
    }

    private mutating func note(hold: Duration) {
      longestHoldSeconds = max(longestHoldSeconds, hold / .seconds(1))
    }

    /// For people.
    var lines: [String] {
      var lines = [
        (isDryRun ? "would mark " : "marked ") + "\(marked) of \(examined) looked at"
          + (isComplete ? "" : "; there are more")
      ]
      if refetched + failed + deferred + skipped > 0 {
        lines.append(
          "fetched \(refetched) again, \(failed) failed, \(deferred) were put off, \(skipped) have no "
            + "URL" + (skipped > 0 ? "; what a command printed is fetched by its next get" : ""))
      }
      if removed > 0 {
        lines.append("\(isDryRun ? "would remove" : "removed") \(removed) with \(bytes) bytes")
      }
      return lines
    }
  }
#endif
