#if CommandLine
  internal import FreshStore
  internal import FreshSync

  /// One run of `freshstore sweep`: it marks, fetches again and removes, all under one lock.
  struct SweepRun {
    let store: Store
    let limit: Int?
    let isDryRun: Bool
    /// The number of concurrent fetches; `nil` to fetch nothing.
    let concurrency: Int?
    /// The sources to fetch from; `nil` to fetch nothing.
    let sources: OriginSources?
    let olderThan: Duration?
    let maximumBytes: Int?
    let wait: Duration
    let meter: ProgressMeter

    /// The summary, and the failure of the store that ended the refetches early.
    func result() async throws -> (summary: SweepOutput, failure: StoreError?) {
      let start = ContinuousClock.now
      let lock = isDryRun ? nil : try await store.lockSweeps(waiting: wait)
      defer { lock?.release() }
      var output = SweepOutput()
      var failure: StoreError?
      output.add(try await mark(lock))
      meter.end()
      if let concurrency, let sources, !Task.isCancelled {
        let refetching = try RefetchRun(store, concurrency: concurrency, sources: sources, meter)
        let outcome = try await refetching.run()
        output.add(outcome.report, skipped: outcome.skipped)
        failure = outcome.failure
        meter.end()
      }
      if olderThan != nil || maximumBytes != nil, !Task.isCancelled {
        output.add(try await prune())
        meter.end()
      }
      output.seconds = (ContinuousClock.now - start) / .seconds(1)
      return (output, failure)
    }

    private func mark(_ lock: SweepLock?) async throws(StoreError) -> SweepResult {
      var options = SweepOptions()
      options.limit = limit
      options.isDryRun = isDryRun
      options.lock = lock
      if meter.isWanted {
        let total = try await store.countExpired(limit: limit ?? .max)
        options.progress = { [meter] in
          meter.show("looked at \($0.examined), marked \($0.marked)", $0.examined, of: total)
        }
      }
      return try await store.sweep(options)
    }

    private func prune() async throws(StoreError) -> PruneResult {
      var options = PruneOptions()
      options.olderThan = olderThan
      options.maximumBytes = maximumBytes
      options.isDryRun = isDryRun
      // The total is not known in advance.
      options.progress = { [meter] in
        meter.show("removed \($0.removed), \($0.bytes) bytes", 0, of: 1)
      }
      return try await store.prune(options)
    }
  }

  /// Fetches the records of the refetch queue that have a URL. Its synchronizer ignores the outbox.
  struct RefetchRun: Sendable {
    private let store: Store
    private let meter: ProgressMeter
    private let syncing: SyncRun

    init(
      _ store: Store, concurrency: Int, sources: OriginSources, _ meter: ProgressMeter
    ) throws {
      var options = SyncOptions()
      (options.concurrency, options.concurrencyPerOrigin) = (concurrency, concurrency)
      self.store = store
      self.meter = meter
      syncing = try SyncRun(store, options: options, conflicts: nil, sources: sources)
    }

    /// The result of a run.
    struct Outcome {
      var report: SyncReport
      /// The number of due records without a URL.
      let skipped: Int
      /// The failure of the store that ended the run early; the other records are as due as before.
      var failure: StoreError?
    }

    /// Returns when everything that was due at the start has been tried, each record once.
    func run() async throws -> Outcome {
      let now = store.configuration.clock.reading().wall
      let origin = SourcePolicies.origin
      let skipped = try store.countQueued(until: now) { origin($0, $1) == nil ? "" : nil }
      let total = try store.countQueued(until: now, origin: origin)
      var outcome = Outcome(report: SyncReport(), skipped: skipped)
      let showing = Task { [meter, statuses = syncing.synchronizer.statuses] in
        for await status in statuses {
          let (refetched, failed) = (status.report.refetched, status.report.failed)
          meter.show("fetched \(refetched) again, \(failed) failed", refetched + failed, of: total)
        }
      }
      do {
        outcome.report = try await syncing.drain()
      } catch SyncError.store(let error) {
        var report = syncing.synchronizer.status.report
        report.deferred = max(0, total - report.refetched - report.failed)
        (outcome.report, outcome.failure) = (report, error)
      }
      // Nothing is shown after the end of the run.
      showing.cancel()
      await showing.value
      return outcome
    }
  }

  extension SyncReport {
    /// The refetched records, including those that their source confirmed or no longer has.
    var refetched: Int { fetched + notModified + gone }
  }

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
    /// Records fetched again, including those that their source confirmed or no longer has.
    var refetched = 0
    /// Records whose refetch failed.
    var failed = 0
    /// Records left out, because their sources are out of reach or backing off, or because the store failed.
    var deferred = 0
    /// Records that are due and have no URL to fetch from.
    var skipped = 0
    /// Records removed.
    var removed = 0
    /// Bytes of the values removed.
    var bytes = 0
    /// The duration of the whole sweep.
    var seconds = 0.0
    /// False when a limit or a signal ended the sweep before everything was marked.
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
