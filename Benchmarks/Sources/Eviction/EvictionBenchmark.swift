internal import BenchmarkKit
internal import Foundation

/// Compares eviction policies on some traces: how many requests hit.
@main
struct EvictionBenchmark {
  private static let policies: [Contender] = [
    Contender("LRU") { LRUSimulator($0) },
    Contender("CLOCK") { ClockSimulator($0) },
    Contender("SIEVE") { SieveSimulator($0) },
    Contender("S3-FIFO") { S3FIFOSimulator($0) },
    Contender("ours") { QueuesSimulator($0) },
    Contender("W-TinyLFU") { WindowTinyLFUSimulator($0) },
    Contender("2Q") { TwoQueueSimulator($0) },
    Contender("ARC") { ARCSimulator($0) },
    Contender("Belady") { BeladySimulator($0) },
  ]

  static func main() async {
    await Program.run { options in
      var presentation = Presentation(subject: "eviction", options)
      let shares = options.isQuick ? [10] : [1, 10, 25, 50]
      presentation.add(hits(options.isQuick ? [.zipf099] : TraceKind.allCases, shares))
      try presentation.finish()
    }
  }

  private static func hits(_ kinds: [TraceKind], _ shares: [Int]) -> Section {
    var section = Section(
      "Requests that hit, in per cent", columns: ["trace", "cache"] + policies.map(\.name))
    var times = [[Double]](repeating: [], count: policies.count)
    for kind in kinds {
      for share in shares {
        let entries = TraceKind.keyCount * share / 100
        let trace = kind.make(entries: entries, weighted: false, seed: 1)
        let outcomes = policies.map { $0.run(trace, entries) }
        for (index, outcome) in outcomes.enumerated() { times[index].append(outcome.nanoseconds) }
        section.add(
          row: [kind.rawValue, "\(share) %"] + outcomes.map { ($0.hitRatio * 100).figures })
        for (policy, outcome) in zip(policies, outcomes) {
          section.add(
            Figure("\(kind.rawValue), \(share) %: \(policy.name)", outcome.hitRatio * 100, "%"))
        }
      }
    }
    section.add(
      row: ["ns a request, median", ""] + times.map { Samples($0).median.figures })
    return section
  }
}
