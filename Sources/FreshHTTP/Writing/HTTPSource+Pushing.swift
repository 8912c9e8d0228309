#if HTTP
  public import FreshStore
  internal import Synchronization

  extension HTTPSource {
    /// Pushes a local write to an address, as the push of a store's outbox.
    ///
    /// ```swift
    /// await notes.push(due) { write in
    ///   try await source.push(write.map(encode), to: address(of: write.key)).map(decode)
    /// }
    /// ```
    ///
    /// Creating is a `PUT` with `If-None-Match: *`, replacing a `PUT`, patching a `PATCH`, deleting
    /// a `DELETE`, each with the validators of its base as `If-Match` or `If-Unmodified-Since` (RFC
    /// 9110 section 13.1), so that a lost update is noticed, and with an `Idempotency-Key`, so that
    /// a write whose answer was lost is applied once. When the source holds something else, that is
    /// fetched: it is the conflict. Validators go only to the address they came from (RFC 9111
    /// section 4.3.1): where a redirect led to the base of the write, it is fetched once more, and
    /// the write is sent if the base has not changed.
    ///
    /// Transient statuses (401, 403, 407, 408, 409 while nothing has changed, 421, 423, 425, 429,
    /// 5xx) are thrown, and the write is sent again. After 412 what the source holds is fetched, and after 428 (RFC
    /// 6585 section 3), too, where the write had no condition: it is sent again under one if that is its base, and is
    /// a conflict if not; a source that asks for a condition, and whose answers have no validator to state one by,
    /// has refused it. So has one that answers 428 to a condition. Every other 4xx is a refusal. No redirect is
    /// followed. The whole push ends within the configured time.
    ///
    /// A source that accepts a write and does not state its new validator is asked at once for its
    /// value, if time is left, unless its earlier value had none either: without a validator the
    /// next write could not be made conditional. Where that fails, or the source has only promised
    /// the write (202, 303), the next write asks first, and is sent upon what it finds: the value
    /// that was written, or, after a promise, the version before it, upon which only a replacement is
    /// sent: a patch or a deletion waits until the promise is kept (``HTTPFetchError/promised(_:)``).
    /// Anything else is a conflict. A write that states a base of which no version is known
    /// (`PendingWrite.isBaseUnseen`) asks first, too. Where one that asks first may have arrived already
    /// (`PendingWrite.mayHaveArrived`), and finds a version that it does not expect, it is sent with an
    /// `If-Match` that no version meets: a source that knows its key repeats the first answer, and from
    /// any other 412 is the conflict.
    ///
    /// A write that can never be sent, because its address or its media type is invalid, is
    /// refused.
    public func push(
      _ write: PendingWrite<[UInt8]>, to url: String
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      let (address, plan): (HTTPAddress, PushPlan)
      do throws(HTTPFetchError) {
        address = try HTTPAddress(fetched: url)
        plan = try PushPlan(write, to: address, configuration)
      } catch {
        return .refused("\(error)")
      }
      let progress = FetchProgress(address)
      let taken = TakenWrite()
      do throws(HTTPFetchError) {
        return try await limited(progress, sending: plan.body?.count ?? 0) {
          [self] () throws(HTTPFetchError) in
          try await settle(plan, write, progress, taken)
        }
      } catch {
        // A failure after the write was accepted takes nothing back: the copy is fetched at the
        // next read.
        if let details = taken.details { return .accepted(details) }
        throw error.seen(from: address, at: progress.address)
      }
    }

    /// The statement of a source that accepted a write, for the look at its value, which may fail.
    private final class TakenWrite: Sendable {
      private let said = Mutex<FetchDetails?>(nil)

      var details: FetchDetails? { said.withLock { $0 } }

      func note(_ details: FetchDetails) { said.withLock { $0 = details } }
    }

    /// - Parameter hasNoAbsence: True for a source that has answered that it does not know the condition of absence.
    private func settle(
      _ plan: PushPlan, _ write: PendingWrite<[UInt8]>, _ progress: FetchProgress,
      _ taken: TakenWrite, hasNoAbsence: Bool = false
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      if let base = plan.base, let changed = try await change(since: base, plan.address, progress) {
        return try await met(changed, plan, write, progress, taken)
      }
      if let unseen = plan.unseenBase {
        let found = try await current(plan.address, progress)
        guard !write.waits(for: unseen, at: found) else {
          throw .promised(plan.address.redacted)
        }
        guard let seen = write.upon(found, after: unseen) else {
          return try await met(found, plan, write, progress, taken)
        }
        let plan = try PushPlan(seen, to: plan.address, configuration)
        return try await settle(plan, seen, progress, taken)
      }
      progress.note(plan.address)
      let answer = try await answer(
        to: Sending(
          address: plan.address, fields: plan.fields, method: plan.method, body: plan.body,
          part: { plan.isRefusal($0) ? .beginning : .valueOrWords($0) }), progress)
      switch try plan.step(answer) {
      case .settled(let pushed): return pushed
      case .acceptedUnseen(let details):
        taken.note(details)
        return try await seen(plan.address, details, progress)
      case .conflict: return .conflict(try await current(plan.address, progress))
      case .conflictUnlessUnchanged(let failure):
        let current = try await current(plan.address, progress)
        guard write.isGround(current) else { return .conflict(current) }
        throw failure
      case .conditionUnknown:
        let bare = write.uponAnything
        let plan = try PushPlan(bare, to: plan.address, configuration)
        return try await settle(plan, bare, progress, taken, hasNoAbsence: true)
      case .conditionRequired(let refusal):
        let found = try await current(plan.address, progress)
        let seen = write.based(on: found)
        let next = try PushPlan(seen, to: plan.address, configuration)
        // A source may ask for a condition that it does not implement.
        guard next.hasCondition, !(hasNoAbsence && next.asksForAbsence) else {
          if case .gone = found, write.kind != .replace { return .conflict(found) }
          return .refused(refusal)
        }
        guard write.upon(found, after: UnseenWrite(former: nil)) != nil else {
          return try await met(found, plan, write, progress, taken)
        }
        return try await settle(next, seen, progress, taken)
      }
    }

    /// The end of a write in whose place something else was found: a conflict, unless that may be what the source
    /// has made of the write itself. Then it is sent under a condition that nothing meets: a source that knows
    /// its key repeats the answer that was lost, and any other changes nothing.
    private func met(
      _ found: Fetched<[UInt8]>, _ plan: PushPlan, _ write: PendingWrite<[UInt8]>,
      _ progress: FetchProgress, _ taken: TakenWrite
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      guard write.mayHaveMade(found) else { return .conflict(found) }
      let plan = try PushPlan(write, to: plan.address, configuration, asksForAnswer: true)
      return try await settle(plan, write, progress, taken)
    }

    /// The result of an accepted write.
    private func seen(
      _ address: HTTPAddress, _ details: FetchDetails, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      guard case .value(let value, var found) = try await current(address, progress) else {
        return .accepted(details)
      }
      found.contentType = found.contentType ?? details.contentType
      return .acceptedAs(value, found)
    }

    /// The change that replaced the base of a write; `nil` when that is unchanged, or was never
    /// found under this address.
    private func change(
      since base: Previous<[UInt8]>, _ address: HTTPAddress, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Fetched<[UInt8]>? {
      let plan = FetchPlan(address: address, configuration: configuration, previous: base)
      let found = try await run(plan, progress)
      switch found {
      case .notModified: return nil
      case .value(_, let details) where details.validators == base.validators: return nil
      case .value(let value, _) where value == base.value: return nil
      case .value(_, let details), .gone(let details):
        let ground = StoredFields(encoded: base.metadata)
        let isOfHere =
          ground.address == nil || ground.isFrom(address) || ground.isFound(by: address)
        return isOfHere || ground.address == StoredFields(encoded: details.metadata).address
          ? found : nil
      }
    }

    private func current(
      _ address: HTTPAddress, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Fetched<[UInt8]> {
      let nothing: Previous<[UInt8]>? = nil
      return try await run(
        FetchPlan(address: address, configuration: configuration, previous: nothing), progress)
    }
  }

  /// What a source holds, and what that means to a write.
  extension PendingWrite<[UInt8]> {
    /// The same write, without a known absence.
    var uponAnything: Self {
      PendingWrite(
        key: key, kind: kind, value: value, idempotencyKey: idempotencyKey, base: base,
        baseValidators: baseValidators, contentType: contentType, metadata: metadata,
        attempts: attempts, mayHaveArrived: mayHaveArrived, address: address,
        recordAddress: recordAddress)
    }

    /// True while the source still holds what it held before a write that it has promised, and this write would
    /// overtake that one: a replacement carries the whole value, and no other kind does.
    func waits(for unseen: UnseenWrite, at found: Fetched<[UInt8]>) -> Bool {
      switch kind {
      case .create, .replace: return false
      case .patch, .delete: break
      }
      switch found {
      case .value(let value, let details):
        return value != base && unseen.mayFollow(details.validators)
      case .gone: return base != nil && unseen.former == UnseenWrite.absence
      case .notModified: return false
      }
    }

    /// The same write, upon what the source holds now. `nil` where that is another's change: neither the
    /// base, which nobody has seen there, nor what the source may still hold instead.
    func upon(_ found: Fetched<[UInt8]>, after unseen: UnseenWrite) -> Self? {
      switch found {
      case .value(let value, let details):
        guard value == base || unseen.mayFollow(details.validators) else { return nil }
      case .gone:
        guard base == nil || unseen.former == UnseenWrite.absence else { return nil }
      case .notModified: return nil
      }
      return based(on: found)
    }

    /// The same write, whatever it was based on, with what the source holds as its base.
    func based(on found: Fetched<[UInt8]>) -> Self {
      switch found {
      case .value(let value, let details):
        PendingWrite(
          key: key, kind: kind, value: self.value, idempotencyKey: idempotencyKey, base: value,
          baseValidators: details.validators, contentType: contentType,
          metadata: details.metadata, attempts: attempts, mayHaveArrived: mayHaveArrived,
          address: address, recordAddress: recordAddress)
      case .gone(let details):
        PendingWrite(
          key: key, kind: kind, value: value, idempotencyKey: idempotencyKey, isBaseAbsent: true,
          contentType: contentType, metadata: details.metadata, attempts: attempts,
          mayHaveArrived: mayHaveArrived, address: address, recordAddress: recordAddress)
      case .notModified: self
      }
    }

    /// True when what was found may be what the source has made of this write. A source without strong tags may
    /// take no notice of a condition, and store the write: it is not asked.
    func mayHaveMade(_ found: Fetched<[UInt8]>) -> Bool {
      guard mayHaveArrived, kind != .delete, case .value(let value, let details) = found,
        value != self.value, let tag = details.validators.entityTag
      else { return false }
      return EntityTag(tag)?.isWeak == false
    }

    /// True when the source holds the base of the write, so that it is unchanged: judged by the
    /// validators, without any by the bytes, and by absence where nothing was known.
    func isGround(_ current: Fetched<[UInt8]>) -> Bool {
      switch current {
      case .value(let value, let details):
        guard baseValidators.isEmpty, details.validators.isEmpty else {
          return details.validators.entityTag == baseValidators.entityTag
            && details.validators.lastModified == baseValidators.lastModified
        }
        return base == value
      // A deletion is complete.
      case .gone: return base == nil && baseValidators.isEmpty && kind != .delete
      case .notModified: return false
      }
    }
  }
#endif
