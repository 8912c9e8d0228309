internal import Strategies

extension Pusher {
  /// One answer of the source as admitted by the rules; `nil` when the claim is gone.
  func admitted(
    _ fetched: Fetched<Value>, _ claim: OutboxClaim
  ) async throws(StoreError) -> Result<Fetched<Value>, FetchFailure>? {
    guard try await holdForRules(claim) else { return nil }
    let key = claim.key
    let answers = await collection.admitted(
      .success([key: fetched]), for: [key], limit: policy.hardTimeout)
    return answers[key] ?? .failure(.notAnswered(key))
  }

  /// Extends the claim while rules are awaited, which may take as long as the push did; false when
  /// it is gone.
  func holdForRules(_ claim: OutboxClaim) async throws(StoreError) -> Bool {
    guard collection.awaitsRules else { return true }
    let (now, holding) = (store.now(), holding)
    return try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.holdPush(claim, for: holding, note: nil, now: now)
    } != nil
  }

  /// The write waits for another attempt.
  ///
  /// - Parameter isOutdated: True when the failure is that of a network which another has replaced: over
  ///   that one the write is sent at once.
  func deferred(
    _ claim: OutboxClaim, _ failure: FetchFailure, isOutdated: Bool = false
  ) async throws(StoreError) -> Outcome {
    guard failure.code != .cancelled, !isOutdated else {
      return try await settle(claim, .deferred(failure.message, pause: nil), origin: nil)
    }
    guard failure.code != .held else {
      let outcome = try await settle(claim, .held(failure.message), origin: nil)
      guard case .deferred(let until, let reason, nil) = outcome else { return outcome }
      return .deferred(until: until, reason: reason, failure: failure)
    }
    let (limits, growing) = (limits, growingPause)
    let pause: @Sendable (Int) -> FailurePause = { attempts in
      failure.pause(own: growing(attempts))
    }
    let outcome = try await settle(
      claim, .deferred(failure.message, pause: pause, end: { limits.end($0, at: $1) }),
      origin: note(failure.verdict))
    guard case .deferred(let until, let reason, nil) = outcome else { return outcome }
    return .deferred(until: until, reason: reason, failure: failure)
  }

  /// The write of another version of the program waits for one that can read it, and shows why.
  func waits(
    _ claim: OutboxClaim, _ error: ValueOfOtherFormat
  ) async throws(StoreError) -> Outcome {
    let pause = FailurePause(named: nil, own: policy.maximumRetryPause)
    return try await settle(
      claim, .deferred("it waits: \(error)", pause: { _ in pause }), wasSent: false, origin: nil)
  }

  /// The policy's pause after that many consecutive failures, or conflicts.
  var growingPause: @Sendable (Int) -> Duration {
    let random = store.configuration.random()
    let backoff = Backoff(base: policy.retryPause, maximum: policy.maximumRetryPause)
    return { backoff.pause(afterFailures: $0, random: random) }
  }

  func note(_ verdict: OriginVerdict) -> Storage.OriginNote? {
    if case .failed = verdict, !blames() { return nil }
    return source.origin.map { Storage.OriginNote(origin: $0, verdict: verdict) }
  }

  /// Stores the settlement, and notifies observers and reporter.
  func settle(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, wasSent: Bool = true,
    shown: Storage.Shown? = nil, value: Value? = nil, origin: Storage.OriginNote?
  ) async throws(StoreError) -> Outcome {
    let now = store.now()
    let settled = try await store.pushCommits.run { [store] (connection) throws(SQLiteError) in
      try store.storage.settle(
        claim, settlement, wasSent: wasSent, shown: shown, note: origin, now: now, connection)
    }
    switch settled {
    case .superseded(let isStale):
      if isStale { publish(.marked, claim) }
      return .superseded
    case .outdated(let until):
      return .deferred(
        until: until, reason: "something was written while it was resolved", failure: nil)
    case .done(let write, let fallen, let freed, let isBeneath, let isStale):
      defer {
        if isStale { publish(.marked, claim) }
        for record in freed {
          store.hub.publish(
            Change(kind: .resumed, collection: record.collection, key: record.key))
        }
      }
      return try await told(
        claim, settlement, write, fallen, isBeneath: isBeneath, value: value, now: now)
    }
  }

  private func told(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, _ write: StoredWrite,
    _ fallen: [StoredWrite], isBeneath: Bool, value: Value?, now: ClockReading
  ) async throws(StoreError) -> Outcome {
    let entry = write.entry(at: now)
    let fallen = fallen.map { $0.entry(at: now) }
    switch settlement {
    case .accepted:
      publish(.pushed, claim, .init(write.id))
      store.report(.pushed(entry))
      return .accepted(value)
    case .remote(let state):
      if isBeneath {
        publish(.restored, claim, .init(write.id))
      } else {
        publish(state.change, claim)
      }
      store.report(.discarded(fallen))
      return .discarded(fallen)
    case .rewritten:
      publish(.written, claim, .init(write.id))
      store.report(.rewritten(entry, inPlaceOf: fallen))
      guard let again = OutboxClaim(write) else {
        let reason = "what takes its place goes to another address"
        return .deferred(until: now.wall, reason: reason, failure: nil)
      }
      return try await giving(back: again) { () async throws(StoreError) in
        try await attempt(again, size: entry.size, resolves: false)
      }
    case .versioned(_, let resolves):
      return try await attempt(claim, size: entry.size, resolves: resolves)
    case .parked, .deferred, .held, .contested:
      let reason = write.failure ?? ""
      guard !write.isParked else {
        publish(.parked, claim, write.news)
        store.report(.parked(entry, reason: reason))
        return .parked(reason)
      }
      let until = write.nextAttempt ?? now.wall
      publish(.deferred, claim, write.news)
      store.report(.deferred(entry, until: until, reason: reason))
      return .deferred(until: until, reason: reason, failure: nil)
    }
  }

  private func publish(
    _ kind: Change.Kind, _ claim: OutboxClaim, _ write: Change.Write? = nil
  ) {
    if kind != .deferred, kind != .parked {
      store.closeFlights(claim.collection) { $0.hasSameBytes(as: claim.key) }
    }
    store.hub.publish(
      Change(kind: kind, collection: claim.collection, key: claim.key, write: write))
  }
}
