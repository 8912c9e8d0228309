internal import BenchmarkKit
internal import Foundation
internal import FreshStore

/// Sweeps of one large store, and their comparisons, on fresh copies, one after the other.
struct SweepRound {
  private let count: Int
  private let store: LargeStore

  private struct Sweep {
    let result: SweepResult
    let seconds: Double
    let waits: Samples
  }

  init(count: Int) async throws {
    self.count = count
    store = try await LargeStore(count: count)
  }

  func measure() async throws -> [Section] {
    var sweeps: [Sweep] = []
    var updates: [(update: RawUpdate, waits: Samples)] = []
    var calm: [Samples] = []
    for _ in 0..<(count > 2_000_000 ? 2 : 3) {
      sweeps.append(try await sweep(try store.copy()))
      updates.append(try await update(try store.copy()))
      calm.append(
        try await withWriter(on: try store.copy()) { try await Task.sleep(for: .seconds(3)) }.1)
    }
    try store.remove()
    return [cost(sweeps, updates.map(\.update)), waits(sweeps, updates.map(\.waits), calm)]
  }

  private func withWriter<Result>(
    on path: String, _ body: () async throws -> Result
  ) async throws -> (Result, Samples) {
    let writer = try await OtherWriter(on: path)
    let result = try await body()
    return (result, try await writer.waits())
  }

  private func sweep(_ path: String) async throws -> Sweep {
    // Opened before another process uses the file: a log in use would be taken for a leftover, and
    // the whole file be checked once.
    let store = try Store(path: path)
    let ((result, seconds), waits) = try await withWriter(on: path) {
      let start = ContinuousClock.now
      let result = try await store.sweep()
      return (result, (ContinuousClock.now - start) / .seconds(1))
    }
    try await store.close()
    return Sweep(result: result, seconds: seconds, waits: waits)
  }

  private func update(_ path: String) async throws -> (update: RawUpdate, waits: Samples) {
    let (update, waits) = try await withWriter(on: path) { try RawUpdate(path: path) }
    return (update, waits)
  }

  private func cost(_ sweeps: [Sweep], _ updates: [RawUpdate]) -> Section {
    var section = Section(
      "Marking 1 % of \(count) records",
      columns: ["who", "marked", "seconds", "a second", "÷ raw", "longest hold ms"])
    let raw = updates.map { ($0.held + $0.checkpoint) / .seconds(1) }
    let rate = Double(updates[0].marked) / Samples(raw).median
    for (update, seconds) in zip(updates, raw) {
      section.add(row: [
        "raw UPDATE and its checkpoint", "\(update.marked)", seconds.figures,
        (Double(update.marked) / seconds).figures, (Double(update.marked) / seconds / rate).figures,
        (max(update.held, update.checkpoint) / .milliseconds(1)).figures,
      ])
    }
    for sweep in sweeps {
      let own = Double(sweep.result.marked) / sweep.seconds
      let hold = sweep.result.longestHold / .milliseconds(1)
      section.add(row: [
        "sweep", "\(sweep.result.marked)", sweep.seconds.figures, own.figures,
        (own / rate).figures, hold.figures,
      ])
      section.add(Figure("sweep of \(count): marked a second", own, "1/s"))
      section.add(Figure("sweep of \(count): longest hold", hold, "ms"))
    }
    section.add(Figure("raw UPDATE of \(count): marked a second", rate, "1/s"))
    section.add(note: "built through the store in \(store.seconds.figures) s")
    return section
  }

  private func waits(_ sweeps: [Sweep], _ updates: [Samples], _ calm: [Samples]) -> Section {
    var section = Section(
      "Storing one record from another process meanwhile, \(count) records",
      columns: ["meanwhile", "puts", "p50 ms", "p99 ms", "max ms"])
    let kinds = [
      ("nothing", calm), ("sweep", sweeps.map(\.waits)), ("raw UPDATE and its checkpoint", updates),
    ]
    for (name, rounds) in kinds {
      for waits in rounds {
        section.add(row: [
          name, "\(waits.count)", waits.median.figures, waits.percentile(99).figures,
          waits.maximum.figures,
        ])
        section.add(Figure("\(count), \(name): p99", waits.percentile(99), "ms"))
      }
    }
    for sweep in sweeps {
      section.judge("p99 of a put during a sweep", sweep.waits.percentile(99), below: 5, "ms")
    }
    return section
  }
}
