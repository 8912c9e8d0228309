internal import Strategies

/// The wait of a caller for its flight, and the result that the caller takes.
extension Getter {
  /// The end of a caller's wait for a flight.
  enum Wait: Sendable {
    case ended(Outcome)
    /// The result does not serve the caller, for one of these reasons:
    ///
    /// - The flight began before a mark that is older than the request.
    /// - The flight found a copy that the caller's policy forbids.
    /// - The flight takes so long that the copy is no longer usable.
    case unserved
    /// The flight returned a variant that does not answer the caller's request.
    case otherVariant
    /// Another host has asked the source before the caller came, and its record has a later number here.
    case foundTooEarly
    /// The flight has given up at a limit that is shorter than the caller's.
    case impatient
  }

  /// Waits for a flight's result. A flight that another caller began may return a result that is not for this caller.
  func wait(
    for subject: Subject, on flight: Flight<Value>, _ boarding: Flight<Value>.Boarding
  ) async -> Wait {
    let canServe = subject.examined.map { mayServeAfterTimeout($0) } ?? false
    let limit = limit(of: flight, boarding)
    let result = await NestedFetch.waiting(for: flight) {
      await flight.outcome(
        of: subject.key, softTimeout: canServe ? policy.softTimeout : nil, limit: limit,
        clock: store.configuration.clock)
    }
    switch result {
    case nil:
      flight.leave()
      return .ended(answer(subject, .failed(.waitsForItself)))
    case .delivery(let delivery):
      if boarding != .began {
        if isFoundTooEarly(delivery, for: subject) { return .foundTooEarly }
        if isTooOld(delivery, for: subject, boarding) { return .unserved }
        if let variant = delivery.outcome.variant, let accepts = policy.acceptsVariant,
          !accepts(variant)
        {
          return .otherVariant
        }
        if isImpatient(delivery, subject) { return .impatient }
        if !isAnswer(delivery.outcome, for: subject) { return .unserved }
      }
      var told = subject
      told.storeFailure = subject.storeFailure ?? delivery.obstacle
      return .ended(answer(told, delivery.outcome))
    case .softTimeout:
      let present = presently(subject)
      guard let copy = present.examined, mayServeAfterTimeout(copy) else { return .unserved }
      return .ended(serveAfterTimeout(copy))
    case .hardTimeout:
      return .ended(
        answer(subject, .failed(.isFetchedElsewhere(limit ?? policy.waitingLimit))))
    case .cancelled:
      return .ended(.failure(failure(.cancelled, subject.key, subject.examined?.decision)))
    }
  }

  /// The caller's own limit; `nil` where the flight ends before that in any case.
  ///
  /// A caller that joins before the source is asked waits as one that begins a flight: for leases, and then for the
  /// source.
  private func limit(of flight: Flight<Value>, _ boarding: Flight<Value>.Boarding) -> Duration? {
    let (limit, longest): (Duration, Duration)
    switch boarding {
    case .began: return nil
    case .joined:
      limit = policy.waitingLimit + policy.hardTimeout
      longest = flight.limits.waiting + flight.limits.asking
    case .joinedLate: (limit, longest) = (policy.waitingLimit, flight.limits.asking)
    }
    return limit < longest ? limit : nil
  }

  /// True when the source was asked too early for the caller: before a mark that is older than the caller's request.
  ///
  /// For a caller that always asks, it was also too early before the caller came.
  private func isTooOld(
    _ delivery: Flight<Value>.Delivery, for subject: Subject, _ boarding: Flight<Value>.Boarding
  ) -> Bool {
    guard let request = delivery.request else { return false }
    let isLate = boarding == .joinedLate
    guard let asked = subject.asked, request != Flight<Value>.unknownNumber else {
      return isLate && (delivery.isOutdated || policy.mode.asksAlways)
    }
    if delivery.isOutdated, request < asked { return true }
    return isLate && policy.mode.asksAlways && request <= asked
  }

  /// True when the flight has given up at another caller's limit that is shorter than this caller's.
  private func isImpatient(_ delivery: Flight<Value>.Delivery, _ subject: Subject) -> Bool {
    guard case .failed(let failure) = delivery.outcome, case .timedOut(let limit) = failure.code,
      let came = subject.came,
      .milliseconds(store.now().sinceBoot) - came < policy.waitingLimit
    else { return false }
    return limit < (delivery.request == nil ? policy.waitingLimit : policy.hardTimeout)
  }

  /// True for a caller that always asks, where a found record is from a request before the caller came.
  private func isFoundTooEarly(
    _ delivery: Flight<Value>.Delivery, for subject: Subject
  ) -> Bool {
    switch delivery.outcome {
    case .found, .absent(_, .some): break
    default: return false
    }
    guard policy.mode.asksAlways, let request = delivery.request, let asked = subject.asked
    else { return false }
    return request < asked
  }

  /// True when the caller's policy accepts the outcome of another caller's flight.
  ///
  /// The policy must accept a copy that the flight has found. A caller that asks the source takes such a copy only if
  /// it was requested after the caller came. A flight that did not ask because of a pause has no answer for a caller
  /// that ignores pauses.
  private func isAnswer(_ outcome: Flight<Value>.Outcome, for subject: Subject) -> Bool {
    let (record, isFresh): (StoredRecord, Bool)
    switch outcome {
    case .found(let found, _, let fresh): (record, isFresh) = (found, fresh)
    case .absent(_, let found?): (record, isFresh) = (found, true)
    case .failed(let failure):
      guard failure.isPause else { return true }
      return policy.heedsPauses && !policy.mode.needsSource
    case .stored, .unstored, .absent: return true
    // This outcome is for the requests from before the wipe.
    case .wiped: return false
    }
    if policy.mode.asksAlways {
      guard let asked = subject.asked, record.epoch > asked else { return false }
    }
    if policy.mode.needsSource, !isFresh || record.isPending { return false }
    return store.judge(
      collection.wanted(subject.key), StoredRow(record),
      SharedPolicy(policy),
      now: store.now()
    ).isServable
  }
}

extension Getter {
  /// Fetches keys whose leases are already held.
  ///
  /// The flight is in no table: a flight in the table waits for these very leases. No other caller waits for this
  /// flight, so it ends with the caller. When this returns, the leases have ended.
  func results(ofLeased leases: [Lease]) async -> [String: Outcome] {
    var subjects = leases.map { Subject(key: $0.key) }
    look(&subjects)
    let flight = Flight<Value>(isBackground: false, by: policy)
    let runner = runner(of: flight, subjects)
    for _ in leases { _ = flight.join() }
    collection.flights.start(flight) { await runner.run(leases: leases, copies: runner.copies) }
    var results: [String: Outcome] = [:]
    for subject in subjects {
      if case .ended(let outcome) = await wait(for: subject, on: flight, .began) {
        results[subject.key] = outcome
      }
    }
    if Task.isCancelled { await flight.cancel() }
    return results
  }
}
