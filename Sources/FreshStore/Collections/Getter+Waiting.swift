internal import Strategies

/// The wait of a caller for its flight, and what it takes from there.
extension Getter {
  /// The end of a caller's wait for a flight.
  enum Wait: Sendable {
    case ended(Outcome)
    /// The result does not serve the caller: the flight began before a mark that is older than the
    /// request, found a copy that the caller's policy forbids, or takes so long that the copy is no
    /// longer usable.
    case unserved
    /// The flight returned a variant that does not answer the caller's request.
    case otherVariant
  }

  /// Waits for a flight's result. A flight that another caller began may return one that is not for
  /// this caller.
  func wait(
    for subject: Subject, on flight: Flight<Value>, _ boarding: Flight<Value>.Boarding
  ) async -> Wait {
    let canServe = subject.examined.map { mayServeAfterTimeout($0) } ?? false
    let result = await NestedFetch.waiting(for: flight) {
      await flight.outcome(
        of: subject.key, softTimeout: canServe ? policy.softTimeout : nil,
        limit: boarding == .began ? policy.hardTimeout : policy.waitingLimit,
        clock: store.configuration.clock)
    }
    switch result {
    case nil:
      flight.leaveUnserved()
      return .ended(answer(subject, .failed(.waitsForItself)))
    case .delivery(let delivery):
      if boarding != .began {
        if isTooOld(delivery, for: subject, boarding) { return .unserved }
        if let variant = delivery.outcome.variant, let accepts = policy.acceptsVariant,
          !accepts(variant)
        {
          return .otherVariant
        }
        if isImpatient(delivery, subject) || !isAnswer(delivery.outcome, for: subject) {
          return .unserved
        }
      }
      var told = subject
      told.storeFailure = subject.storeFailure ?? delivery.obstacle
      return .ended(answer(told, delivery.outcome))
    case .softTimeout:
      let present = presently(subject)
      guard let copy = present.examined, mayServeAfterTimeout(copy) else { return .unserved }
      return .ended(serveAfterTimeout(copy))
    case .hardTimeout:
      let failure =
        boarding == .began
        ? FetchFailure.tookTooLong(policy.hardTimeout) : .isFetchedElsewhere(policy.waitingLimit)
      return .ended(answer(subject, .failed(failure)))
    case .cancelled:
      return .ended(.failure(failure(.cancelled, subject.key, subject.examined?.decision)))
    }
  }

  /// Whether the source was asked too early for the caller: before a mark that the caller comes after, or, for one that
  /// asks always, before it came at all.
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

  /// Whether the flight has given up at a limit that is another caller's, and shorter.
  private func isImpatient(_ delivery: Flight<Value>.Delivery, _ subject: Subject) -> Bool {
    guard case .failed(let failure) = delivery.outcome, case .timedOut(let limit) = failure.code,
      let came = subject.came,
      .milliseconds(store.now().sinceBoot) - came < policy.waitingLimit
    else { return false }
    return limit < (delivery.request == nil ? policy.waitingLimit : policy.hardTimeout)
  }

  /// Whether the caller's policy accepts the outcome of another caller's flight.
  ///
  /// A copy that the flight has found must be one that the policy accepts; a caller that asks the
  /// source takes one only if it was asked for after the caller came. A flight that did not ask, because of a
  /// pause, is no answer for a caller that asks regardless of pauses.
  private func isAnswer(_ outcome: Flight<Value>.Outcome, for subject: Subject) -> Bool {
    let (record, isFresh): (StoredRecord, Bool)
    switch outcome {
    case .found(let found, _, let fresh): (record, isFresh) = (found, fresh)
    case .absent(_, let found?): (record, isFresh) = (found, true)
    case .failed(let failure):
      guard failure.isPause else { return true }
      return policy.heedsPauses && !policy.mode.needsSource
    case .stored, .unstored, .absent: return true
    // It is for the requests from before.
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
  /// Fetches keys whose leases are already held. The flight is in no table: one that is there waits
  /// for these very leases.
  ///
  /// No other caller waits for it either, so it ends with the caller; when this returns, the leases
  /// have ended.
  func results(ofLeased leases: [Lease]) async -> [String: Outcome] {
    var subjects = leases.map { Subject(key: $0.key) }
    look(&subjects)
    let flight = Flight<Value>(isBackground: false, lasting: policy.hardTimeout)
    let runner = runner(of: flight, subjects)
    for _ in leases { _ = flight.join(lasting: policy.hardTimeout) }
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
