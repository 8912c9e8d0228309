internal import BenchmarkKit

/// Measures entrants in rounds, one sample of each after the other, so that other work on the
/// machine affects all alike.
struct Race {
  let rounds: Int

  /// The nanoseconds of one turn of each, in samples of about the time given.
  func costs(of entrants: [Entrant], sampleTime: Duration) async throws -> [Samples] {
    var turns: [Int] = []
    for entrant in entrants {
      turns.append(try await self.turns(of: entrant, in: sampleTime))
    }
    return try await costs(of: entrants, turns: turns)
  }

  /// The nanoseconds of one turn of each, in samples of so many turns.
  func costs(of entrants: [Entrant], turns: Int) async throws -> [Samples] {
    try await costs(of: entrants, turns: entrants.map { min(turns, $0.limit) })
  }

  private func costs(of entrants: [Entrant], turns: [Int]) async throws -> [Samples] {
    var costs = [[Double]](repeating: [], count: entrants.count)
    for _ in 0..<rounds {
      for (index, entrant) in entrants.enumerated() {
        let time = try await entrant.measure(turns[index])
        costs[index].append(time.nanoseconds / Double(turns[index]))
      }
    }
    return costs.map(Samples.init)
  }

  private func turns(of entrant: Entrant, in sampleTime: Duration) async throws -> Int {
    var turns = 1
    while true {
      // The fastest of several: where others had the processor, a time says nothing about the
      // entrant.
      var time = try await entrant.measure(turns)
      for _ in 0..<2 { time = min(time, try await entrant.measure(turns)) }
      if time * 4 >= sampleTime {
        return max(1, Int(Double(turns) * sampleTime.nanoseconds / time.nanoseconds))
      }
      turns *= 2
    }
  }
}
