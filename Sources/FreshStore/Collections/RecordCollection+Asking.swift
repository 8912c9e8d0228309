internal import Strategies
internal import Synchronization

extension RecordCollection {
  /// Asks the source of a policy where it may be asked now, and tells its breaker and the route to it what
  /// came of that, as every fetch does.
  ///
  /// - Parameters:
  ///   - canWait: True when a copy answers meanwhile: then a suspected route has its pause.
  ///   - signsIn: False for a request without credentials of its own, which nobody can be missing from: then its origin is
  ///     never held because of it.
  ///   - blame: The failure that an answer is of the origin as a whole, as HTTP's 502 to 504 are.
  ///   - excuse: Asked once the time is over: the failure of this process that the source has no part in; `nil`
  ///     where the source is to blame.
  ///   - count: False for a failure that says nothing new of the source as a whole: its breaker does not hear of it. It
  ///     is told whether the file has none of that source, as after an answer to anybody, or an end of its pauses.
  ///   - ask: Runs in a task of its own under ``Policy/hardTimeout``.
  package func asking<Answer: Sendable>(
    by policy: Policy, canWait: Bool, signsIn: Bool = true,
    blaming blame: (Answer) -> (any FetchErrorTraits)?,
    excusing excuse: () -> (any FetchErrorTraits)? = { nil },
    counting count: (_ failure: FetchFailure, _ isFirst: Bool) -> Bool = { _, _ in true },
    _ ask: @escaping @Sendable () async throws -> Answer
  ) async -> Result<Answer, FetchFailure> {
    var call = SourceCall(of: name, in: store, by: policy)
    (call.name, call.signsIn) = ("request", signsIn)
    if let refusal = await call.refusal(for: .init(canWait: canWait)) { return .failure(refusal) }
    let result = await call.run(excusing: excuse, ask).result
    let origin = call.source.origin
    let (verdict, isStored) = await noted(result, at: origin, blaming: blame, counting: count)
    if case .failure(let failure) = result, failure.isUnreachable {
      if isStored { store.evidence.noteStored(over: call.source.route) }
      return result
    }
    store.tellFleet(verdict, of: origin)
    return result
  }

  /// The failure of a request whose source is provably out of reach; `nil` for any other. It reads no file.
  package func offlineFailure(by policy: Policy) -> FetchFailure? {
    admission(policy).offline?.failure
  }

  /// The failure of a request that would not be made, as its source is out of reach, left alone for a while or
  /// held; `nil` for any other. It changes nothing. Cost: one SELECT at the most.
  package func obstacle(by policy: Policy, canWait: Bool) -> FetchFailure? {
    do throws(StoreError) {
      return try admission(policy).look(for: SourceAdmission.Request(canWait: canWait))?.failure
    } catch {
      // The request itself reports it.
      return nil
    }
  }

  /// Notes what came of a request; returns the verdict, and whether it is a failure, and the file has one now.
  private func noted<Answer: Sendable>(
    _ result: Result<Answer, FetchFailure>, at origin: OriginGuard?,
    blaming blame: (Answer) -> (any FetchErrorTraits)?,
    counting count: (FetchFailure, Bool) -> Bool
  ) async -> (verdict: OriginVerdict, isStored: Bool) {
    let failure: FetchFailure
    switch result {
    case .failure(let error): failure = error
    case .success(let answer):
      guard let error = blame(answer) else {
        _ = await note(.answered, at: origin)
        return (.answered, false)
      }
      failure = FetchFailure(.thrown, "\(error)", underlying: error)
    }
    guard case .failed = failure.verdict else {
      _ = await note(failure.verdict, at: origin)
      return (failure.verdict, false)
    }
    // Of those that come at the same time one is the first: the others wait for the writers, and the file has none yet.
    let others = store.failuresToNote.add(1, ordering: .acquiringAndReleasing).oldValue
    defer { store.failuresToNote.subtract(1, ordering: .acquiringAndReleasing) }
    guard count(failure, others == 0 && failures(of: origin) == 0) else {
      // It is one more of those that the file has.
      return (.unknown, (failures(of: origin) ?? 0) > 0)
    }
    return (failure.verdict, await note(failure.verdict, at: origin))
  }

  /// How many failures the file has of an origin; `nil` for no origin, and where that cannot be read, which says nothing
  /// new.
  private func failures(of origin: OriginGuard?) -> Int? {
    guard let origin else { return nil }
    do throws(StoreError) {
      return try store.storage.failures(of: origin.name)
    } catch {
      return nil
    }
  }

  /// Returns false where the file has not taken it, or has nothing new by it.
  private func note(_ verdict: OriginVerdict, at origin: OriginGuard?) async -> Bool {
    guard let origin else { return false }
    if case .unknown = verdict { return false }
    let now = store.now()
    do throws(StoreError) {
      // Nobody waits for the writers to write nothing, unless a failure waits for them that this answer comes behind.
      if !store.hasFailuresToNote, try !store.storage.changes(verdict, at: origin) { return false }
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.note(verdict, at: origin, now: now)
      }
      return true
    } catch {
      store.report(.notStored(error))
      return false
    }
  }
}

extension FetchFailure {
  /// True when the source was not asked: it is out of reach, or left alone for a while.
  package var isUnasked: Bool {
    if case .offline = code { return true }
    return isPause
  }
}
