import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Synchronization
import Testing

@Suite struct PushingTests {
  private let asked = Asked()

  /// Has the synchronizer push the writes of the shelf; pushes and fetches are recorded in order.
  private func pushing(
    _ shelf: Shelf, conflicts: ConflictPolicy<Int> = .parks,
    _ push: @escaping @Sendable (PendingWrite<Int>) async throws -> Pushed<Int> = { _ in .accepted }
  ) {
    let asked = asked
    shelf.synchronizer.add(shelf.numbers, conflicts: conflicts) { previous in
      asked.note(["get \(previous.key)"])
      return .value(0)
    } push: { write in
      asked.note(["put \(write.key) \(write.value ?? -1)"])
      return try await push(write)
    }
  }

  @Test func `local writes are pushed before any fetch`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 2, options: options)
      pushing(shelf)
      try await shelf.numbers.write(7, for: "new")

      let report = try await shelf.synchronizer.drain()

      #expect(report.pushed == 1 && report.fetched == 2)
      #expect(asked.batches == [["put new 7"], ["get 1"], ["get 2"]])
      #expect(try shelf.store.outbox().isEmpty)
      #expect(try shelf.numbers.read("new").copy?.value == 7)
    }
  }

  @Test func `the writes of a key are pushed in order, and wake a sleeping run`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      pushing(shelf)

      try await shelf.running {
        await shelf.idle()
        for value in 1...3 { try await shelf.numbers.write(value, for: "k") }
        _ = await shelf.status { $0.report.pushed == 3 && $0.inFlight == 0 }
      }

      #expect(asked.batches == [["put k 1"], ["put k 2"], ["put k 3"]])
    }
  }

  @Test(arguments: [
    (SyncOptions.WriteOrder.ofWriting, ["put b 1"], ["put b 1", "put a 2", "put c 3", "put b 4"]),
    (
      .byKey, ["put c 3", "put b 1", "put a 2"],
      ["put c 3", "put b 1", "put a 2", "put b 1", "put b 4"]
    ),
  ])
  func `writes go out key by key, or all in the order of writing, however urgent`(
    order: SyncOptions.WriteOrder, first: [String], all: [String]
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      var options = SyncOptions()
      (options.order, options.concurrency) = (order, 1)
      let shelf = try await Shelf(temporary, stale: 0, options: options)
      let fails = Mutex(true)
      pushing(shelf) { write in
        if write.key == "b", fails.withLock({ $0 }) { throw OriginFailure(blamesOrigin: false) }
        return .accepted
      }
      try await shelf.numbers.write(1, for: "b")
      try await shelf.numbers.write(2, for: "a")
      try await shelf.numbers.write(3, for: "c", options: WriteOptions(priority: 9))
      try await shelf.numbers.write(4, for: "b")

      _ = try await shelf.synchronizer.drain()
      #expect(asked.batches.joined().map(\.self) == first)
      fails.withLock { $0 = false }
      shelf.clock.advance(by: .minutes(5))
      _ = try await shelf.synchronizer.drain()
      let expected = order == .ofWriting ? ["put b 1"] + all : all
      #expect(asked.batches.joined().map(\.self) == expected)
      #expect(try shelf.store.outbox().isEmpty)
    }
  }

  @Test func `no write is pushed while offline, and all are when the network is back`() async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      pushing(shelf)
      temporary.reachability.set(.offline("none"))
      try await shelf.numbers.write(1, for: "k")

      try await shelf.running {
        _ = await shelf.status { $0.phase == .offline(because: "none") }
        #expect(asked.batches.isEmpty)
        temporary.reachability.set(.online)
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(25))
        _ = await shelf.status { $0.report.pushed == 1 }
      }

      #expect(asked.batches == [["put k 1"]])
      #expect(try shelf.store.outbox().isEmpty)
    }
  }

  @Test func `a drain tries a failing write once`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 0, options: options)
      pushing(shelf) { _ in throw SourceRefusal() }
      try await shelf.numbers.write(1, for: "a")
      try await shelf.numbers.write(2, for: "b")

      let report = try await shelf.synchronizer.drain()

      #expect(report.pushed == 0 && report.failed == 2 && report.deferred == 0)
      #expect(asked.batches == [["put a 1"], ["put b 2"]])
      #expect(try shelf.store.outbox().map(\.attempts) == [1, 1])
      #expect(try await shelf.store.dueWrites(limit: 9).isEmpty)
      shelf.clock.advance(by: .milliseconds(100))
      #expect(try await shelf.store.dueWrites(limit: 9).count == 2)
    }
  }

  @Test func `a refusal and a lost conflict are counted`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      pushing(shelf, conflicts: .serverWins) { write in
        write.key == "a" ? .refused("no") : .conflict(.value(5))
      }
      try await shelf.numbers.write(1, for: "a")
      try await shelf.numbers.write(2, for: "b")

      let report = try await shelf.synchronizer.drain()

      #expect(report.parked == 1 && report.conflicts == 1)
      #expect(try shelf.store.outbox().map(\.state) == [.parked])
      #expect(try shelf.numbers.read("b").copy?.value == 5)
    }
  }

  @Test func `a cancelled push gives its write back at once`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let latch = Latch(isOpen: false)
      pushing(shelf) { _ in
        try await latch.pass()
        return .accepted
      }
      try await shelf.numbers.write(1, for: "a")
      let run = Task { try await shelf.synchronizer.run() }
      _ = await shelf.status { $0.inFlight == 1 }

      run.cancel()
      try await run.value

      #expect(try await shelf.store.dueWrites(limit: 9).count == 1)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `the number of concurrent writes to an origin is limited`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let (gauge, latch) = (Gauge(), Latch(isOpen: false))
      pushing(shelf) { _ in
        try await gauge.measure("writes") { try await latch.pass() }
        return .accepted
      }
      for number in 1...30 { try await shelf.numbers.write(number, for: "\(number)") }

      async let drained = shelf.synchronizer.drain()
      while gauge.most["writes"] != 4 { await Task.yield() }
      latch.open()
      let report = try await drained

      #expect(report.pushed == 30)
      #expect(gauge.most["writes"] == 4)
    }
  }
}
