internal import Strategies

/// One local write that met another change at its source, and the resolution of the conflict.
struct MetConflict<Value: Sendable>: Sendable {
  let push: AnsweredPush<Value>

  private var pusher: Pusher<Value> { push.pusher }
  private var claim: OutboxClaim { push.claim }
  private var ground: Storage.PushGround { push.ground }
  private var collection: RecordCollection<Value> { pusher.collection }
  private var store: Store { pusher.store }

  /// Ends the conflict; `own` is the value of the write that met it.
  func settle(
    _ answer: Fetched<Value>, own: Value?
  ) async throws(StoreError) -> PushOutcome<Value> {
    let (remote, details): (Value?, FetchDetails)
    switch try await pusher.admitted(answer, claim) {
    case nil: return .superseded
    case .success(.value(let value, let itsDetails)): (remote, details) = (value, itsDetails)
    case .success(.gone(let itsDetails)): (remote, details) = (nil, itsDetails)
    case .success(.notModified):
      return try await deferred(.notModifiedIsNoConflict)
    case .failure(let failure): return try await deferred(failure)
    }
    let state: Storage.SourceState
    do throws(StoreError) {
      state = try sourceState(remote, details)
    } catch {
      return try await deferred(FetchFailure(.notStorable, "\(error)", underlying: error))
    }
    if push.isSame(own, remote) {
      var state = push.sourceState(own == nil ? .nothing : .written, details)
      // The conflict shows the whole object.
      state.isPartial = false
      return try await push.accepted(state, value: remote)
    }
    // The source holds the base itself: only a look at the base, or its version, was missing.
    if isBase(remote, details) {
      return try await pusher.settle(
        claim, .versioned(state, resolves: push.resolves), origin: push.note)
    }
    guard push.resolves else {
      let limits = pusher.limits
      return try await pusher.settle(
        claim,
        .contested(
          "the source changed again", pause: pusher.growingPause,
          end: { limits.end(contested: $0) }, met: met(state)), wasSent: push.wasSent,
        origin: push.note)
    }
    return try await resolve(remote, state)
  }

  private func isBase(_ remote: Value?, _ details: FetchDetails) -> Bool {
    // A base that is known to be held is no longer unseen. A base that is not kept would be met again and again.
    if push.isBaseUnseen {
      let isKept = details.isStorable || !details.validators.isEmpty
      return isKept && push.isSame(push.unversionedBase, remote)
    }
    guard let base = push.unversionedBase else { return false }
    return push.isSame(base, remote) && !details.validators.isEmpty
  }

  private func sourceState(
    _ remote: Value?, _ details: FetchDetails
  ) throws(StoreError) -> Storage.SourceState {
    let held: AnsweredPush<Value>.Held =
      if let remote { .foreign(try collection.encoded(remote, claim.key, .push)) } else { .nothing }
    return push.sourceState(held, details)
  }

  private func resolve(
    _ remote: Value?, _ state: Storage.SourceState
  ) async throws(StoreError) -> PushOutcome<Value> {
    let (now, holding, note) = (store.now(), pusher.holding, push.note)
    let waiting = try await store.queue.run { [store, claim] () throws(StoreError) in
      try store.storage.holdPush(claim, for: holding, note: note, now: now)
    }
    guard let waiting, let last = waiting.mergeable.last else { return .superseded }
    // An unreadable write must not be discarded.
    guard waiting.allSatisfy(\.isIntact) else {
      return try await park(StoredWrite.damage, state)
    }
    let conflict: Conflict<Value>
    do {
      conflict = Conflict(
        key: claim.key,
        base: ground.write.basis.map(collection.value)
          ?? pusher.policy.own(ground.base).flatMap(collection.value),
        local: try collection.value(of: last), remote: remote)
    } catch let error as ValueOfOtherFormat {
      return try await pusher.settle(
        claim, .unread(error.waiting), wasSent: push.wasSent, origin: nil)
    } catch {
      return try await park("\(error)", state)
    }
    let resolution = await Deadline.run(pusher.policy.hardTimeout, clock: store.configuration.clock)
    {
      try await pusher.conflicts.resolve(conflict)
    }
    switch resolution {
    case .failure(let failure):
      return try await deferred(failure.ofResolution)
    case .success(let resolution):
      let shown = Storage.Shown(
        writes: waiting.map(\.idempotencyKey), pause: pusher.growingPause)
      return try await settle(
        resolution, of: waiting.mergeable, state, shown: shown, remote: remote)
    }
  }

  private func park(
    _ why: String, _ state: Storage.SourceState
  ) async throws(StoreError) -> PushOutcome<Value> {
    let reason = "a conflict, and a later write of the key cannot be read: \(why)"
    return try await pusher.settle(
      claim, .parked(reason, met: met(state)), wasSent: push.wasSent, origin: nil)
  }

  /// The state that a parked write has met, and the basis of the write.
  private func met(_ state: Storage.SourceState) -> Storage.Met {
    var basis = ground.write.basis ?? WriteBasis(of: pusher.policy.own(ground.base))
    basis.hasMetAnother = true
    return Storage.Met(state: state, basis: basis)
  }

  private func deferred(_ failure: FetchFailure) async throws(StoreError) -> PushOutcome<Value> {
    try await pusher.deferred(claim, failure, wasSent: push.wasSent)
  }

  private func settle(
    _ resolution: Resolution<Value>, of waiting: [StoredWrite], _ state: Storage.SourceState,
    shown: Storage.Shown, remote: Value?
  ) async throws(StoreError) -> PushOutcome<Value> {
    let settlement: Storage.Settlement
    switch resolution {
    case .remote: settlement = .remote(state)
    case .parked(let reason): settlement = .parked(reason, met: met(state))
    case .deleted:
      settlement = rewritten(entry(.delete, after: waiting), state)
    case .merged(let value):
      guard try await pusher.holdForRules(claim) else { return .superseded }
      do throws(StoreError) {
        let value = try await collection.admitted(value, for: claim.key)
        let kind: WriteKind = remote == nil ? .create : .replace
        var entry = entry(kind, after: waiting)
        entry.payload = try collection.encoded(value, claim.key, .push)
        entry.contentType = waiting.last { $0.contentType != nil }?.contentType
        settlement = rewritten(entry, state)
      } catch {
        settlement = .parked(
          "the merged value cannot be stored: \(error.code.cause)", met: met(state))
      }
    }
    return try await pusher.settle(
      claim, settlement, wasSent: push.wasSent, shown: shown, origin: nil)
  }

  /// The replacement of the merged writes: it has the address and the tags of the last write.
  private func entry(_ kind: WriteKind, after waiting: [StoredWrite]) -> StoredWrite {
    var entry = collection.entry(kind, claim.key, WriteOptions())
    entry.address = waiting.last?.address
    entry.tags = waiting.last?.tags
    return entry
  }

  private func rewritten(
    _ entry: StoredWrite, _ state: Storage.SourceState
  ) -> Storage.Settlement {
    .rewritten(entry, upon: state, expiry: pusher.policy.expiry, holding: pusher.holding)
  }
}

extension FetchFailure {
  fileprivate static let notModifiedIsNoConflict = FetchFailure(
    .notModifiedWithoutCopy, "the source answered a write with \"not modified\"")

  /// The failure of a resolution: the source has answered, and is not to blame.
  fileprivate var ofResolution: FetchFailure {
    code == .cancelled
      ? self : FetchFailure(.notStorable, "the conflict was not resolved: \(cause)")
  }
}
