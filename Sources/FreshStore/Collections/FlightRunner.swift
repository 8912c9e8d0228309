internal import Strategies
internal import Synchronization

/// Runs one flight: takes the leases, asks the source, stores the result, and delivers it to all
/// waiters.
struct FlightRunner<Value: Sendable>: Sendable {
  typealias Outcome = Flight<Value>.Outcome

  let collection: RecordCollection<Value>
  let policy: Policy
  let fetch: @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  let flight: Flight<Value>
  /// The copies at the start of the flight.
  let copies: [String: JudgedCopy<Value>]
  /// The number of the store's sequence when the first of its requests began. It is `nil` where the number is not
  /// known, or leases were taken before.
  let begun: Int64?

  private var store: Store { collection.store }

  /// Fetches the keys as their leases become free; returns when every key has its outcome.
  ///
  /// The policy bounds the total wait for other holders of the leases.
  func run(_ keys: [String], waitingUntil end: Duration? = nil) async {
    let end = end ?? .milliseconds(store.now().sinceBoot) + policy.waitingLimit
    let claims: Claims
    do throws(StoreError) {
      claims = try await claim(keys)
    } catch {
      if case .wiped = error.code {
        // The source would answer the user of the session before the wipe.
        for key in keys { deliver(.wiped(error), key) }
        return
      }
      // A store that cannot be written can still be read: a hold or a pause in it counts.
      if let refusal = await refusalToAsk(keys, copies, isNoted: false) {
        for key in keys { deliver(.failed(refusal), key) }
        return
      }
      // Without the store, duplicate fetches cannot be prevented; the callers still get a value. Later callers get
      // none, because marks and wipes from now on are not known.
      let landing = FlightLanding(
        runner: self, leases: [:], copies: copies, part: .none, storeFailure: error)
      let attempt = await askSource(previous(keys, copies), leases: [], .none)
      if let originGuard {
        store.unwrittenBreakers.note(attempt.verdict, at: originGuard, now: attempt.end)
      }
      await landing.land(keys, attempt)
      return
    }
    for (key, found) in claims.settled {
      deliver(found.outcome, key, askedAt: found.fence, isOutdated: true)
    }
    guard !claims.held.isEmpty else { return await fetchUnderLeases(claims, until: end) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await fetchUnderLeases(claims, until: end) }
      group.addTask {
        let wait = await store.waitForRelease(of: claims.held, in: collection.name, until: end)
        switch wait {
        case .timeIsUp:
          for key in claims.held {
            deliver(.failed(.isFetchedElsewhere(policy.waitingLimit)), key)
          }
        // No caller waits any more: claiming again would ask without a pause.
        case _ where Task.isCancelled:
          for key in claims.held { deliver(.failed(.cancelled), key) }
        // The next claim reports the store's failure.
        case .released, .unknown: await run(claims.held, waitingUntil: end)
        }
      }
    }
  }

  // MARK: Leases

  /// The keys that this flight may fetch, the keys that other owners are fetching, and the outcomes of the other keys.
  private struct Claims {
    var leases: [String: Lease] = [:]
    var copies: [String: JudgedCopy<Value>] = [:]
    var held: [String] = []
    /// The outcomes that need no fetch, with the number of the read that found each: a later request reads again.
    var settled: [String: (outcome: Outcome, fence: Int64)] = [:]
  }

  private func claim(_ keys: [String]) async throws(StoreError) -> Claims {
    if !store.owed.isEmpty { try await store.giveBackOwed() }
    let now = store.now()
    let claimed = try await store.queue.run {
      [store, begun, name = collection.name] () throws(StoreError) in
      try store.storage.claim(
        name, keys.sorted(), owner: store.owner, for: store.configuration.leaseDuration,
        begun: begun, now: now)
    }
    let answers = try await joined(claimed)
    var claims = Claims()
    var needless: [Lease] = []
    for (key, answer) in answers {
      switch answer.claim {
      case .held(let owner, _):
        store.report(.waitedForLease(collection: collection.name, key: key, owner: owner))
        claims.held.append(key)
      case .granted(let lease):
        let examined = collection.examine(key, answer.record, SharedPolicy(policy), now: now)
        if let outcome = settled(examined, now: now) {
          claims.settled[key] = (outcome, lease.fence)
          needless.append(lease)
        } else {
          claims.leases[key] = lease
          claims.copies[key] = examined
        }
      }
    }
    if let oldest = claims.leases.values.map(\.fence).min() {
      // Keys that become free later have newer leases; the flight is as old as its first lease.
      _ = flight.fence.compareExchange(expected: 0, desired: oldest, ordering: .relaxed)
    }
    await release(needless)
    return claims
  }

  private typealias Claimed = [String: (claim: Storage.Claim, record: StoredRecord?)]

  /// The answers, complete with the values that lie in blocks.
  private func joined(_ answers: Claimed) async throws(StoreError) -> Claimed {
    guard answers.values.contains(where: { $0.record?.content.blocks != nil }) else {
      return answers
    }
    do throws(StoreError) {
      // The read has a queue of its own: neither writes nor the renewal of leases may wait for long values.
      return try await WorkQueue(taskClock: store.configuration.taskClock).run {
        [store, name = collection.name] () throws(StoreError) in
        try store.storage.joined(answers, of: name)
      }
    } catch {
      await release(
        answers.values.compactMap { answer in
          if case .granted(let lease) = answer.claim { lease } else { nil }
        })
      throw error
    }
  }

  /// The result of another owner since the caller's read; `nil` when a fetch is still needed.
  private func settled(
    _ examined: JudgedCopy<Value>, now: ClockReading
  ) -> Outcome? {
    let isNew = isNews(examined)
    switch examined.decision.outcome {
    case .offline where policy.mode.needsSource: break
    // A local write does not come from the source.
    case _ where policy.mode.needsSource && examined.decision.isLocalWrite: break
    case .fresh, .offline:
      if isNew, let record = examined.record, let value = examined.value {
        return .found(record, value, isFresh: examined.decision.outcome == .fresh)
      }
    case .absent:
      if isNew {
        return .absent(variant: examined.record?.content.variant, found: examined.record)
      }
    case .stale, .unusable, .missing: break
    }
    // Another owner has failed since the caller's look. If every caller in every process asked again at once, they
    // would call the source in turn. The caller knew of an earlier failure.
    let before = copies[examined.key]?.record
    let hasFailed =
      examined.record?.nextAttempt != before?.nextAttempt
      || examined.record?.failures != before?.failures
    let next = Backoff.end(
      examined.record?.nextAttempt, at: now.wall, maximum: policy.maximumRetryPause)
    guard policy.heedsPauses, hasFailed, let next else { return nil }
    return .failed(
      FetchFailure(
        .pausing(until: next),
        "another owner's fetch failed (\(examined.record?.failure ?? "no reason kept")); the next "
          + "attempt is due at \(next)"))
  }

  /// True when the record came after the caller's own look.
  ///
  /// For a caller that always asks, it is true when the source was asked after the caller came.
  private func isNews(_ examined: JudgedCopy<Value>) -> Bool {
    if policy.mode.asksAlways {
      guard let begun, let record = examined.record else { return false }
      return record.epoch > begun
    }
    // The first copy after a removal may have the number of an older failure's note.
    guard let copy = copies[examined.key], let record = copy.record, record.kind != .unfetched,
      copy.decision.isServable
    else { return true }
    // The copy may be served, but is to be fetched again as long as it is unchanged.
    return record.edition != examined.record?.edition
  }

  func release(_ leases: [Lease]) async {
    guard !leases.isEmpty else { return }
    do throws(StoreError) {
      try await store.returnClaims(leases: leases)
    } catch {
      // The leases stay unreturned: the next claim returns them first.
      store.report(.notStored(error))
    }
  }

  // MARK: The fetch

  private func fetchUnderLeases(_ claims: Claims, until end: Duration) async {
    await run(leases: Array(claims.leases.values), copies: claims.copies, waitingUntil: end)
  }

  /// Fetches keys whose leases are held, from the fleet or from the source; returns when every key has its
  /// outcome.
  func run(
    leases: [Lease], copies: [String: JudgedCopy<Value>], waitingUntil end: Duration? = nil
  ) async {
    guard !leases.isEmpty else { return }
    guard let fleet = store.fleet else {
      return await fetchFromSource(leases: leases, copies: copies, .none)
    }
    let began = store.now()
    let flight = FleetFlight(
      runner: self, fleet: fleet, copies: copies,
      end: end ?? .milliseconds(began.sinceBoot) + policy.waitingLimit, began: began)
    await flight.run(leases)
  }

  /// Asks the source for keys whose leases are held; returns when every key has its outcome.
  func fetchFromSource(
    leases: [Lease], copies: [String: JudgedCopy<Value>], _ part: FleetPart
  ) async {
    let keys = leases.map(\.key)
    if let refusal = await refusalToAsk(keys, copies) {
      part.releaseAll(reporting: store)
      await release(leases)
      for key in keys { deliver(.failed(refusal), key, alone: part.obstacle) }
      return
    }
    let byKey = Dictionary(leases.map { ($0.key, $0) }) { first, _ in first }
    let landing = FlightLanding(
      runner: self, leases: byKey, copies: copies, part: part, storeFailure: nil)
    await landing.land(keys, await askSource(previous(keys, copies), leases: leases, part))
  }

  private func previous(
    _ keys: [String], _ copies: [String: JudgedCopy<Value>]
  ) -> [Previous<Value>] {
    keys.map { copies[$0]?.previous ?? Previous(key: $0) }
  }

  /// The reason why the origin must not be asked now; `nil` when it may be.
  ///
  /// - Parameter isNoted: False where the attempt cannot be noted.
  private func refusalToAsk(
    _ keys: [String], _ copies: [String: JudgedCopy<Value>], isNoted: Bool = true
  ) async -> FetchFailure? {
    let canWait = keys.allSatisfy { key in
      copies[key].map { policy.mayStandIn($0.decision) } ?? false
    }
    return await call.refusal(for: .init(canWait: canWait), isNoted: isNoted)
  }

  private var call: SourceCall { SourceCall(of: collection.name, in: store, by: policy) }

  var originGuard: OriginGuard? { call.source.origin }

  /// The source's answer as admitted by the rules, with the times of request and answer.
  struct Attempt: Sendable {
    let answers: [String: Result<Fetched<Value>, FetchFailure>]
    let start: ClockReading
    let end: ClockReading

    /// The duration of the source's answer.
    var duration: Duration { .milliseconds(end.sinceBoot - start.sinceBoot) }

    /// The clock of the stated last update; `nil` when none is stated.
    func statedAt(_ details: FetchDetails) -> ClockReading? {
      details.lastUpdate == nil ? nil : end
    }

    /// The verdict of all answers on the origin.
    var verdict: OriginVerdict {
      OriginVerdict(
        of: answers.values.map { answer in
          if case .failure(let failure) = answer { failure.verdict } else { .answered }
        })
    }

    /// The failure when all waiters have gone, or no user is signed in; `nil` otherwise.
    var failureWithoutVerdict: FetchFailure? {
      for case .failure(let failure) in answers.values where failure.isNoVerdict {
        return failure
      }
      return nil
    }
  }

  private func askSource(
    _ previous: [Previous<Value>], leases: [Lease], _ part: FleetPart
  ) async -> Attempt {
    let keys = previous.map(\.key)
    var call = call
    (call.leases, call.part) = (leases, part)
    let nested = NestedFetch(of: keys, in: collection, by: flight)
    flight.hasAsked.store(true, ordering: .releasing)
    return await call.renewing { [call] in
      let attempt = await call.run(reporting: keys) { [fetch] in
        try await NestedFetch.$current.withValue(nested) { try await fetch(previous) }
      }
      let answers = await collection.admitted(
        attempt.result, for: keys, limit: policy.hardTimeout)
      return Attempt(answers: answers, start: attempt.asked, end: attempt.answered)
    }
  }

  /// Removes the key from the table, so that later callers read the store, and notifies the
  /// waiters.
  func deliver(
    _ outcome: Outcome, _ key: String, askedAt number: Int64? = nil, isOutdated: Bool = false,
    alone obstacle: StoreError? = nil
  ) {
    collection.flights.land(flight, key)
    flight.deliver(
      Flight.Delivery(
        outcome: outcome, request: number, isOutdated: isOutdated, obstacle: obstacle), for: key)
  }
}
