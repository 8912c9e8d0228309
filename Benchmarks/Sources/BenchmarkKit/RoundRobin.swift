/// Measures contestants in turns, one sample of each after the other, so that other work on the
/// machine affects all alike.
public struct RoundRobin {
  private let samples: Int
  private let sampleTime: Duration

  /// Takes so many samples of each contestant, each of about the time given.
  public init(samples: Int, sampleTime: Duration) {
    self.samples = samples
    self.sampleTime = sampleTime
  }

  /// The time of one turn of each contestant, in nanoseconds.
  public func nanosecondsPerTurn(of contestants: [Contestant]) -> [Samples] {
    let counts = contestants.map(turnsPerSample)
    var values = [[Double]](repeating: [], count: contestants.count)
    for _ in 0..<samples {
      for (index, contestant) in contestants.enumerated() {
        let time = time(contestant, turns: counts[index])
        values[index].append(time.nanoseconds / Double(counts[index]))
      }
    }
    return values.map(Samples.init)
  }

  private func turnsPerSample(of contestant: Contestant) -> Int {
    var turns = 1
    while true {
      // The fastest of several: where others had the processor, a time says nothing about the
      // contestant.
      var time = time(contestant, turns: turns)
      for _ in 0..<2 { time = min(time, self.time(contestant, turns: turns)) }
      if time * 4 >= sampleTime {
        return max(1, Int(Double(turns) * sampleTime.nanoseconds / time.nanoseconds))
      }
      turns *= 2
    }
  }

  private func time(_ contestant: Contestant, turns: Int) -> Duration {
    let start = ContinuousClock.now
    let result = contestant.run(turns)
    let end = ContinuousClock.now
    precondition(result >= 0, "a contestant counts")
    return end - start
  }
}
