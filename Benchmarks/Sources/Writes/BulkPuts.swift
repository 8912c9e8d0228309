internal import BenchmarkKit
internal import FreshStore
internal import Strategies
internal import Workload

/// Many records, already encoded, put into an empty store in batches.
struct BulkPuts {
  private static let batch = 1000

  private struct Cost {
    let seconds: Double
    let processorSeconds: Double
  }

  private struct Start {
    private let time = ContinuousClock.now
    private let processorTime = ProcessUsage.now.processorTime

    var cost: Cost {
      Cost(
        seconds: (ContinuousClock.now - time) / .seconds(1),
        processorSeconds: (ProcessUsage.now.processorTime - processorTime) / .seconds(1))
    }
  }

  private let people: People
  private let place: Place
  private let rounds: Int

  init(_ people: People, isQuick: Bool) async throws {
    self.people = people
    place = try await Place(records: 0)
    rounds = isQuick ? 1 : 5
  }

  func measure() async throws -> Section {
    var floor: [Cost] = []
    var own: [Cost] = []
    for _ in 0..<rounds {
      floor.append(try raw())
      own.append(try await put())
    }
    try place.remove()
    let (raw, put) = (Samples(floor.map(\.seconds)), Samples(own.map(\.seconds)))
    let work = [floor, own].map { Samples($0.map(\.processorSeconds)).median }
    var section = Section(
      "\(people.bytes.count) records, already encoded, into an empty store",
      columns: ["who", "median s", "records a second", "÷ floor", "s of a processor", "÷ floor"])
    let ofFloor = work[0]
    for (name, cost, work) in [("floor", raw, work[0]), ("put of many", put, work[1])] {
      let rate = Double(people.bytes.count) / cost.median
      section.add(row: [
        name, cost.median.figures, rate.figures, (cost.median / raw.median).figures, work.figures,
        (work / ofFloor).figures,
      ])
      section.add(Figure("bulk, \(name)", rate, "1/s"))
    }
    section.judge("put of many ÷ floor", put.median / raw.median, below: 1.3, "")
    section.add(note: "in transactions of \(Self.batch), until the last one is committed")
    return section
  }

  private func raw() throws -> Cost {
    let floor = try RawTable(path: try place.copy("floor"), survivesPowerLoss: false)
    let start = Start()
    for first in stride(from: 0, to: people.bytes.count, by: Self.batch) {
      try floor.transaction {
        for number in numbers(from: first) {
          try floor.put("user:\(number)", people.bytes[number])
        }
      }
    }
    return start.cost
  }

  private func put() async throws -> Cost {
    let store = try Store(path: try place.copy("store"))
    let records = try store.collection("people", codec: AnyBytesCodec())
    let batches = stride(from: 0, to: people.bytes.count, by: Self.batch).map { first in
      Dictionary(
        uniqueKeysWithValues: numbers(from: first).map { ("user:\($0)", people.bytes[$0]) })
    }
    let details = FetchDetails(expiry: .after(.seconds(86_400)))
    let start = Start()
    for batch in batches {
      try await records.put(batch, details: details, durability: .normal)
    }
    let cost = start.cost
    try await store.close()
    return cost
  }

  private func numbers(from first: Int) -> Range<Int> {
    first..<min(first + Self.batch, people.bytes.count)
  }
}
