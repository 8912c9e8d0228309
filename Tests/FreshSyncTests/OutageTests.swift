import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// The effects of a lost network on running work.
@Suite(.timeLimit(.minutes(2))) struct OutageTests {
  /// A policy under which no operation ends by itself.
  private var patient: Policy {
    var policy = Policy.offlineFirst
    policy.hardTimeout = .seconds(86_400)
    return policy
  }

  /// Loses the network once this number of fetches is in flight.
  @discardableResult
  private func cut(_ shelf: Shelf, under fetches: Int) async -> SyncStatus {
    await shelf.origin.calls(atLeast: fetches)
    shelf.temporary.reachability.set(.offline("cut"))
    return await shelf.status { $0.phase == .offline(because: "cut") }
  }

  @Test func `the status is offline although a fetch is under route`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1, policy: patient)
      shelf.origin.hold()

      try await shelf.running {
        let status = await cut(shelf, under: 1)
        #expect(status.inFlight == 1)
        shelf.origin.release()
        _ = await shelf.status { $0.inFlight == 0 && $0.report.fetched == 1 }
      }
      #expect(shelf.origin.calls == 1)
    }
  }

  @Test func `a fetch is given up after a second out of reach, and repeated later`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 2, policy: patient)
      shelf.origin.hold()

      try await shelf.running {
        await cut(shelf, under: 2)
        shelf.clock.advance(by: .milliseconds(999))
        for _ in 0..<100 { await Task.yield() }
        #expect(shelf.synchronizer.status.inFlight == 2)
        shelf.clock.advance(by: .milliseconds(1))
        _ = await shelf.status { $0.inFlight == 0 }
        shelf.origin.answer { _ in .value(5) }
        shelf.origin.release()
        temporary.reachability.set(.online)
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(25))
        _ = await shelf.status { $0.report.fetched == 2 }
      }
      #expect(shelf.origin.calls == 4)
      #expect(shelf.synchronizer.status.report.failed == 0)
      #expect(try shelf.numbers.read("1").copy?.value == 5)
      #expect(try shelf.numbers.read("2").copy?.value == 5)
    }
  }

  @Test(arguments: 0...8)
  func `a network lost just before a fetch delays the fetch only until it returns`(
    looks: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1, policy: .offlineFirst)
      temporary.reachability.set(.offline("cut"))
      for _ in 0..<looks { temporary.reachability.enqueue(.online) }

      try await shelf.running {
        _ = await shelf.status { status in
          if case .offline = status.phase { return status.inFlight == 0 }
          return status.report.fetched + status.report.failed > 0
        }
        temporary.reachability.set(.online)
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(25))
        _ = await shelf.status { $0.report.fetched + $0.report.failed > 0 }
      }
      #expect(shelf.synchronizer.status.report.fetched == 1)
    }
  }

  @Test func `another network wakes work that waits for a route suspected in the last one`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      shelf.origin.answer { _ in throw Silence() }

      try await shelf.running {
        _ = await shelf.status { $0.report.failed == 1 && $0.inFlight == 0 }
        try await shelf.numbers.put(2, for: "2")
        try await shelf.numbers.markStale("2")
        for _ in 0..<1000 { await Task.yield() }
        #expect(shelf.asked == ["1"])
        shelf.origin.answer { _ in .value(5) }
        temporary.reachability.changeNetwork()
        _ = await shelf.status { $0.report.fetched == 1 }
      }
    }
  }

  @Test func `a short outage cancels nothing under route`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1, policy: patient)
      shelf.origin.hold()

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        for _ in 0..<3 {
          temporary.reachability.set(.offline("cut"))
          _ = await shelf.status { $0.phase == .offline(because: "cut") }
          shelf.clock.advance(by: .milliseconds(900))
          temporary.reachability.set(.online)
          _ = await shelf.status { $0.phase == .draining }
          shelf.clock.advance(by: .seconds(1))
        }
        #expect(shelf.synchronizer.status.inFlight == 1)
        shelf.origin.release()
        _ = await shelf.status { $0.report.fetched == 1 }
      }
      #expect(shelf.origin.calls == 1)
    }
  }

  @Test func `work under way is given up at once when the network is lost again within a second`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1, policy: patient)
      shelf.origin.hold()

      try await shelf.running {
        await cut(shelf, under: 1)
        temporary.reachability.set(.online)
        _ = await shelf.status { $0.phase == .draining }
        shelf.clock.advance(by: .milliseconds(999))
        temporary.reachability.set(.offline("cut again"))
        _ = await shelf.status {
          $0.phase == .offline(because: "cut again") && $0.inFlight == 0
        }
      }
      #expect(shelf.origin.calls == 1)
      #expect(shelf.synchronizer.status.report.failed == 0)
    }
  }

  @Test func `a push is given up likewise, and sent again under the same key`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let (sent, latch) = (Latch(isOpen: false), Latch(isOpen: false))
      let asked = Asked()
      shelf.synchronizer.add(
        shelf.numbers, policy: patient, fetch: { _ in .value(0) },
        push: { write in
          asked.note([write.idempotencyKey])
          sent.open()
          try await latch.pass()
          return .accepted(FetchDetails(expiry: .never))
        })
      try await shelf.numbers.write(1, for: "1")

      try await shelf.running {
        try await sent.pass()
        temporary.reachability.set(.offline("cut"))
        _ = await shelf.status { $0.phase == .offline(because: "cut") }
        shelf.clock.advance(by: .seconds(1))
        _ = await shelf.status { $0.inFlight == 0 }
        latch.open()
        temporary.reachability.set(.online)
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(25))
        _ = await shelf.status { $0.report.pushed == 1 }
      }
      #expect(asked.batches.count == 2 && Set(asked.batches).count == 1)
      #expect(try shelf.store.outbox().isEmpty)
    }
  }

  @Test func `a drain does not wait for records that are out of reach`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 2, policy: patient)
      shelf.origin.hold()

      async let draining = shelf.synchronizer.drain()
      await shelf.origin.calls(atLeast: 2)
      temporary.reachability.set(.offline("cut"))
      _ = await shelf.status { $0.phase == .offline(because: "cut") }
      shelf.clock.advance(by: .seconds(1))

      var expected = SyncReport()
      expected.deferred = 2
      #expect(try await draining == expected)
    }
  }
}
