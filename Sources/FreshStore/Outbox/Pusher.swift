internal import Rules
internal import Strategies

/// Pushes local writes to their source, one after the other.
struct Pusher<Value: Sendable>: Sendable {
  typealias Outcome = PushOutcome<Value>

  let collection: RecordCollection<Value>
  let policy: Policy
  let conflicts: ConflictPolicy<Value>
  let push: @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>

  var store: Store { collection.store }

  func outcome(of claim: OutboxClaim) async throws(StoreError) -> Outcome {
    try await giving(back: claim) { () async throws(StoreError) in
      try await outcome(claimed: claim)
    }
  }

  /// A claim belongs to the step for which it was taken: a step that ends without settling it gives it
  /// back.
  private func giving(
    back claim: OutboxClaim, _ step: () async throws(StoreError) -> Outcome
  ) async throws(StoreError) -> Outcome {
    do throws(StoreError) {
      return try await step()
    } catch {
      do throws(StoreError) {
        try await store.owed.giveBack(writes: [claim], to: store.storage, on: store.queue)
      } catch {
        // The claim stays owed; the first failure shows the cause.
      }
      throw error
    }
  }

  private func outcome(claimed claim: OutboxClaim) async throws(StoreError) -> Outcome {
    if let reason = try await obstacle() {
      return try await settle(
        claim, .deferred(reason.words, pause: reason.pause), wasSent: false, origin: nil)
    }
    return try await attempt(claim, resolves: true)
  }

  // MARK: Before anything is sent

  private struct Obstacle {
    let words: String
    /// Lets the writes of other sources go first.
    var pause: (@Sendable (Int) -> Duration)?
  }

  /// The reason why nothing may be sent now; `nil` when it may be.
  private func obstacle() async throws(StoreError) -> Obstacle? {
    switch try await source.admit() {
    case nil: return nil
    // No pause: a worker on the outbox continues as soon as there is a route again.
    case .offline: return Obstacle(words: "the source is provably out of reach")
    case .paused(let pause):
      let left = min(pause.until.duration(since: store.now().wall), Backoff.longestNamed)
      return Obstacle(words: pause.cause, pause: { _ in left })
    }
  }

  private var source: SourceAdmission {
    SourceAdmission(store: store, collection: collection.name, policy: policy)
  }

  /// The duration of a claim for one step: the awaited work in it, and time to settle.
  var holding: Duration { policy.hardTimeout + store.configuration.leaseDuration }

  // MARK: Sending

  /// Sends the write once, and settles the source's answer.
  func attempt(_ claim: OutboxClaim, resolves: Bool) async throws(StoreError) -> Outcome {
    let (start, holding) = (store.now(), holding)
    let ground = try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.beginPush(claim, for: holding, now: start)
    }
    guard let ground else { return .superseded }
    guard !ground.write.needsSomebody else {
      return .parked(ground.write.entry(at: start).failure ?? "it was parked meanwhile")
    }
    let pending: PendingWrite<Value>
    do {
      pending = try self.pending(ground)
    } catch {
      return try await settle(
        claim, .parked("the written value no longer decodes: \(error)"), origin: nil)
    }
    let asked = store.now()
    let result = await store.watched(source.route) {
      await Deadline.run(policy.hardTimeout, clock: store.configuration.clock) {
        try await push(pending)
      }
    }
    // The answer is as old as the request, unless the policy states otherwise.
    let answered = store.now()
    let known = policy.ageBase == .request ? asked : answered
    switch result {
    case .failure(let failure): return try await deferred(claim, failure)
    case .success(let answer):
      let attempt = Attempt(
        claim: claim, ground: ground, known: known, answered: answered, resolves: resolves)
      return try await settle(attempt, answer, local: pending.value)
    }
  }

  private func pending(_ ground: Storage.PushGround) throws -> PendingWrite<Value> {
    let write = ground.write
    let value = try collection.value(of: write)
    let base = ground.base.flatMap(collection.value)
    return PendingWrite(
      key: write.key, kind: WriteKind(write), value: value, idempotencyKey: write.idempotencyKey,
      base: base, baseValidators: ground.base?.validators ?? Validators(),
      isBaseAbsent: ground.base?.isKnownAbsence ?? false,
      contentType: write.contentType, metadata: ground.base?.content.metadata,
      attempts: Int(write.attempts))
  }

  // MARK: Settling

  /// A write that was sent.
  struct Attempt: Sendable {
    let claim: OutboxClaim
    let ground: Storage.PushGround
    /// The time from which the source is known to hold its answer.
    let known: ClockReading
    let answered: ClockReading
    /// True when a conflict must be resolved.
    let resolves: Bool

    /// The clock of the stated last update; `nil` when none is stated.
    func statedAt(_ details: FetchDetails) -> ClockReading? {
      details.lastUpdate == nil ? nil : answered
    }
  }

  private func settle(
    _ attempt: Attempt, _ answer: Pushed<Value>, local: Value?
  ) async throws(StoreError) -> Outcome {
    let claim = attempt.claim
    switch answer {
    case .accepted(let details):
      let state = sourceState(attempt, local == nil ? .nothing : .written, details)
      return try await settle(claim, .accepted(state), value: local, origin: note(.answered))
    case .acceptedAs(let value, let details):
      return try await accepted(attempt, value, details)
    case .refused(let reason):
      return try await settle(claim, .parked(reason), origin: note(.answered))
    case .conflict(let remote):
      return try await MetConflict(pusher: self, attempt: attempt).settle(remote, own: local)
    }
  }

  /// The source changed the written value. If the rules of the collection, of the store or of the
  /// source do not admit the result, the written value stays, marked stale.
  private func accepted(
    _ attempt: Attempt, _ value: Value, _ details: FetchDetails
  ) async throws(StoreError) -> Outcome {
    let (claim, ground) = (attempt.claim, attempt.ground)
    let words: String
    switch try await admitted(.value(value, details), claim) {
    case nil: return .superseded
    case .success(.value(_, let details)) where !details.isStorable: words = Self.unstorable
    case .success(.value(let value, let details)):
      do throws(StoreError) {
        let bytes = try collection.encoded(value, claim.key, .push)
        let state = sourceState(attempt, .made(bytes), details)
        return try await settle(claim, .accepted(state), value: value, origin: note(.answered))
      } catch {
        guard error.operation == .push, error.sqlite == nil, error.isOfValue else { throw error }
        words = "\(error.code.cause)"
      }
    case .success: words = "the source's answer is no value"
    case .failure(let failure): words = failure.message
    }
    let own = collection.decoded(ground.write)
    var state = sourceState(attempt, own == nil ? .nothing : .written, FetchDetails())
    state.staleReason = words
    state.condition = .init(details, isOfWritten: isSame(own, value))
    return try await settle(claim, .accepted(state), value: own, origin: note(.answered))
  }

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
  func deferred(
    _ claim: OutboxClaim, _ failure: FetchFailure
  ) async throws(StoreError) -> Outcome {
    guard failure.code != .cancelled else {
      return try await settle(claim, .deferred(failure.message, pause: nil), origin: nil)
    }
    let growing = growingPause
    let pause: @Sendable (Int) -> Duration = { attempts in
      failure.pause(own: growing(attempts)).duration
    }
    let outcome = try await settle(
      claim, .deferred(failure.message, pause: pause),
      origin: note(failure.verdict))
    guard case .deferred(let until, let reason, nil) = outcome else { return outcome }
    return .deferred(until: until, reason: reason, failure: failure)
  }

  /// The policy's pause after that many consecutive failures, or conflicts.
  var growingPause: @Sendable (Int) -> Duration {
    let random = store.configuration.random()
    let backoff = Backoff(base: policy.retryPause, maximum: policy.maximumRetryPause)
    return { backoff.pause(afterFailures: $0, random: random) }
  }

  func note(_ verdict: OriginVerdict) -> Storage.OriginNote? {
    source.origin.map { Storage.OriginNote(origin: $0, verdict: verdict) }
  }

  /// Stores the settlement, and notifies observers and reporter.
  func settle(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, wasSent: Bool = true,
    shown: Storage.Shown? = nil, value: Value? = nil, origin: Storage.OriginNote?
  ) async throws(StoreError) -> Outcome {
    let now = store.now()
    let settled = try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.settle(
        claim, settlement, wasSent: wasSent, shown: shown, note: origin, now: now)
    }
    switch settled {
    case .superseded(let isStale):
      if isStale { publish(.marked, claim) }
      return .superseded
    case .outdated(let until):
      return .deferred(
        until: until, reason: "something was written while it was resolved", failure: nil)
    case .done(let write, let fallen, let isStale):
      defer { if isStale { publish(.marked, claim) } }
      return try await told(claim, settlement, write, fallen, value: value, now: now)
    }
  }

  private func told(
    _ claim: OutboxClaim, _ settlement: Storage.Settlement, _ write: StoredWrite,
    _ fallen: [StoredWrite], value: Value?, now: ClockReading
  ) async throws(StoreError) -> Outcome {
    let entry = write.entry(at: now)
    let fallen = fallen.map { $0.entry(at: now) }
    switch settlement {
    case .accepted:
      publish(.pushed, claim)
      store.report(.pushed(entry))
      return .accepted(value)
    case .remote(let state):
      publish(state.change, claim)
      store.report(.discarded(fallen))
      return .discarded(fallen)
    case .rewritten:
      publish(.written, claim)
      store.report(.rewritten(entry, inPlaceOf: fallen))
      guard let again = OutboxClaim(write) else {
        let reason = "what takes its place goes to another address"
        return .deferred(until: now.wall, reason: reason, failure: nil)
      }
      return try await giving(back: again) { () async throws(StoreError) in
        try await attempt(again, resolves: false)
      }
    case .parked(let reason):
      store.report(.parked(entry, reason: reason))
      return .parked(reason)
    case .deferred(let reason, _), .contested(let reason, _):
      let until = write.nextAttempt ?? now.wall
      store.report(.deferred(entry, until: until, reason: reason))
      return .deferred(until: until, reason: reason, failure: nil)
    }
  }

  private func publish(_ kind: Change.Kind, _ claim: OutboxClaim) {
    store.closeFlights(claim.collection) { $0.hasSameBytes(as: claim.key) }
    store.hub.publish(Change(kind: kind, collection: claim.collection, key: claim.key))
  }
}

extension StoreError {
  /// True when the value itself is the cause.
  fileprivate var isOfValue: Bool {
    switch code {
    case .notEncodable, .valueTooLarge: true
    default: false
    }
  }
}
