internal import Rules
internal import Strategies

/// Pushes local writes to their source, one after the other.
struct Pusher<Value: Sendable>: Sendable {
  typealias Outcome = PushOutcome<Value>

  let collection: RecordCollection<Value>
  let policy: Policy
  let conflicts: ConflictPolicy<Value>
  let limits: PushLimits
  /// True when a failure of this push is one more failure of its origin.
  var blames: @Sendable () -> Bool = { true }
  /// The state that the push shares with the other pushes of its request; `nil` for a push by itself.
  var round: PushRound?
  /// Called when the write is resolved before anything is sent: the resolution may take its time.
  var leaves: @Sendable () -> Void = {}
  let push: @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>

  var store: Store { collection.store }

  /// - Parameters:
  ///   - size: The size of the whole request, in bytes.
  ///   - admission: The obstacle to that request; `nil` when there is none.
  func outcome(
    of due: DueWrite, size: Int, past admission: Result<SourceObstacle?, StoreError>
  ) async throws(StoreError) -> Outcome {
    try await giving(back: due.claim) { () async throws(StoreError) in
      if let obstacle = try admission.get() { return try await putOff(due.claim, obstacle) }
      return try await attempt(due.claim, size: size, resolves: true)
    }
  }

  /// Sends the write once more, or the write that has taken its place, unless a new obstacle has come up.
  func attemptAgain(
    _ claim: OutboxClaim, size: Int, resolves: Bool
  ) async throws(StoreError) -> Outcome {
    if let obstacle = try source.goOn() { return try await putOff(claim, obstacle) }
    return try await attempt(claim, size: size, resolves: resolves)
  }

  /// Runs the step for which a claim was taken. A step that ends without settling the claim returns it.
  func giving(
    back claim: OutboxClaim, _ step: () async throws(StoreError) -> Outcome
  ) async throws(StoreError) -> Outcome {
    do throws(StoreError) {
      return try await step()
    } catch {
      do throws(StoreError) {
        try await store.returnClaims(writes: [claim])
      } catch {
        // The claim stays unreturned; the first failure shows the cause.
      }
      throw error
    }
  }

  // MARK: Before anything is sent

  private func putOff(
    _ claim: OutboxClaim, _ obstacle: SourceObstacle
  ) async throws(StoreError) -> Outcome {
    let words: String
    // The pause lets the writes of other sources go first.
    var rest: (@Sendable (Int) -> FailurePause)?
    switch obstacle {
    // No pause: a worker on the outbox continues as soon as there is a route again.
    case .offline: words = "the source is provably out of reach"
    // The end of the hold lets the write be sent at once.
    case .paused(let pause) where pause.isHold: words = pause.cause
    case .paused(let pause):
      let left = min(pause.until.duration(since: store.now().wall), Backoff.longestNamed)
      (words, rest) = (pause.cause, { _ in FailurePause(named: nil, own: left) })
    }
    return try await settle(claim, .deferred(words, pause: rest), wasSent: false, origin: nil)
  }

  var source: SourceAdmission {
    SourceAdmission(store: store, collection: collection.name, policy: policy)
  }

  /// The duration of a claim for one step: the awaited work in it, and time to settle.
  var holding: Duration { policy.hardTimeout + store.configuration.leaseDuration }

  // MARK: Sending

  /// Sends the write once, and settles the source's answer.
  func attempt(
    _ claim: OutboxClaim, size: Int, resolves: Bool
  ) async throws(StoreError) -> Outcome {
    let limit = limits.time(policy.hardTimeout, size: size)
    let (start, holding) = (store.now(), limit + store.configuration.leaseDuration)
    // The codec is the caller's code: it is not called in a transaction.
    let obstacle = collection.otherFormat(of: claim)?.waiting
    let begun = try await store.pushCommits.run { [store] (connection) throws(SQLiteError) in
      try store.storage.beginPush(
        claim, for: holding, unless: obstacle, now: start, connection)
    }
    switch begun {
    case nil: return .superseded
    case .parked(let write)?:
      let reason = write.failure ?? "it was parked meanwhile"
      return try await told(claim, .parked(reason), write, now: start)
    case .unread(let write, let reason)?:
      return try await told(claim, .unread(reason), write, now: start)
    case .attempt(let ground)?:
      guard let known = try await withValue(ground) else { return .superseded }
      return try await send(claim, known, within: limit, at: start, resolves: resolves)
    }
  }

  private func withValue(
    _ ground: Storage.PushGround
  ) async throws(StoreError) -> Storage.PushGround? {
    guard ground.awaitsValue else { return ground }
    // The read has a queue of its own: writes must not wait for a read of a long value.
    return try await WorkQueue(taskClock: store.configuration.taskClock).run {
      [store] () throws(StoreError) in
      try store.storage.joined(ground)
    }
  }

  private func send(
    _ claim: OutboxClaim, _ ground: Storage.PushGround, within limit: Duration,
    at start: ClockReading, resolves: Bool
  ) async throws(StoreError) -> Outcome {
    let pending: PendingWrite<Value>
    do {
      pending = try self.pending(ground)
    } catch let error as UnmigratedPatch {
      return try await settle(claim, .parked("\(error)"), wasSent: false, origin: nil)
    } catch {
      return try await settle(
        claim, .parked("the written value no longer decodes: \(error)"), wasSent: false,
        origin: nil)
    }
    if let known = knownConflict(ground, claim, own: pending.value, at: start) {
      leaves()
      return try await known.met.settle(known.answer, own: pending.value)
    }
    let network = store.evidence.network
    var call = SourceCall(of: collection.name, in: store, by: policy, atMost: limit)
    call.name = "push"
    let attempt = await call.run { [push] in try await push(pending) }
    switch attempt.result {
    case .failure(let failure):
      let isOutdated = failure.isUnreachable && store.evidence.network != network
      return try await deferred(claim, failure, isOutdated: isOutdated)
    case .success(let answer):
      let push = AnsweredPush(
        pusher: self, claim: claim, ground: ground, known: attempt.known(by: policy.ageBase),
        answered: attempt.answered,
        resolves: resolves,
        unversionedBase: pending.baseValidators.isEmpty ? pending.base : nil,
        isBaseUnseen: pending.isBaseUnseen)
      return try await push.settle(answer, local: pending.value)
    }
  }
}
