internal import BenchmarkKit

/// The costs of the runs of one program.
struct Costs {
  private var rounds: [[Launch.Cost]] = []

  mutating func add(round: [Launch.Cost]) { rounds.append(round) }

  /// In milliseconds, like the two below.
  var time: Double { Self.median(rounds.joined()) { $0.time.milliseconds } }
  var processorTime: Double { Self.median(rounds.joined()) { $0.processorTime.milliseconds } }
  var pageFaults: Double { Self.median(rounds.joined()) { Double($0.pageFaults) } }

  /// The least time, which a busy machine disturbs least.
  var leastTime: Double { rounds.joined().map { $0.time.milliseconds }.min() ?? .nan }

  /// The medians of the rounds, the quickest and the slowest.
  var timeOfRounds: (quickest: Double, slowest: Double) {
    let medians = rounds.map { Self.median($0) { $0.time.milliseconds } }
    return (medians.min() ?? .nan, medians.max() ?? .nan)
  }

  private static func median(
    _ costs: some Sequence<Launch.Cost>, _ value: (Launch.Cost) -> Double
  ) -> Double {
    Samples(costs.map(value)).median
  }
}
