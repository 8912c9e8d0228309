internal import Strategies

/// A write that states what it was based on (``WriteBasis``).
extension Pusher {
  /// What is sent: the write, and the version of the object that it is based on.
  func pending(_ ground: Storage.PushGround) throws -> PendingWrite<Value> {
    let (write, base) = (ground.write, ground.base)
    let basis = write.basis
    return PendingWrite(
      key: write.key, kind: WriteKind(write), value: try collection.value(of: write),
      idempotencyKey: write.idempotencyKey,
      base: basis.map(collection.value) ?? base.flatMap(collection.value),
      baseValidators: basis?.validators ?? base?.validators ?? Validators(),
      isBaseAbsent: basis == nil && base?.isKnownAbsence ?? false,
      contentType: write.contentType,
      metadata: basis == nil ? base?.content.metadata : basis?.metadata,
      attempts: Int(write.attempts))
  }

  /// The conflict of a write with what its source is known to hold already; `nil` when that is the basis
  /// of the write, or is not known well enough: then the source finds out.
  func knownConflict(
    _ ground: Storage.PushGround, _ claim: OutboxClaim, at now: ClockReading
  ) -> KnownConflict<Value>? {
    guard let basis = ground.write.basis, let base = ground.base, base.isIntact else { return nil }
    let details = FetchDetails(of: base.content, lastUpdate: base.lastUpdate(at: now))
    let answer: Fetched<Value>
    switch base.kind {
    case .unfetched: return nil
    case .absent: answer = .gone(details)
    case .value:
      guard let value = collection.value(of: base) else { return nil }
      if let tag = basis.validators.entityTag, tag == base.validators.entityTag { return nil }
      let push = AnsweredPush(of: self, claim, ground, at: now)
      guard !push.isSame(collection.value(of: basis), value) else { return nil }
      answer = .value(value, details)
    }
    var push = AnsweredPush(of: self, claim, ground, at: now)
    push.asked = base.epoch
    return KnownConflict(met: MetConflict(push: push), answer: answer)
  }
}

/// A conflict that is met before anything is sent.
struct KnownConflict<Value: Sendable>: Sendable {
  let met: MetConflict<Value>
  let answer: Fetched<Value>

  func settle(own: Value?) async throws(StoreError) -> PushOutcome<Value> {
    try await met.settle(answer, own: own)
  }
}

extension AnsweredPush {
  fileprivate init(
    of pusher: Pusher<Value>, _ claim: OutboxClaim, _ ground: Storage.PushGround,
    at now: ClockReading
  ) {
    self.init(
      pusher: pusher, claim: claim, ground: ground, known: now, answered: now, resolves: true)
  }
}

extension FetchDetails {
  /// The details of a fetch that would have brought the content.
  fileprivate init(of content: RecordContent, lastUpdate: Timestamp?) {
    self.init(
      lastUpdate: lastUpdate, expiry: content.expiry,
      graceWhileRevalidating: content.graceWhileRevalidating, graceOnError: content.graceOnError,
      hardEnd: content.hardEnd, mustRevalidate: content.mustRevalidate,
      validators: content.validators, source: content.source, address: content.address,
      contentType: content.contentType, variant: content.variant, metadata: content.metadata)
  }
}
