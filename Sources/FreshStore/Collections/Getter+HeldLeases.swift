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
