#if CommandLine
  internal import FreshStore

  /// One run of `freshstore sweep`: marking, fetching again, removing, all under one lock.
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
        let refetching = try Refetching(store, concurrency: concurrency, sources: sources, meter)
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
#endif
