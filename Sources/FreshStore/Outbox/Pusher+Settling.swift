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

  /// Extends the claim while rules are awaited; false when the claim is gone. The rules may take as long as the push
  /// did.
  func holdForRules(_ claim: OutboxClaim) async throws(StoreError) -> Bool {
    guard collection.awaitsRules else { return true }
    let (now, holding) = (store.now(), holding)
    return try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.holdPush(claim, for: holding, note: nil, now: now)
    } != nil
  }

  /// Lets the write wait for another attempt.
  ///
  /// - Parameters:
  ///   - isOutdated: True when the failure comes from a network that another one has replaced: over the new network the
  ///     write is sent at once.
  ///   - wasSent: False when nothing was sent, because the failure comes from a resolution.
  func deferred(
    _ claim: OutboxClaim, _ failure: FetchFailure, isOutdated: Bool = false, wasSent: Bool = true
  ) async throws(StoreError) -> Outcome {
    guard failure.code != .cancelled, !isOutdated else {
      return try await settle(claim, .givenUp(failure.message), wasSent: wasSent, origin: nil)
    }
    guard failure.code != .held else {
      let outcome = try await settle(claim, .held(failure.message), wasSent: false, origin: nil)
      guard case .deferred(let until, let reason, nil) = outcome else { return outcome }
      return .deferred(until: until, reason: reason, failure: failure)
    }
    let (limits, growing) = (limits, growingPause)
    let pause: @Sendable (Int) -> FailurePause = { attempts in
      failure.pause(own: growing(attempts))
    }
    let outcome = try await settle(
      claim,
      .deferred(
        failure.message, pause: pause, end: { limits.end($0, at: $1) },
        suspects: failure.mayBeOfTheWrite),
      wasSent: wasSent,
      origin: wasSent ? note(failure.verdict, shared: failure.verdictForFleet) : nil)
    guard case .deferred(let until, let reason, nil) = outcome else { return outcome }
    return .deferred(until: until, reason: reason, failure: failure)
  }

  /// The policy's pause after a number of consecutive failures or conflicts, and at least a short pause.
  ///
  /// The policy may have no pause, or chance may make it very short. Then a write of high priority that keeps failing
  /// would leave no turn to other writes.
  var growingPause: @Sendable (Int) -> Duration {
    let random = round?.chance ?? store.configuration.random()
    let backoff = Backoff(base: policy.retryPause, maximum: policy.maximumRetryPause)
    let least = Backoff(base: .milliseconds(100), maximum: .seconds(1))
    return { count in
      max(backoff.pause(afterFailures: count, random: random), least.longest(count - 1))
    }
  }

  /// - Parameter shared: The verdict for the other hosts of a fleet, where it differs.
  func note(_ verdict: OriginVerdict, shared: OriginVerdict? = nil) -> Storage.OriginNote? {
    if case .failed = verdict, !blames() { return nil }
    return source.origin.map {
      Storage.OriginNote(origin: $0, verdict: verdict, verdictForFleet: shared ?? verdict)
    }
  }

  /// Stores the settlement, and notifies observers and reporter.
  func settle(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, wasSent: Bool = true,
    shown: Storage.Shown? = nil, value: Value? = nil, origin: Storage.OriginNote?
  ) async throws(StoreError) -> Outcome {
    var now = store.now()
    if let round, case .deferred = settlement { now = round.moment(at: now) }
    let settled = try await store.pushCommits.run { [store, now] (connection) throws(SQLiteError) in
      try store.storage.settle(
        claim, settlement, wasSent: wasSent, shown: shown, inFleet: store.fleet != nil,
        note: origin,
        now: now, connection)
    }
    if let origin { store.tellFleet(origin.verdictForFleet, of: origin.origin) }
    switch (settlement, settled) {
    case (.accepted, _), (.remote, _), (.rewritten, _), (_, .superseded): shareMark()
    default: break
    }
    switch settled {
    case .superseded:
      closeFlights(of: claim)
      return .superseded
    case .outdated(let write):
      return deferred(claim, write, until: nil, because: StoredWrite.outdated, at: now)
    case .done(let write, let fallen, let isBeneath):
      return try await told(
        claim, settlement, write, fallen: fallen, isBeneath: isBeneath, value: value, now: now)
    }
  }

  /// Starts the delivery of the mark by which the other hosts learn of the source's new state.
  ///
  /// No caller waits for it. While the shared tier is out of reach, the mark is kept.
  private func shareMark() {
    guard let fleet = store.fleet else { return }
    store.catchUpSoon(with: fleet)
  }

  /// Notifies the reporter of a settlement, and sends the write that remains to be sent.
  func told(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, _ write: StoredWrite,
    fallen: [StoredWrite] = [], isBeneath: Bool = false, value: Value? = nil, now: ClockReading
  ) async throws(StoreError) -> Outcome {
    let entry = write.entry(at: now)
    let fallen = fallen.map { $0.entry(at: now) }
    switch settlement {
    case .accepted:
      store.outcomes.note([write.id] + write.merged, .accepted)
      closeFlights(of: claim)
      store.report(.pushed(entry))
      return .accepted(value)
    case .remote:
      store.outcomes.note(fallen.map(\.id), .discarded)
      closeFlights(of: claim)
      store.report(.discarded(fallen))
      return .discarded(fallen)
    case .rewritten:
      closeFlights(of: claim)
      store.report(.rewritten(entry, inPlaceOf: fallen))
      guard let again = OutboxClaim(write) else {
        let reason = "what takes its place goes to another address"
        return .deferred(until: now.wall, reason: reason, failure: nil)
      }
      return try await giving(back: again) { () async throws(StoreError) in
        try await attemptAgain(again, size: entry.size, resolves: false)
      }
    case .versioned(_, let resolves):
      return try await attemptAgain(claim, size: entry.size, resolves: resolves)
    case .unread(let reason):
      let until = store.unread.note(write.id, for: policy.maximumRetryPause, at: now)
      return deferred(claim, write, until: until, because: reason, at: now)
    case .parked, .deferred, .held, .givenUp, .contested:
      let reason = write.failure ?? ""
      guard write.isParked else {
        return deferred(claim, write, until: nil, because: reason, at: now)
      }
      store.report(.parked(entry, reason: reason))
      return .parked(reason)
    }
  }

  /// Reports a write that is sent again; without `until`, at the time that the write itself shows.
  private func deferred(
    _ claim: OutboxClaim, _ write: StoredWrite, until: Timestamp?, because reason: String,
    at now: ClockReading
  ) -> Outcome {
    let until = until ?? write.nextAttempt ?? now.wall
    store.report(.deferred(write.entry(at: now), until: until, reason: reason))
    return .deferred(until: until, reason: reason, failure: nil)
  }

  /// Closes the running fetches of a write's record: they were asked about an earlier state.
  private func closeFlights(of claim: OutboxClaim) {
    store.closeFlights(claim.collection) { $0.hasSameBytes(as: claim.key) }
  }
}

extension ValueOfOtherFormat {
  /// The text that a local write shows while it waits for a program that can read it.
  var waiting: String { "it waits: \(self)" }
}

extension FetchFailure {
  /// True when another write in the same request may be sent without this one.
  ///
  /// The origin is not to blame and has not asked for a pause, and the request reached it.
  fileprivate var mayBeOfTheWrite: Bool {
    guard !blamesOrigin, !isUnreachable, retryAfter == nil, case .answered = verdict else {
      return false
    }
    return true
  }
}
