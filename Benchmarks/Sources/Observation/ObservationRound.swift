internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc

/// Commits here, and an observer in another process.
struct ObservationRound {
  let latencies: Samples
  let row: [String]

  init(count: Int, pause: Duration) async throws {
    let place = try Place()
    defer { place.remove() }
    let store = try Store(path: place.path)
    let records = try store.bytes("told")
    let observer = Task.detached { [place] in
      try Worker(["observe", place.path, place.ready]).run()
    }
    // It has no other way to report: its output is read at its end.
    while unsafe access(place.ready, F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    var committed: [String: Int64] = [:]
    for number in 0..<count {
      let key = "\(number)"
      try await records.put([1, 2, 3], for: key, durability: .normal)
      committed[key] = Moment.now
      if pause > .zero { try await Task.sleep(for: pause) }
    }
    try await records.put([1], for: "last", durability: .normal)
    let outcome = try await observer.value
    try await store.close()
    guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
    let told = try JSONDecoder().decode([String: Int64].self, from: outcome.output)
    // A notification before the call had returned counts as immediate.
    let values = committed.compactMap { key, moment in
      told[key].map { max(0, Double($0 - moment) / 1_000_000) }
    }
    latencies = Samples(values)
    row = [
      "\(count)", pause == .zero ? "nothing" : "\(Int(pause.milliseconds)) ms",
      latencies.median.figures,
      latencies.percentile(99).figures, latencies.maximum.figures, "\(count - values.count)",
    ]
  }
}
