internal import Strategies

/// Writes that state their basis (``WriteBasis``).
extension Pusher {
  /// The write to be sent, with the version of the object that it is based on.
  func pending(_ ground: Storage.PushGround) throws -> PendingWrite<Value> {
    let (write, base) = (ground.write, policy.own(ground.base))
    // A basis that the source is known to hold is the base, with its version.
    let basis = write.basis.flatMap { isHeld($0, ground) ? nil : $0 }
    let version = Self.version(of: basis, upon: base)
    let known = base.flatMap { $0.isIntact ? $0.content.addressToAsk : nil }
    let pending = PendingWrite(
      key: write.key, kind: kind(of: write), value: try collection.value(of: write),
      idempotencyKey: write.idempotencyKey,
      base: basis.map(collection.value) ?? base.flatMap(collection.value),
      baseValidators: version.validators,
      isBaseAbsent: basis == nil && base?.isKnownAbsence ?? false,
      isBaseUnseen: basis != nil && version.validators.isEmpty,
      contentType: write.contentType, metadata: version.metadata, attempts: Int(write.attempts),
      mayHaveArrived: write.askedAt != nil,
      address: write.address.hasSameBytes(as: known) ? nil : write.address, recordAddress: known)
    if pending.kind == .replace, write.kind == .patch, pending.base == nil,
      version.validators.isEmpty, !pending.isBaseAbsent
    {
      throw UnmigratedPatch()
    }
    return pending
  }

  /// The operation that is sent for a write.
  ///
  /// The document of a patch by an earlier version of the content is not migrated. Instead the migrated value replaces
  /// the value that the patch was made for.
  func kind(of write: StoredWrite) -> WriteKind {
    let isMigrated = write.contentVersion != collection.contentVersion
    return write.kind == .patch && isMigrated ? .replace : WriteKind(write)
  }

  /// The version that a write depends on, and the data that belongs to it.
  ///
  /// A basis without a version, such as a copy of a local write, has the version of the source's known state. So the
  /// source notices any later change.
  private static func version(
    of basis: WriteBasis?, upon base: StoredRecord?
  ) -> (validators: Validators, metadata: String?) {
    // A version whose content is not kept differs from the basis, and so does a version that the write has met.
    if let basis,
      !basis.validators.isEmpty || base?.kind == .unfetched || basis.hasMetAnother
    {
      return (basis.validators, basis.metadata)
    }
    return (base?.validators ?? Validators(), base?.content.metadata ?? basis?.metadata)
  }

  /// True when the source's known state is the basis of a write, or the source's version of that basis, which the write
  /// follows.
  private func isHeld(_ basis: WriteBasis, _ ground: Storage.PushGround) -> Bool {
    guard let base = policy.own(ground.base), base.isIntact else { return false }
    switch base.kind {
    case .unfetched: return false
    case .absent: return basis.value == nil && basis.validators.isEmpty
    case .value:
      if let tag = basis.validators.entityTag, tag == base.validators.entityTag { return true }
      if follows(ground.write), let written = basis.written, written == base.content.madeOf {
        return true
      }
      guard let known = collection.value(of: base), let own = collection.value(of: basis) else {
        return false
      }
      return collection.areSame(own, known)
    }
  }

  /// True when a write follows the write that it was made from, even if the source accepted that one as another value.
  ///
  /// A patch does so even where the policy merges: it does not touch the source's additions.
  private func follows(_ write: StoredWrite) -> Bool {
    if case .patch = kind(of: write) { return true }
    return !conflicts.merges
  }

  /// The conflict of a write with its source's known state, and that state; `nil` when none is known.
  ///
  /// There is none when the known state is the basis of the write. It may also not be known well enough: then the
  /// source finds out.
  func knownConflict(
    _ ground: Storage.PushGround, _ claim: OutboxClaim, own: Value?, at now: ClockReading
  ) -> (met: MetConflict<Value>, answer: Fetched<Value>)? {
    guard let basis = ground.write.basis, let base = policy.own(ground.base), base.isIntact,
      !isHeld(basis, ground), !isAskedByHand(ground.write)
    else { return nil }
    let details = FetchDetails(of: base.content, lastUpdate: base.lastUpdate(at: now))
    var push = AnsweredPush(
      pusher: self, claim: claim, ground: ground, known: now, answered: now, resolves: true)
    push.asked = base.epoch
    // A stale state may have changed at the source: then equal sides prove nothing.
    let isFresh = !ground.isBaseMarked && isUnexpired(base, at: now)
    switch base.kind {
    case .unfetched: return nil
    case .absent:
      guard isFresh || own != nil else { return nil }
      return (MetConflict(push: push), .gone(details))
    case .value:
      guard let value = collection.value(of: base), isFresh || !push.isSame(own, value)
      else { return nil }
      return (MetConflict(push: push), .value(value, details))
    }
  }

  /// True at the first attempt after a retry of a write that was parked with a met conflict: its source is asked again.
  private func isAskedByHand(_ write: StoredWrite) -> Bool {
    write.basis?.hasMetAnother == true && write.tries == 0
  }

  private func isUnexpired(_ base: StoredRecord, at now: ClockReading) -> Bool {
    let skew = store.configuration.allowedSkew
    guard let age = base.lastUpdate(at: now)?.age(at: now.wall, allowedSkew: skew) else {
      return false
    }
    return base.content.expiry.opinion(ofAge: age).verdict != .invalid
  }
}

/// A patch by an earlier version of the content, for an object of which nothing is known.
///
/// The parts of the object that the patch does not touch would be lost.
struct UnmigratedPatch: Error, CustomStringConvertible {
  var description: String {
    "a patch by an earlier version of the program cannot be migrated where nothing is known of its object; correct it"
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

extension Policy {
  /// The record, unless it counts as missing because it was fetched under other circumstances (``acceptsVariant``).
  ///
  /// An example is a fetch with the credentials of another user. A local write is neither made from such a record nor
  /// compared with it.
  func own(_ record: StoredRecord?) -> StoredRecord? {
    guard let record, !record.isPending, let acceptsVariant else { return record }
    return acceptsVariant(record.content.variant) ? record : nil
  }
}
