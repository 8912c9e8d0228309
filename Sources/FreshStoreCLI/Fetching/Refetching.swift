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
      _ store: Store, concurrency: Int, headers: HeadersFile?, _ meter: ProgressMeter
    ) throws {
      var options = SyncOptions()
      (options.concurrency, options.concurrencyPerOrigin) = (concurrency, concurrency)
      self.store = store
      self.meter = meter
      syncing = try Syncing(store, options: options, conflicts: nil, headers: headers)
    }

    /// Returns when everything that is due at the start has been tried, each once, with the number
    /// of due records without a URL.
    func run() async throws -> (report: SyncReport, skipped: Int) {
      let now = store.configuration.clock.now().wall
      let origin = SourcePolicies.origin
      let skipped = try store.countQueued(until: now) { origin($0, $1) == nil ? "" : nil }
      let total = try store.countQueued(until: now, origin: origin)
      let showing = Task { [meter, statuses = syncing.synchronizer.statuses] in
        for await status in statuses {
          let (refetched, failed) = (status.report.refetched, status.report.failed)
          meter.show("fetched \(refetched) again, \(failed) failed", refetched + failed, of: total)
        }
      }
      defer { showing.cancel() }
      do {
        return (try await syncing.drain(), skipped)
      } catch SyncError.store(let error) {
        // A value that the store cannot take is a failed refetch.
        let report = syncing.synchronizer.status.report
        guard report.failed > 0 else { throw error }
        return (report, skipped)
      }
    }
  }

  extension SyncReport {
    /// The refetched records, those that their source confirmed or no longer has included.
    var refetched: Int { fetched + notModified + gone }
  }
#endif
