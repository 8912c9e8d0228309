internal import BenchmarkKit
internal import FreshStore
internal import Strategies
internal import Workload

/// Sweeps that mark many neighbouring records, and their cost for a process that reads others.
struct SweepBesideReader {
  private struct Round {
    let rate: Double
    let meanwhile: Samples
    let idle: Samples
  }

  private let place: Place
  private let expired: Int
  private let rounds: Int

  init(records: Int, isQuick: Bool) async throws {
    expired = isQuick ? 2000 : 100_000
    rounds = isQuick ? 1 : 5
    place = try await Place(records: records, expired: expired)
  }

  func measure() async throws -> Section {
    var measured: [Round] = []
    for _ in 0..<rounds { measured.append(try await round()) }
    try place.remove()
    var section = Section(
      "Reads by another process while a sweep marks \(expired) records",
      columns: [
        "round", "marked a second", "idle p50 µs", "idle p99 µs", "meanwhile p50 µs",
        "meanwhile p99 µs", "meanwhile max µs", "p99 ÷ idle",
      ])
    for (index, round) in measured.enumerated() {
      let (idle, meanwhile) = (round.idle, round.meanwhile)
      section.add(row: [
        "\(index + 1)", round.rate.figures, idle.median.figures, idle.percentile(99).figures,
        meanwhile.median.figures, meanwhile.percentile(99).figures, meanwhile.maximum.figures,
        (meanwhile.percentile(99) / idle.percentile(99)).figures,
      ])
    }
    let ratio = Samples(measured.map { $0.meanwhile.percentile(99) / $0.idle.percentile(99) })
    let rate = Samples(measured.map(\.rate))
    section.add(Figure("sweep: marked a second", rate.median, "1/s"))
    section.add(Figure("p99 of reads meanwhile ÷ idle", ratio.median, ""))
    section.judge("p99 of reads meanwhile ÷ idle", ratio.median, below: 2, "")
    section.judge("marked a second", rate.median, atLeast: 100_000, "")
    return section
  }

  private func round() async throws -> Round {
    let path = try place.copy("swept")
    let store = try Store(path: path)
    let calm = try await Reader(on: path, records: place.count)
    try await Task.sleep(for: .seconds(1))
    let idle = try await calm.waits()
    let reader = try await Reader(on: path, records: place.count)
    let start = ContinuousClock.now
    let result = try await store.sweep()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let meanwhile = try await reader.waits()
    guard result.marked == expired else {
      throw BenchmarkFailure(words: "marked \(result.marked) of \(expired) expired records")
    }
    try await store.close()
    return Round(rate: Double(result.marked) / seconds, meanwhile: meanwhile, idle: idle)
  }
}
