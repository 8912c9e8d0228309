internal import Rules
internal import Strategies

/// The end of a flight: the source's answer is admitted, stored and delivered.
struct FlightLanding<Value: Sendable>: Sendable {
  typealias Outcome = Flight<Value>.Outcome

  let runner: FlightRunner<Value>
  let leases: [String: Lease]
  let copies: [String: JudgedCopy<Value>]
  /// The fleet's leases that the flight holds.
  let part: FleetPart
  /// The reason why nothing can be stored; `nil` when the leases are held.
  let storeFailure: StoreError?

  private var collection: RecordCollection<Value> { runner.collection }
  private var store: Store { runner.collection.store }

  /// The source's result for one key, before and after it was stored.
  private struct Arrival: Sendable {
    let key: String
    var result: Storage.Result?
    /// The outcome for callers when the store keeps nothing of the result.
    var unstored: Outcome
    var value: Value?
    var isRevalidated = false

    /// True for an answer that may not be stored.
    var isUnstorable: Bool {
      if case .unstorable? = result { true } else { false }
    }
  }

  func land(_ keys: [String], _ attempt: FlightRunner<Value>.Attempt) async {
    if let failure = attempt.failureWithoutVerdict {
      // The failure says nothing about the source: no caller waits any more, or no user is signed in.
      part.releaseAll(reporting: store)
      await runner.release(Array(leases.values))
      for key in keys { runner.deliver(.failed(failure), key, alone: part.obstacle) }
      return
    }
    let now = store.now()
    let base = runner.policy.ageBase == .request ? attempt.start : attempt.end
    let updated = base.wall(at: now)
    let arrivals = keys.map { arrival($0, attempt, updated: updated) }
    let completions = await complete(arrivals, now: now)
    for arrival in arrivals {
      runner.deliver(
        outcome(arrival, completions), arrival.key,
        askedAt: leases[arrival.key]?.fence ?? runner.begun ?? Flight<Value>.unknownNumber,
        isOutdated: isOutdated(arrival.key, completions), alone: part.obstacle)
    }
    if !part.leases.isEmpty { share(arrivals, completions) }
    if part.fleet != nil, part.obstacle == nil { tellFleet(of: attempt) }
  }

  // MARK: The fleet

  /// The store's completion of each result, by key.
  private typealias Completions = [String: Result<Storage.Completion, StoreError>]

  /// Hands the results on to the fleet in the background: no caller waits for it.
  private func share(
    _ arrivals: [Arrival], _ completions: Completions
  ) {
    var landings: [SharedLanding.Landing] = []
    for arrival in arrivals {
      guard let lease = part.leases[arrival.key] else { continue }
      switch completions[arrival.key] {
      // A record that only a mark of this host covers would be fresh on all other hosts.
      case .success(.stored(let record)) where !record.isMarkedHere:
        landings.append((lease, record))
      // No other host can use the answer, and the hosts would wait for one another.
      case .success(.noted) where arrival.isUnstorable: landings.append((lease, nil))
      default: part.release([lease], pausing: pause(after: arrival), reporting: store)
      }
    }
    guard let fleet = part.fleet, !landings.isEmpty else { return }
    let landing = SharedLanding(
      store: store, fleet: fleet, landings: landings, heard: part.heard)
    fleet.call { await landing.run() }
  }

  /// Tells the fleet the verdict on the origin.
  private func tellFleet(of attempt: FlightRunner<Value>.Attempt) {
    let verdicts = attempt.answers.values.map { answer -> OriginVerdict in
      guard case .failure(let failure) = answer else { return .answered }
      return failure.verdictForFleet
    }
    store.tellFleet(OriginVerdict(of: verdicts), of: runner.originGuard)
  }

  /// The pause of a key for the whole fleet; `nil` where the source is not to blame, or did not answer.
  ///
  /// A missing answer may be due to this host only.
  private func pause(after arrival: Arrival) -> SharedPause? {
    guard case .failed(let note) = arrival.result, case .failed(let failure) = arrival.unstored,
      !failure.isUnreachable
    else { return nil }
    if case .unknown = note.verdict { return nil }
    let failures = copies[arrival.key]?.record?.failures ?? 0
    return SharedPause(note.pause(Int(failures.oneMore)).duration, reason: note.message)
  }

  // MARK: Admission

  private func arrival(
    _ key: String, _ attempt: FlightRunner<Value>.Attempt, updated: Timestamp
  ) -> Arrival {
    switch attempt.answers[key] ?? .failure(.notAnswered(key)) {
    case .failure(let failure): return failed(key, failure)
    case .success(.value(let value, let details)):
      return arrived(key, value, details, attempt, updated: updated)
    case .success(.notModified(let details)):
      return confirmed(key, details, attempt, updated: updated)
    case .success(.gone(let details)):
      guard details.isStorable else {
        let result = Storage.Result.unstorable(
          reason: "the source forbids storing that it does not exist", tags: details.tags)
        return Arrival(
          key: key, result: result, unstored: .absent(variant: details.variant, found: nil))
      }
      let expiry = details.expiry(orOfPolicy: runner.policy.negativeExpiry ?? .immediately)
      var content = content(key, details, expiry: expiry, updated: updated)
      content.validators = Validators()
      let write = Storage.Write(
        content: content, kind: .absent, tags: details.tags, statedAt: attempt.statedAt(details))
      return Arrival(
        key: key, result: .value(write, seen: copies[key]?.record?.edition),
        unstored: .absent(variant: details.variant, found: nil))
    }
  }

  private func failed(_ key: String, _ failure: FetchFailure) -> Arrival {
    let note = Storage.Failure(
      failure, policy: runner.policy, random: store.configuration.random())
    return Arrival(key: key, result: .failed(note), unstored: .failed(failure))
  }

  private func arrived(
    _ key: String, _ value: Value, _ details: FetchDetails,
    _ attempt: FlightRunner<Value>.Attempt, updated: Timestamp
  ) -> Arrival {
    guard details.isStorable else { return forbidden(key, value, details) }
    do throws(StoreError) {
      let bytes = try collection.encoded(value, key, .complete)
      var content = content(key, details, expiry: expiry(details), updated: updated)
      content.value = bytes
      content.fetchCost = attempt.duration.wholeMilliseconds
      let write = Storage.Write(
        content: content, tags: details.tags, statedAt: attempt.statedAt(details))
      return Arrival(
        key: key, result: .value(write, seen: copies[key]?.record?.edition),
        unstored: .unstored(
          value, details, storeFailure ?? collection.error(.superseded, .complete, key)),
        value: value)
    } catch {
      store.report(.notStored(error))
      let reason = "the source's present value could not be stored"
      return Arrival(
        key: key, result: .unstorable(reason: reason, tags: details.tags),
        unstored: .unstored(value, details, error))
    }
  }

  /// The arrival of a value that is delivered and not kept.
  private func forbidden(_ key: String, _ value: Value, _ details: FetchDetails) -> Arrival {
    let reason = "the source forbids storing its present value"
    return Arrival(
      key: key, result: .unstorable(reason: reason, tags: details.tags),
      unstored: .unstored(value, details, nil))
  }

  private func confirmed(
    _ key: String, _ details: FetchDetails, _ attempt: FlightRunner<Value>.Attempt,
    updated: Timestamp
  ) -> Arrival {
    guard let copy = copies[key], let record = copy.record, let value = copy.value,
      // The source was not asked about a local write that it does not have.
      !copy.decision.isLocalWrite
    else {
      return failed(key, .notModifiedWithoutCopy)
    }
    guard details.isStorable else { return forbidden(key, value, details) }
    var content = content(key, details, expiry: expiry(details), updated: updated)
    content.fetchCost = attempt.duration.wholeMilliseconds
    (content.codec, content.contentVersion) = (record.content.codec, record.content.contentVersion)
    if details.validators.isEmpty { content.validators = record.content.validators }
    content.keepSource(of: details, over: record.content)
    content.contentType = details.contentType ?? record.content.contentType
    content.variant = details.variant ?? record.content.variant
    content.metadata = details.metadata ?? record.content.metadata
    return Arrival(
      key: key,
      result: .renewed(
        content, of: record, tags: details.tags, statedAt: attempt.statedAt(details)),
      unstored: .unstored(value, details, collection.error(.superseded, .complete, key)),
      value: value, isRevalidated: true)
  }

  private func content(
    _ key: String, _ details: FetchDetails, expiry: Expiry, updated: Timestamp
  ) -> RecordContent {
    var content = collection.content(key, details, expiry: expiry)
    content.lastUpdate = content.lastUpdate ?? updated
    return content
  }

  private func expiry(_ details: FetchDetails) -> Expiry {
    runner.policy.expiry(of: details, random: store.configuration.random)
  }

  // MARK: Storing

  private func complete(
    _ arrivals: [Arrival], now: ClockReading
  ) async -> Completions {
    if let storeFailure {
      return Dictionary(arrivals.map { ($0.key, .failure(storeFailure)) }) { first, _ in first }
    }
    let results = arrivals.compactMap { arrival -> (lease: Lease, result: Storage.Result)? in
      guard let lease = leases[arrival.key], let result = arrival.result else { return nil }
      return (lease, result)
    }
    let verdicts = results.map { entry -> OriginVerdict in
      if case .failed(let failure) = entry.result { failure.verdict } else { .answered }
    }
    return await complete(
      results, noting: runner.originGuard.map { ($0, OriginVerdict(of: verdicts)) }, now: now)
  }

  private func complete(
    _ results: [(lease: Lease, result: Storage.Result)],
    noting verdict: (origin: OriginGuard, verdict: OriginVerdict)?, now: ClockReading
  ) async -> Completions {
    do throws(StoreError) {
      return try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.complete(results, noting: verdict, now: now)
      }.mapValues { .success($0) }
    } catch {
      var completions: Completions = [:]
      guard results.count > 1, !error.code.isOfAll else {
        store.report(.notStored(error))
        // The file does not know that the source fails: this process must.
        if let verdict {
          store.unwrittenBreakers.note(verdict.verdict, at: verdict.origin, now: now)
        }
        await runner.release(results.map(\.lease))
        for (lease, _) in results { completions[lease.key] = .failure(error) }
        return completions
      }
      // Nothing is stored. Now each result is stored by itself, so that a value without room costs no other result. The
      // origin is noted once.
      var verdict = verdict
      for result in results {
        let completion = await complete([result], noting: verdict, now: now)
        if case .success = completion[result.lease.key] { verdict = nil }
        completions.merge(completion) { first, _ in first }
      }
      return completions
    }
  }

  private func outcome(
    _ arrival: Arrival, _ completions: Completions
  ) -> Outcome {
    switch completions[arrival.key] {
    case .success(.stored(let record)):
      guard let value = arrival.value else { return arrival.unstored }
      return .stored(record, value, isRevalidated: arrival.isRevalidated)
    case .success(.pending):
      return arrival.unstored.blaming(collection.error(.pendingWrite, .complete, arrival.key))
    case .failure(let error):
      return arrival.unstored.blaming(error)
    case .success(.superseded), .success(.noted), nil:
      return arrival.unstored
    }
  }

  /// True when the answer may be older than a later mark or value. Of several marks, the store only knows that one
  /// covers the answer.
  private func isOutdated(
    _ key: String, _ completions: Completions
  ) -> Bool {
    switch completions[key] {
    case .success(.stored(let record)): record.mark != nil
    case .success(.noted(let isCovered)): isCovered
    // The record was put, pushed or removed meanwhile.
    case .success(.superseded), .success(.pending): true
    // The marks that were set meanwhile were not checked.
    case nil, .failure: true
    }
  }
}

extension Flight.Outcome {
  /// This outcome with the store's failure beside its value.
  fileprivate func blaming(_ error: StoreError) -> Flight.Outcome {
    guard case .unstored(let value, let details, _) = self else { return self }
    return .unstored(value, details, error)
  }
}
