internal import Strategies
internal import Synchronization

extension RecordCollection {
  /// Asks the source of a policy, where it may be asked now. The breaker of the source and the route to it learn the
  /// result, as of every fetch.
  ///
  /// - Parameters:
  ///   - canWait: True when a copy can answer meanwhile: then the pause of a suspected route counts.
  ///   - signsIn: False for a request without credentials of its own: it never causes a hold of its origin.
  ///   - blame: Returns the failure of the whole origin that an answer shows, as HTTP's 502 to 504 do.
  ///   - excuse: Called when the time is over. Returns the failure of this process in which the source has no part;
  ///     `nil` where the source is to blame.
  ///   - count: Returns false for a failure that says nothing new of the source as a whole: its breaker does not hear
  ///     of it. `isFirst` is true when the file has no failure of that source, as after any answer or an end of its
  ///     pauses.
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

  /// The failure of a request whose source is provably out of reach; `nil` for any other request. It reads no file.
  package func offlineFailure(by policy: Policy) -> FetchFailure? {
    admission(policy).offline?.failure
  }

  /// The failure of a request that would not be made now; `nil` for any other request.
  ///
  /// The source of such a request is out of reach, in a pause or held. This changes nothing. Cost: at most one SELECT.
  package func obstacle(by policy: Policy, canWait: Bool) -> FetchFailure? {
    do throws(StoreError) {
      return try admission(policy).look(for: SourceAdmission.Request(canWait: canWait))?.failure
    } catch {
      // The request itself reports the error.
      return nil
    }
  }

  /// Notes the result of a request. Returns the verdict, and true when the result is a failure and the file has a
  /// failure now.
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
    // Of simultaneous failures, one is the first: the rest wait for the writers while the file has no failure yet.
    let others = store.failuresToNote.add(1, ordering: .acquiringAndReleasing).oldValue
    defer { store.failuresToNote.subtract(1, ordering: .acquiringAndReleasing) }
    guard count(failure, others == 0 && failures(of: origin) == 0) else {
      // The file has earlier failures, to which this one adds nothing new.
      return (.unknown, (failures(of: origin) ?? 0) > 0)
    }
    return (failure.verdict, await note(failure.verdict, at: origin))
  }

  /// The number of an origin's failures in the file; `nil` without an origin, and where the file cannot be read.
  ///
  /// A file that cannot be read says nothing new.
  private func failures(of origin: OriginGuard?) -> Int? {
    guard let origin else { return nil }
    do throws(StoreError) {
      return try store.storage.failures(of: origin.name)
    } catch {
      return nil
    }
  }

  /// Notes a verdict in the file. Returns false where the file has not taken it, or has nothing new by it.
  private func note(_ verdict: OriginVerdict, at origin: OriginGuard?) async -> Bool {
    guard let origin else { return false }
    if case .unknown = verdict { return false }
    let now = store.now()
    do throws(StoreError) {
      // An answer that changes nothing does not wait for the writers. It does so only behind a failure that waits for
      // them.
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
  /// True when the source was not asked, because it is out of reach or in a pause.
  package var isUnasked: Bool {
    if case .offline = code { return true }
    return isPause
  }
}
