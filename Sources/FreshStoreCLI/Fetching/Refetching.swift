#if CommandLine
  internal import FreshStore
  internal import FreshSync

  /// Fetches the records of the refetch queue that have a URL, as a synchronizer does that leaves
  /// the outbox alone.
  struct Refetching: Sendable {
    private let store: Store
    private let meter: ProgressMeter
    private let syncing: Syncing

    init(
      _ store: Store, concurrency: Int, sources: OriginSources, _ meter: ProgressMeter
    ) throws {
      var options = SyncOptions()
      (options.concurrency, options.concurrencyPerOrigin) = (concurrency, concurrency)
      self.store = store
      self.meter = meter
      syncing = try Syncing(store, options: options, conflicts: nil, sources: sources)
    }

    /// The result of a run.
    struct Outcome {
      var report: SyncReport
      /// The number of due records without a URL.
      let skipped: Int
      /// The failure of the store that ended the run early; the rest is due as before.
      var failure: StoreError?
    }

    /// Returns when everything that is due at the start has been tried, each once.
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
    /// The refetched records, those that their source confirmed or no longer has included.
    var refetched: Int { fetched + notModified + gone }
  }
#endif
