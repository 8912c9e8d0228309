extension Getter {
  /// Fetches keys whose leases are already held. The flight is on no table: one that is there waits
  /// for these very leases.
  func results(ofLeased leases: [Lease]) async -> [String: Outcome] {
    var subjects = leases.map { Subject(key: $0.key) }
    look(&subjects)
    let flight = Flight<Value>(isBackground: true)
    let runner = FlightRunner(
      collection: collection, policy: policy, fetch: fetch, flight: flight, seen: [:])
    var copies: [String: Examined<Value>] = [:]
    for subject in subjects { copies[subject.key] = subject.examined }
    let known = copies
    for _ in leases { _ = flight.join() }
    flight.start { await runner.run(leases: leases, copies: known) }
    var results: [String: Outcome] = [:]
    for subject in subjects { results[subject.key] = await outcome(of: subject, from: flight) }
    return results
  }
}
