internal import BenchmarkKit
internal import FreshStore
internal import Strategies
internal import Workload

/// Many records, already encoded, put into an empty store in batches.
struct BulkPuts {
  private static let batch = 1000

  private let people: People
  private let place: Place
  private let rounds: Int

  init(_ people: People, isQuick: Bool) async throws {
    self.people = people
    place = try await Place(records: 0)
    rounds = isQuick ? 1 : 5
  }

  func measure() async throws -> Section {
    var floor: [Double] = []
    var own: [Double] = []
    for _ in 0..<rounds {
      floor.append(try raw())
      own.append(try await put())
    }
    try place.remove()
    let (raw, put) = (Samples(floor), Samples(own))
    var section = Section(
      "\(people.bytes.count) records, already encoded, into an empty store",
      columns: ["who", "median s", "slowest s", "records a second", "÷ floor"])
    for (name, cost) in [("floor", raw), ("put of many", put)] {
      let rate = Double(people.bytes.count) / cost.median
      section.add(row: [
        name, cost.median.figures, cost.maximum.figures, rate.figures,
        (cost.median / raw.median).figures,
      ])
      section.add(Figure("bulk, \(name)", rate, "1/s"))
    }
    section.judge("put of many ÷ floor", put.median / raw.median, below: 1.3, "")
    section.add(note: "in transactions of \(Self.batch), until the last one is committed")
    return section
  }

  private func raw() throws -> Double {
    let floor = try RawTable(path: try place.copy("floor"), survivesPowerLoss: false)
    let start = ContinuousClock.now
    for first in stride(from: 0, to: people.bytes.count, by: Self.batch) {
      try floor.transaction {
        for number in numbers(from: first) {
          try floor.put("user:\(number)", people.bytes[number])
        }
      }
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func put() async throws -> Double {
    let store = try Store(path: try place.copy("store"))
    let records = try store.collection("people", codec: AnyBytesCodec())
    let batches = stride(from: 0, to: people.bytes.count, by: Self.batch).map { first in
      Dictionary(
        uniqueKeysWithValues: numbers(from: first).map { ("user:\($0)", people.bytes[$0]) })
    }
    let details = FetchDetails(expiry: .after(.seconds(86_400)))
    let start = ContinuousClock.now
    for batch in batches {
      try await records.put(batch, details: details, survivesPowerLoss: false)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    try await store.close()
    return seconds
  }

  private func numbers(from first: Int) -> Range<Int> {
    first..<min(first + Self.batch, people.bytes.count)
  }
}
