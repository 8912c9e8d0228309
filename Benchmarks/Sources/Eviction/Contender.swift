/// A policy of the study: its name, and how to run it over a trace.
struct Contender: Sendable {
  let name: String
  let run: @Sendable (Trace, Int) -> Outcome

  init<Simulator: CacheSimulator>(
    _ name: String, _ make: @escaping @Sendable (SimulatorConfiguration) -> Simulator
  ) {
    self.name = name
    run = { trace, capacity in
      let total = trace.weights.reduce(0) { $0 + Int($1) }
      let configuration = SimulatorConfiguration(
        capacity: capacity, universe: trace.universe,
        expectedEntries: max(1, capacity * trace.universe / total), requests: trace.requests)
      var simulator = make(configuration)
      return replay(trace, &simulator)
    }
  }
}

private func replay<Simulator: CacheSimulator>(
  _ trace: Trace, _ simulator: inout Simulator
) -> Outcome {
  var hits = 0
  var hitBytes = 0
  var requests = 0
  var bytes = 0
  let clock = ContinuousClock()
  let start = clock.now
  for (index, key) in trace.requests.enumerated() {
    let weight = Int(trace.weights[Int(key)])
    let hit = simulator.request(key, weight: weight)
    guard index >= trace.warmUp, key < trace.firstUncountedKey else { continue }
    requests += 1
    bytes += weight
    if hit {
      hits += 1
      hitBytes += weight
    }
  }
  let elapsed = clock.now - start
  let nanoseconds =
    Double(elapsed.components.attoseconds) * 1e-9
    + Double(elapsed.components.seconds) * 1e9
  return Outcome(
    hitRatio: Double(hits) / Double(requests), byteHitRatio: Double(hitBytes) / Double(bytes),
    nanoseconds: nanoseconds / Double(trace.requests.count))
}
