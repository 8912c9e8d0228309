internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Workload

/// Opening a large store and reading one record, in a process of its own.
struct FirstRead {
  /// The ways to open it.
  enum Means: String, CaseIterable {
    case floor, store
  }

  private let path: String
  private let records: Int
  private let rounds: Int

  init(path: String, records: Int, isQuick: Bool) {
    self.path = path
    self.records = records
    rounds = isQuick ? 2 : 41
  }

  /// Measures while no process has the store open, or while this process has.
  func measure(isOpenElsewhere: Bool) async throws -> Section {
    var holder: Store?
    if isOpenElsewhere {
      let store = try Store(path: path)
      // Writes, so that there is a log.
      try await store.bytes("others").put([1], for: "one")
      holder = store
    }
    var times: [Means: [Double]] = [:]
    for round in 0...rounds {
      for means in Means.allCases {
        let outcome = try Worker(["open", means.rawValue, path, "user:\(round % records)"]).run()
        guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
        let time = try JSONDecoder().decode(Double.self, from: outcome.output)
        // The first one has the pages to read.
        if round > 0 { times[means, default: []].append(time) }
      }
    }
    try await holder?.close()
    return section(times.mapValues(Samples.init), isOpenElsewhere)
  }

  private func section(_ times: [Means: Samples], _ isOpenElsewhere: Bool) -> Section {
    let state = isOpenElsewhere ? "open elsewhere, too" : "open nowhere else"
    var section = Section(
      "Opening a large store and reading one record: \(state)",
      columns: ["who", "median µs", "p90 µs", "÷ floor"])
    guard let floor = times[.floor], let store = times[.store] else { return section }
    for (name, time) in [("floor", floor), ("store", store)] {
      section.add(row: [
        name, time.median.figures, time.percentile(90).figures,
        (time.median / floor.median).figures,
      ])
      section.add(Figure("opening, \(state), \(name)", time.median, "µs"))
    }
    section.judge("store ÷ floor", store.median / floor.median, below: 1.5, "")
    return section
  }

  /// `open MEANS PATH KEY`: writes the time in microseconds.
  static func run(_ arguments: [String]) async throws {
    let (path, key) = (arguments[2], arguments[3])
    let microseconds =
      arguments[1] == Means.floor.rawValue
      ? try openRaw(path, key) : try await openStore(path, key)
    FileHandle.standardOutput.write(try JSONEncoder().encode(microseconds))
  }

  private static func openRaw(_ path: String, _ key: String) throws -> Double {
    let start = Moment.now
    let table = try RawTable(path: path, survivesPowerLoss: true)
    let count = try table.get(key)?.count
    let microseconds = Double(Moment.now - start) / 1000
    guard count == LargeStore.valueSize else { throw BenchmarkFailure(words: "no \(key)") }
    // Closing is not part of it.
    return withExtendedLifetime(table) { microseconds }
  }

  private static func openStore(_ path: String, _ key: String) async throws -> Double {
    let start = Moment.now
    let store = try Store(path: path, configuration: .withThreeStrategies())
    let reading = try store.bytes("people").read(key)
    let microseconds = Double(Moment.now - start) / 1000
    guard case .fresh(let copy) = reading, copy.value.count == LargeStore.valueSize else {
      throw BenchmarkFailure(words: "\(key) is not fresh")
    }
    try await store.close()
    return microseconds
  }
}
