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
    /// The requests are:
    ///
    /// - to create: a `PUT` with `If-None-Match: *`
    /// - to replace: a `PUT`
    /// - to patch: a `PATCH`
    /// - to delete: a `DELETE`
    ///
    /// Each has the validators of its base as `If-Match` or `If-Unmodified-Since` (RFC 9110 section 13.1), so
    /// that a lost update is noticed. Each has an `Idempotency-Key`, so that a write whose response was lost
    /// is applied once. If the source holds something else, that is fetched: it is the conflict.
    ///
    /// Validators go only to the address from which they came (RFC 9111 section 4.3.1). If a redirect led to the
    /// base of the write, the base is fetched once more, and the write is sent if the base has not changed.
    ///
    /// Transient statuses are thrown, and the write is sent again: 401, 403, 407, 408, 409 while nothing has
    /// changed, 421, 423, 425, 429 and 5xx.
    ///
    /// After 412 the present value of the source is fetched. After 428 (RFC 6585 section 3) it is fetched,
    /// too, if the write had no condition. If it is the base of the write, the write is sent again under a
    /// condition; if not, it is the conflict. A source that requires a condition, and sends no validator for
    /// one, has refused the write. So has a source that answers 428 to a condition.
    ///
    /// Every other 4xx is a refusal. No redirect is followed. The whole push ends within the configured time.
    ///
    /// A source may accept a write without stating the new validator. Its value is then fetched at once, if
    /// time is left, unless its earlier value had no validator either. Without a validator the next write
    /// could not be conditional.
    ///
    /// That fetch may fail, or the source may only have promised the write (202, 303). Then the next write
    /// looks first, and is based on what it finds: the value that was written, or, after a promise, the
    /// version before it. On that version only a replacement is sent. A patch or a deletion waits until the
    /// promise is kept (``HTTPFetchError/promised(_:)``). Anything else is a conflict.
    ///
    /// A write looks first, too, if no version of its stated base is known (`PendingWrite.isBaseUnseen`).
    /// Such a write may have arrived already (`PendingWrite.mayHaveArrived`) and find an unexpected version.
    /// It is then sent with an `If-Match` that no version meets: a source that knows its key repeats the
    /// first response. From any other source the 412 is the conflict.
    ///
    /// A write with an invalid address or media type can never be sent, and is refused.
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
      let accepted = AcceptedWrite()
      do throws(HTTPFetchError) {
        return try await limited(progress, sending: plan.body?.count ?? 0) {
          [self] () throws(HTTPFetchError) in
          try await settle(plan, write, progress, accepted)
        }
      } catch {
        // A failure after the write was accepted changes nothing of that: the copy is fetched at the next read.
        if let details = accepted.details { return .accepted(details) }
        throw error.seen(from: address, at: progress.address)
      }
    }

    /// The details of an accepted write, for the later fetch of its value, which may fail.
    private final class AcceptedWrite: Sendable {
      private let said = Mutex<FetchDetails?>(nil)

      var details: FetchDetails? { said.withLock { $0 } }

      func note(_ details: FetchDetails) { said.withLock { $0 = details } }
    }

    /// - Parameter hasNoAbsence: True for a source that has answered that it does not know the condition of
    ///   absence.
    private func settle(
      _ plan: PushPlan, _ write: PendingWrite<[UInt8]>, _ progress: FetchProgress,
      _ accepted: AcceptedWrite, hasNoAbsence: Bool = false
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      if let base = plan.base, let changed = try await change(since: base, plan.address, progress) {
        return try await met(changed, plan, write, progress, accepted)
      }
      if let unseen = plan.unseenBase {
        let found = try await current(plan.address, progress)
        guard !write.waits(for: unseen, at: found) else {
          throw .promised(plan.address.redacted)
        }
        guard let seen = write.upon(found, after: unseen) else {
          return try await met(found, plan, write, progress, accepted)
        }
        let plan = try PushPlan(seen, to: plan.address, configuration)
        return try await settle(plan, seen, progress, accepted)
      }
      progress.note(plan.address)
      let answer = try await answer(
        to: Sending(
          address: plan.address, fields: plan.fields, method: plan.method, body: plan.body,
          part: { plan.isRefusal($0) ? .beginning : .valueOrWords($0) }), progress)
      switch try plan.step(answer) {
      case .settled(let pushed): return pushed
      case .acceptedUnseen(let details):
        accepted.note(details)
        return try await seen(plan.address, details, progress)
      case .conflict: return .conflict(try await current(plan.address, progress))
      case .conflictUnlessUnchanged(let failure):
        let current = try await current(plan.address, progress)
        guard write.isGround(current) else { return .conflict(current) }
        throw failure
      case .conditionUnknown:
        let bare = write.uponAnything
        let plan = try PushPlan(bare, to: plan.address, configuration)
        return try await settle(plan, bare, progress, accepted, hasNoAbsence: true)
      case .conditionRequired(let refusal):
        let found = try await current(plan.address, progress)
        let seen = write.based(on: found)
        let next = try PushPlan(seen, to: plan.address, configuration)
        // A source may require a condition that it does not implement.
        guard next.hasCondition, !(hasNoAbsence && next.asksForAbsence) else {
          if case .gone = found, write.kind != .replace { return .conflict(found) }
          return .refused(refusal)
        }
        guard write.upon(found, after: UnseenWrite(former: nil)) != nil else {
          return try await met(found, plan, write, progress, accepted)
        }
        return try await settle(next, seen, progress, accepted)
      }
    }

    /// The result of a write in whose place something else was found. It is a conflict, unless the source may
    /// have made it from this very write. Then the write is sent under a condition that nothing meets: a
    /// source that knows its key repeats the lost response, and any other source changes nothing.
    private func met(
      _ found: Fetched<[UInt8]>, _ plan: PushPlan, _ write: PendingWrite<[UInt8]>,
      _ progress: FetchProgress, _ accepted: AcceptedWrite
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      guard write.mayHaveMade(found) else { return .conflict(found) }
      let plan = try PushPlan(write, to: plan.address, configuration, asksForAnswer: true)
      return try await settle(plan, write, progress, accepted)
    }

    /// The result of an accepted write, with the value of the source if it can be fetched.
    private func seen(
      _ address: HTTPAddress, _ details: FetchDetails, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Pushed<[UInt8]> {
      guard case .value(let value, var found) = try await current(address, progress) else {
        return .accepted(details)
      }
      found.contentType = found.contentType ?? details.contentType
      return .acceptedAs(value, found)
    }

    /// The change that replaced the base of a write; `nil` when the base is unchanged, or was never found
    /// under this address.
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

  /// The value of a source, compared with a write.
  extension PendingWrite<[UInt8]> {
    /// The same write without the condition of absence.
    var uponAnything: Self {
      PendingWrite(
        key: key, kind: kind, value: value, idempotencyKey: idempotencyKey, base: base,
        baseValidators: baseValidators, contentType: contentType, metadata: metadata,
        attempts: attempts, mayHaveArrived: mayHaveArrived, address: address,
        recordAddress: recordAddress)
    }

    /// True while the source still holds the value from before a promised write, which this write would
    /// overtake. A replacement carries the whole value and need not wait; a patch or a deletion must.
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

    /// The same write, based on the present value of the source. `nil` for another's change: the value is
    /// neither the base nor what the source may still hold in its place.
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

    /// The same write with the present value of the source as its new base.
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

    /// True when the source may have made the found value from this write. A source without strong tags may
    /// ignore a condition and store the write, so it is not asked.
    func mayHaveMade(_ found: Fetched<[UInt8]>) -> Bool {
      guard mayHaveArrived, kind != .delete, case .value(let value, let details) = found,
        value != self.value, let tag = details.validators.entityTag
      else { return false }
      return EntityTag(tag)?.isWeak == false
    }

    /// True when the source holds the base of the write. The validators decide; without any the bytes decide,
    /// and absence where nothing was known.
    func isGround(_ current: Fetched<[UInt8]>) -> Bool {
      switch current {
      case .value(let value, let details):
        guard baseValidators.isEmpty, details.validators.isEmpty else {
          return details.validators.entityTag == baseValidators.entityTag
            && details.validators.lastModified == baseValidators.lastModified
        }
        return base == value
      // The deletion is already done.
      case .gone: return base == nil && baseValidators.isEmpty && kind != .delete
      case .notModified: return false
      }
    }
  }
#endif
