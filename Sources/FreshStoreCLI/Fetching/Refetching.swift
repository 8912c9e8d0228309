#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// Fetches again what the refetch queue holds and has a URL, some at a time.
  struct Refetching: Sendable {
    private let store: Store
    private let meter: ProgressMeter
    private let concurrency: Int
    private let sources: OriginSources

    /// What came of it.
    struct Counts: Sendable {
      var refetched = 0
      var failed = 0
      var deferred = 0
      var skipped = 0
    }

    private enum Outcome {
      case refetched, failed
      /// Nothing was asked: the source is out of reach, or left alone after failures.
      case deferred
      /// Somebody else fetches it, or has fetched it.
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
    }

    /// Returns when nothing is due any more that has not been tried.
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
      // What failed, or is fetched by somebody else, may still be due.
      var tried: Set<[UInt8]> = []
      var fetched: [[UInt8]: Timestamp] = [:]
      while !Task.isCancelled {
        let page = try await store.queued(
          limit: Self.pageLength + tried.count, perOrigin: .max
        ) { Self.hasURL($1) ? "" : nil }
        let untried = page.records.filter { record in
          let name = Self.name(of: record)
          // Its source has answered, and the answer has left it where it was.
          if fetched[name] == record.queuedAt { tried.insert(name) }
          return !tried.contains(name)
        }
        guard !untried.isEmpty else { break }
        try await fetch(untried) { record, outcome in
          switch outcome {
          case .refetched: counts.refetched += 1
          case .failed: counts.failed += 1
          case .deferred: counts.deferred += 1
          case .elsewhere: break
          }
          if outcome == .refetched {
            fetched[Self.name(of: record)] = record.queuedAt
          } else {
            tried.insert(Self.name(of: record))
          }
          let done = counts.refetched + counts.failed + counts.deferred
          meter.show("fetched \(counts.refetched) again, \(counts.failed) failed", done, of: total)
        }
      }
      return counts
    }

    private func fetch(
      _ records: [QueuedRecord], note: (QueuedRecord, Outcome) -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: (QueuedRecord, Outcome).self) { group in
        for (position, record) in records.enumerated() {
          if position >= concurrency, let (record, outcome) = try await group.next() {
            note(record, outcome)
          }
          guard !Task.isCancelled else { break }
          group.addTask { (record, try await outcome(of: record)) }
        }
        while let (record, outcome) = try await group.next() { note(record, outcome) }
      }
    }

    private func outcome(of queued: QueuedRecord) async throws -> Outcome {
      let claims = try await store.claim([queued], holding: Self.timeout * 2)
      guard let claim = claims.first, let address = claim.record.source else { return .elsewhere }
      let name: RecordName
      do {
        name = try RecordName(address, collection: queued.collection)
      } catch {
        // A source that only looks like a URL.
        try await store.putBack(claims)
        return .failed
      }
      let collection = try store.bytes(
        queued.collection, policy: try await policy(for: name, address))
      let results = await collection.refetch([claim.record]) { [sources] missing in
        var fetched: [String: Fetched<[UInt8]>] = [:]
        for previous in missing {
          fetched[previous.key] = try await sources.fetch(address, previous: previous)
        }
        return fetched
      }
      // Where nothing was asked, for want of a network, it keeps its place.
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
        // What was fetched and is not kept is as due as before.
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

    /// As `get` without options has it.
    private func policy(for name: RecordName, _ address: String) async throws -> Policy {
      var policy = Policy()
      policy.reachability = try await FreshnessOptions.handling(of: name, sources.proxies)
      policy.origin = name.url?.origin
      policy.hardTimeout = Self.timeout + .seconds(1)
      policy.acceptsVariant = { [sources] in sources.selects(variant: $0, at: address) }
      return policy
    }

    private static func hasURL(_ source: String?) -> Bool { source.map(URLText.isURL) ?? false }

    private static func name(of record: QueuedRecord) -> [UInt8] {
      Array((record.collection + "\0" + record.key).utf8)
    }
  }
#endif
