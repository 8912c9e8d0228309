import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct QueueTests {
  /// Stores the keys `1` to `count`, which expire one second after the other, and sweeps when all
  /// have.
  private func fill(_ temporary: TemporaryStore, _ count: Int) async throws
    -> RecordCollection<Int>
  {
    let numbers = try temporary.store.collection("numbers", of: Int.self)
    for number in (1...count).reversed() {
      try await numbers.put(
        number, for: "\(number)",
        details: FetchDetails(expiry: .after(.seconds(number)), source: "source \(number)"))
    }
    temporary.clock.advance(by: .seconds(count))
    _ = try await temporary.store.sweep()
    return numbers
  }

  @Test func `records requested while they waited come before records that have waited longer`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 5)
      for _ in 1...2 { _ = try numbers.read("4") }
      _ = try numbers.read("3")

      let due = try await temporary.store.due(limit: 5)

      #expect(due.map(\.key) == ["4", "3", "1", "2", "5"])
      #expect(due.first?.deadline == temporary.clock.reading().wall.advanced(by: .seconds(-1)))
    }
  }

  @Test func `a mark does not move a due record behind records that are due later`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 3)
      temporary.clock.advance(by: .seconds(1))
      try await numbers.markStale("1")

      #expect(try await temporary.store.due(limit: 3).map(\.key) == ["1", "2", "3"])
    }
  }

  @Test func `a record requested after it was seen is still handed out`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 2)
      let store = temporary.store
      let seen = try await store.queued(limit: 2, perOrigin: 2) { _, _ in "anybody" }
      _ = try numbers.read("2")
      // This continues with the recorded requests.
      _ = try await store.queued(limit: 2, perOrigin: 2) { _, _ in "anybody" }

      #expect(try await store.claim(seen.records, holding: .seconds(60)).count == 2)
    }
  }

  @Test func `a request for a record out of reach counts, too`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 2)
      var policy = Policy()
      policy.reachability = .assume(.offline("cut"))
      let numbers = try temporary.store.collection("numbers", of: Int.self, policy: policy)
      let reading = try numbers.read("2")

      #expect(reading.decision.outcome == .offline)
      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["2", "1"])
    }
  }

  @Test func `repeated requests move a record forward by a day at most`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 1)
      temporary.clock.advance(by: .seconds(86_400))
      try await numbers.put(2, for: "2", details: FetchDetails(expiry: .after(.seconds(1))))
      temporary.clock.advance(by: .seconds(2))
      _ = try await temporary.store.sweep()
      for _ in 1...3000 { _ = try numbers.read("2") }

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["1", "2"])
    }
  }

  @Test func `a claimed record stays claimed however often it is requested`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 1)
      let held = try await temporary.store.due(limit: 1, holding: .seconds(60))
      for _ in 1...10 { _ = try numbers.read("1") }

      #expect(held.count == 1)
      #expect(try await temporary.store.due(limit: 1).isEmpty)
    }
  }

  @Test func `the oldest deadline comes first`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 5)

      let due = try await temporary.store.due(limit: 3)

      #expect(due.map(\.key) == ["1", "2", "3"])
      #expect(due.map(\.address) == ["source 1", "source 2", "source 3"])
      let first = try #require(due.first?.deadline)
      #expect(due.map { $0.deadline?.duration(since: first) } == [.zero, .seconds(1), .seconds(2)])
    }
  }

  @Test func `several workers share the queue, and each record goes to one`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 30)
      let other = try temporary.another()

      async let first = temporary.store.due(limit: 20)
      async let second = other.due(limit: 20)
      let handed = try await [first, second].flatMap { $0.map(\.key) }
      try await other.close()

      #expect(handed.count == 30 && Set(handed).count == 30)
    }
  }

  @Test func `a record whose worker dies is handed out again after its time`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 1)

      let first = try await temporary.store.due(limit: 1, holding: .seconds(10))
      temporary.clock.advance(by: .milliseconds(9999))
      let early = try await temporary.store.due(limit: 1)
      temporary.clock.advance(by: .milliseconds(1))
      let again = try await temporary.store.due(limit: 1)

      #expect(first.map(\.key) == ["1"] && again.map(\.key) == ["1"])
      #expect(early.isEmpty)
    }
  }

  @Test func `a record that is given back is due at once`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 3)

      let first = try await temporary.store.due(limit: 2)
      try await temporary.store.giveBack(first)
      let again = try await temporary.store.due(limit: 3)

      #expect(again.map(\.key) == ["1", "2", "3"])
    }
  }

  @Test(arguments: [Duration.seconds(90), .seconds(-90)])
  func `a record that is given back after a step of the wall clock is due at once`(
    _ step: Duration
  ) async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 2)

      let first = try await temporary.store.due(limit: 1, holding: .seconds(3600))
      temporary.clock.stepWall(by: step)
      try await temporary.store.giveBack(first)

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["1", "2"])
    }
  }

  @Test func `a record that another worker holds is not moved by a late return`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 1)

      let first = try await temporary.store.due(limit: 1)
      try await temporary.store.giveBack(first)
      let other = try temporary.another()
      let second = try await other.due(limit: 1)
      try await temporary.store.giveBack(first)

      #expect(second.map(\.key) == ["1"])
      #expect(try await temporary.store.due(limit: 1).isEmpty)
      #expect(try temporary.store.backlog().due == 0)
      try await other.close()
    }
  }

  @Test func `a refetch of handed-out records stores them and empties the queue`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 3)

      let due = try await temporary.store.due(limit: 3)
      let results = await numbers.refetch(due) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value(($0.value ?? 0) * 10)) })
      }
      temporary.clock.advance(by: .seconds(60))

      #expect(try results.mapValues { try $0.get().value } == ["1": 10, "2": 20, "3": 30])
      #expect(try numbers.read("3").copy?.value == 30)
      #expect(try numbers.state("3") == .fresh)
      #expect(try await temporary.store.due(limit: 3).isEmpty)
      #expect(try temporary.store.statistics().leases == 0)
    }
  }

  @Test func `a failed refetch postpones the record's next turn`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      _ = try await fill(temporary, 1)
      var policy = Policy()
      policy.retryPause = .seconds(100)
      let numbers = try temporary.store.collection("numbers", of: Int.self, policy: policy)

      let due = try await temporary.store.due(limit: 1)
      let results = await numbers.refetch(due) { _ in throw OriginFailure() }
      temporary.clock.advance(by: .milliseconds(49_999))
      let early = try await temporary.store.due(limit: 1)
      temporary.clock.advance(by: .milliseconds(1))
      let again = try await temporary.store.due(limit: 1)

      guard case .failure(let failure) = results["1"] else {
        Issue.record("\(results)")
        return
      }
      #expect(failure.fetchFailure?.underlying is OriginFailure)
      #expect(early.isEmpty)
      #expect(again.map(\.failures) == [1])
    }
  }

  @Test func `a record that is being fetched is skipped`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 2)
      let origin = ScriptedOrigin<Int> { _ in .value(9) }
      origin.hold()

      async let fetched = numbers.get("1", from: origin)
      await origin.calls(atLeast: 1)
      let due = try await temporary.store.due(limit: 2)
      origin.release()
      _ = try await fetched

      #expect(due.map(\.key) == ["2"])
    }
  }

  @Test func `a record that a get fetches meanwhile leaves the queue`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 2)
      let origin = ScriptedOrigin<Int> { _ in .value(9) }

      try await numbers.get("1", from: origin)

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["2"])
    }
  }

  @Test func `one collection's queue does not affect the others`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary, 2)
      let others = try temporary.store.collection("others", of: Int.self)
      try await others.put(1, for: "x", details: FetchDetails(expiry: .immediately))
      _ = try await temporary.store.sweep()

      let due = try await temporary.store.due(collection: "others", limit: 10)

      #expect(due.map(\.key) == ["x"] && due.map(\.collection) == ["others"])
    }
  }

  @Test func `a record with a pending write is not handed out`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 2)
      try await numbers.write(7, for: "1")

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["2"])
    }
  }

  @Test func `a marked record is due since its mark`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.put(1, for: "1", details: FetchDetails(expiry: .never))
      try await numbers.markStale("1")

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [(0, 1), (-1, 1), (1, 0), (1, -5)])
  func `a limit or a time of zero is refused`(_ limit: Int, _ holding: Int) async throws {
    try await TemporaryStore.run { temporary in
      let failure = await storeFailure {
        try await temporary.store.due(limit: limit, holding: .seconds(holding))
      }
      #expect(
        failure?.code == .invalidArgument("the limit and the time to hold must be positive"))
    }
  }

  @Test func `a record that a reader finds covered by a mark is due, whenever it expires`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let details = FetchDetails(expiry: .after(.seconds(86_400)), tags: ["t"])
      try await numbers.put(1, for: "1", details: details)
      try await temporary.store.markStale(tag: "t")
      _ = try numbers.read("1")
      _ = try await temporary.store.sweep()

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["1"])
    }
  }

  @Test func `a marked record that is given back is due at once, whenever it expires`() async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.put(1, for: "1", details: FetchDetails(expiry: .after(.seconds(86_400))))
      try await numbers.markStale("1")
      try await temporary.store.giveBack(try await temporary.store.due(limit: 2))

      #expect(try await temporary.store.due(limit: 2).map(\.key) == ["1"])
    }
  }

  @Test func `a record that another store is fetching keeps its place`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 1)
      let (store, path) = (temporary.store, temporary.path)
      let now = temporary.clock.reading().wall.millisecondsSinceEpoch
      _ = try await numbers.get("1", policy: .strict) { _ in
        let due = try await store.due(limit: 1)
        let later = try RawDatabase(path).integer(
          "SELECT count(*) FROM record WHERE queue_at > \(now)")
        #expect(due.isEmpty && later == 0)
        return .value(2)
      }
    }
  }

  @Test func `records that others are fetching keep no others from being handed out`() async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try await fill(temporary, 3)
      let store = temporary.store
      _ = try await numbers.get("1", policy: .strict) { _ in
        let keys = try await store.due(limit: 1).map(\.key)
        #expect(keys == ["2"])
        return .value(2)
      }
    }
  }
}
