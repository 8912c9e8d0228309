#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// Fetches the records of the refetch queue that have a URL, some at a time.
  struct Refetching: Sendable {
    private let store: Store
    private let meter: ProgressMeter
    private let concurrency: Int
    private let sources: OriginSources
    private let policies: SourcePolicies

    /// The results.
    struct Counts: Sendable {
      var refetched = 0
      var failed = 0
      var deferred = 0
      var skipped = 0
    }

    private enum Outcome {
      case refetched, failed
      /// No request was made: the source is out of reach, or left alone after failures.
      case deferred
      /// Another process fetches it, or has fetched it.
      case elsewhere
    }

    private static let timeout = Duration.seconds(30)
    private static let pageLength = 1000

    init(
      _ store: Store, concurrency: Int, headers: HeadersFile?, _ meter: ProgressMeter
    ) throws {
      self.store = store
      self.meter = meter
      self.concurrency = concurrency
      sources = try OriginSources(headers: headers, timeout: Self.timeout)
      policies = try SourcePolicies(sources, timeout: Self.timeout)
    }

    /// Returns when everything that is due at the start has been tried, each once.
    func run() async throws -> Counts {
      let result: Result<Counts, any Error>
      do {
        result = .success(try await fetchAll())
      } catch {
        result = .failure(error)
      }
      await sources.close()
      return try result.get()
    }

    private func fetchAll() async throws -> Counts {
      let now = store.configuration.clock.now().wall
      var counts = Counts()
      counts.skipped = try store.countQueued(until: now) { Self.hasURL($1) ? nil : "" }
      let total = try store.countQueued(until: now) { Self.hasURL($1) ? "" : nil }
      try await policies.lookUp { [store] in
        try await store.queued(
          limit: SourcePolicies.mostOrigins, perOrigin: 1, origin: SourcePolicies.origin
        ).records.compactMap(\.address)
      }
      // Records that failed, are fetched by another process, or were found stale again may still be
      // due.
      var tried: Set<RecordID> = []
      while !Task.isCancelled {
        let page = try await store.queued(
          limit: Self.pageLength + tried.count, perOrigin: .max
        ) { Self.hasURL($1) ? "" : nil }
        // Records that fall due meanwhile are left to the next sweep.
        let untried = page.records.filter {
          $0.queuedAt <= now && tried.insert(RecordID($0.collection, $0.key)).inserted
        }
        guard !untried.isEmpty else { break }
        try await fetch(untried) { outcome in
          switch outcome {
          case .refetched: counts.refetched += 1
          case .failed: counts.failed += 1
          case .deferred: counts.deferred += 1
          case .elsewhere: break
          }
          let done = counts.refetched + counts.failed + counts.deferred
          meter.show("fetched \(counts.refetched) again, \(counts.failed) failed", done, of: total)
        }
      }
      return counts
    }

    private func fetch(_ records: [QueuedRecord], note: (Outcome) -> Void) async throws {
      try await withThrowingTaskGroup(of: Outcome.self) { group in
        for (position, record) in records.enumerated() {
          if position >= concurrency, let outcome = try await group.next() { note(outcome) }
          guard !Task.isCancelled else { break }
          group.addTask { try await outcome(of: record) }
        }
        while let outcome = try await group.next() { note(outcome) }
      }
    }

    private func outcome(of queued: QueuedRecord) async throws -> Outcome {
      let claims = try await store.claim([queued], holding: Self.timeout * 2)
      guard let claim = claims.first, let address = claim.record.address else { return .elsewhere }
      guard let policy = policies.policy(of: address) else {
        // A source that only looks like a URL.
        try await store.putBack(claims)
        return .failed
      }
      let collection = try store.bytes(queued.collection, policy: policy)
      let results = await collection.refetch([claim.record]) { [sources] missing in
        var fetched: [String: Fetched<[UInt8]>] = [:]
        for previous in missing {
          fetched[previous.key] = try await sources.fetch(address, previous: previous)
        }
        return fetched
      }
      // Without a request, for lack of a network, it keeps its place.
      try await store.putBack(claims)
      return Self.outcome(of: results[queued.key])
    }

    private static func outcome(
      of result: Result<Answer<[UInt8]>, GetError>?
    ) -> Outcome {
      switch result {
      case .success(let answer):
        if let failure = answer.fetchFailure { return outcome(of: failure) }
        switch answer.storeFailure?.code {
        case nil, .superseded, .pendingWrite: return .refetched
        // A record whose fetched value is not kept is as due as before.
        default: return .failed
        }
      case .failure(let error):
        switch error.code {
        case .absent: return .refetched
        case .offline: return .deferred
        default: return error.fetchFailure.map(outcome) ?? .failed
        }
      case nil: return .elsewhere
      }
    }

    private static func outcome(of failure: FetchFailure) -> Outcome {
      switch failure.code {
      case .offline, .originIsDown, .pausing: .deferred
      default: .failed
      }
    }

    private static func hasURL(_ source: String?) -> Bool { source.map(URLText.isURL) ?? false }
  }
#endif
