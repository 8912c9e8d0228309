internal import BenchmarkKit
internal import FreshStore
internal import Strategies
internal import Workload

/// Reads of fresh copies in memory, by a host alone and by one of a fleet.
struct LocalHits {
  private static let records = 500

  let contestants: [Contestant]
  private let stores: [Store]

  /// Opens two stores in a folder and fills them.
  init(in place: Place, address: String) async throws {
    var (contestants, stores): ([Contestant], [Store]) = ([], [])
    for (name, isInFleet) in [("a host alone", false), ("a host of a fleet", true)] {
      var configuration = Configuration.withThreeStrategies(
        memory: MemoryLimits(records: 400_000, bytes: 1 << 30))
      if isInFleet { configuration.sharedTier = try Database.client(address) }
      let store = try Store(
        path: try place.copy(isInFleet ? "fleet" : "alone"), configuration: configuration)
      // Values that were put before the first news are suspect.
      try await store.takeInFleetMarks()
      let people = try store.collection("people", of: Person.self)
      try await people.put(
        Dictionary(uniqueKeysWithValues: (0..<Self.records).map { ("user:\($0)", Person($0)) }),
        details: FetchDetails(expiry: .after(.seconds(86_400))), durability: .normal)
      for number in 0..<Self.records { _ = try people.read("user:\(number)") }
      let traffic = Traffic(records: Self.records)
      contestants.append(
        Contestant(name, answer: "value") { Self.read(people, traffic, $0) })
      stores.append(store)
    }
    (self.contestants, self.stores) = (contestants, stores)
  }

  private static func read(
    _ people: RecordCollection<Person>, _ traffic: Traffic, _ turns: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // A record that is not fresh, or an error, ends the run.
      guard case .fresh(let copy)? = try? people.read(traffic.nextKey()) else { return -1 }
      sum &+= copy.value.id
    }
    return sum
  }

  /// The times.
  func measure(isQuick: Bool) async throws -> Section {
    let costs = RoundRobin(
      samples: isQuick ? 5 : 51, sampleTime: .milliseconds(isQuick ? 1 : 20)
    ).nanosecondsPerTurn(of: contestants)
    var section = Section(
      "A read of a fresh copy in memory", columns: ["who", "median ns", "p99 ns"])
    for (contestant, cost) in zip(contestants, costs) {
      section.add(row: [contestant.name, cost.median.figures, cost.percentile(99).figures])
      section.add(Figure("local hit, \(contestant.name)", cost.median, "ns"))
    }
    for store in stores { try await store.close() }
    return section
  }

  /// The instructions, each counted in a process of its own.
  static func instructions() throws -> Section {
    var section = Section(
      "Instructions of a read of a fresh copy in memory",
      columns: ["who", "answer", "instructions"])
    try InstructionCount.measure(into: &section, turns: 2000) { contestant in
      ["count", "\(contestant)", "2000"]
    }
    let counts = section.figures.map(\.value)
    if counts.count == 2 {
      section.judge("what the fleet adds", counts[1] - counts[0], atMost: 0, "instructions")
    }
    return section
  }
}
