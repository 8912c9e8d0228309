/// Measures several servers under the same load, one sample of each in turn, round after round.
struct Contest {
  let load: Load
  let rounds: Int
  let origin: RunningServer

  func run(
    _ servers: [RunningServer], _ keys: (_ round: Int) -> Load.Keys
  ) throws -> [Standing] {
    var standings = servers.map { Standing($0.name) }
    for round in 0..<rounds {
      for (index, server) in servers.enumerated() {
        standings[index].add(try sample(server, keys(round)))
      }
    }
    return standings
  }

  /// One sample.
  func sample(_ server: RunningServer, _ keys: Load.Keys) throws -> Standing.Sample {
    let asked = try Origin.requests(of: origin.port)
    let time = server.processes.processorTime
    let outcome = try load.run(keys, on: server.port)
    let processorSeconds = server.processes.processorTime - time
    return Standing.Sample(
      outcome: outcome,
      processorMicroseconds: processorSeconds * 1_000_000 / Double(outcome.requests),
      passedOn: try Origin.requests(of: origin.port) - asked)
  }
}
