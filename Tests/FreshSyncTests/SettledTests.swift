import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@testable import FreshSync

/// Waiting until a synchronizer has nothing to do for the moment.
@Suite(.timeLimit(.minutes(2))) struct SettledTests {
  @Test func `what is written before the call has been sent when it returns`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.add(shelf.numbers, fetch: { _ in .value(0) }, push: { _ in .accepted })

      try await shelf.running {
        for number in 1...100 {
          try await shelf.numbers.write(number, for: "\(number % 3)")
          await shelf.synchronizer.settled()
          #expect(try shelf.store.outbox().isEmpty)
        }
      }
    }
  }

  @Test func `what another store wrote before the call has been sent, too`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.add(shelf.numbers, fetch: { _ in .value(0) }, push: { _ in .accepted })
      let other = try temporary.another()
      let there = try other.collection("numbers", of: Int.self)

      try await shelf.running {
        for number in 1...20 {
          try await there.write(number, for: "1")
          await shelf.synchronizer.settled()
          #expect(try shelf.store.outbox().isEmpty)
        }
      }
      try await other.close()
    }
  }

  @Test func `a record that a read found stale is fetched although no time has passed`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .immediately))

      try await shelf.running {
        _ = try shelf.numbers.read("1")
        await shelf.synchronizer.settled()
      }
      #expect(shelf.asked == ["1"])
    }
  }

  @Test func `a record that a read found stale is fetched when its mark is being stored`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)

      try await shelf.running {
        for number in 1...50 {
          try await shelf.numbers.put(
            1, for: "\(number)", details: FetchDetails(expiry: .immediately))
          await shelf.synchronizer.settled()
          _ = try shelf.numbers.read("\(number)")
          // The marks of reads are stored after a second, beside the call.
          shelf.clock.advance(by: .seconds(1))
          await shelf.synchronizer.settled()
          #expect(shelf.asked.last == "\(number)")
        }
      }
    }
  }

  @Test func `the members that a list only names are fetched before it returns`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.follow("all", of: shelf.numbers) { _ in
        .full(["1": .named, "2": .named], cursor: nil)
      }

      let status = try await shelf.running { await shelf.synchronizer.settled() }

      #expect(Set(shelf.asked) == ["1", "2"])
      #expect(status.report.lists == 1 && status.report.fetched == 2 && status.inFlight == 0)
    }
  }

  @Test func `it waits for a fetch under way`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      let asked = Asked()
      shelf.origin.hold()

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        let waiting = Task {
          await shelf.synchronizer.settled()
          asked.note(["settled"])
        }
        for _ in 0..<1000 { await Task.yield() }
        #expect(asked.batches.isEmpty)
        shelf.origin.release()
        await waiting.value
      }
      #expect(try shelf.numbers.read("1").copy?.value == 10)
    }
  }

  @Test func `it returns while every source is out of reach, and says why`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      temporary.reachability.set(.offline("cut"))

      let status = try await shelf.running { await shelf.synchronizer.settled() }

      #expect(status.phase == .offline(because: "cut"))
      #expect(shelf.asked.isEmpty)
    }
  }

  @Test func `it returns in the pause after a failure, and again after the next attempt`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let shelf = try await Shelf(
        temporary, stale: 1, policy: .offlineFirst.retryPause(.seconds(100)))
      shelf.origin.answer { _ in throw SourceRefusal() }

      try await shelf.running {
        for attempt in 1...3 {
          let status = await shelf.synchronizer.settled()
          #expect(shelf.origin.calls == attempt)
          guard case .idle(let until?) = status.phase else {
            Issue.record("\(status.phase)")
            return
          }
          shelf.clock.advance(by: until.duration(since: shelf.clock.reading().wall))
        }
      }
    }
  }

  @Test func `before a run it waits for one to begin`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 3)
      let waiting = Task { await shelf.synchronizer.settled() }
      for _ in 0..<1000 { await Task.yield() }

      let status = try await shelf.running { await waiting.value }

      #expect(status.report.fetched == 3)
    }
  }

  @Test func `every caller is told`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)

      try await shelf.running {
        let callers = (1...10).map { _ in Task { await shelf.synchronizer.settled() } }
        for caller in callers { #expect(await caller.value.report.fetched == 1) }
      }
    }
  }

  @Test func `the end of a drain tells those that wait`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      shelf.origin.hold()
      async let drained = shelf.synchronizer.drain()
      await shelf.origin.calls(atLeast: 1)
      let caller = Task { await shelf.synchronizer.settled() }
      while shelf.synchronizer.callers.newest == nil { await Task.yield() }
      shelf.origin.release()

      let status = await caller.value
      #expect(status.report.fetched == 1 && status.inFlight == 0)
      #expect(try await drained.fetched == 1)
    }
  }

  @Test func `a run that ends tells those that wait`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      shelf.origin.hold()
      let run = Task { try await shelf.synchronizer.run() }
      await shelf.origin.calls(atLeast: 1)
      let caller = Task { await shelf.synchronizer.settled() }
      while shelf.synchronizer.callers.newest == nil { await Task.yield() }

      run.cancel()
      try await run.value

      #expect(await caller.value.phase == .stopped)
    }
  }

  @Test func `once a run has ended it returns at once, until another one begins`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.add(shelf.numbers, fetch: { _ in .value(0) }, push: { _ in .accepted })
      shelf.synchronizer.start()
      await shelf.synchronizer.stop()

      try await shelf.numbers.write(1, for: "1")
      #expect(await shelf.synchronizer.settled().phase == .stopped)
      #expect(try shelf.store.outbox().count == 1)

      shelf.synchronizer.start()
      await shelf.synchronizer.settled()
      #expect(try shelf.store.outbox().isEmpty)
      await shelf.synchronizer.stop()
    }
  }

  @Test func `a cancelled caller gets the present status`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let caller = Task { await shelf.synchronizer.settled() }

      caller.cancel()

      #expect(await caller.value.phase == .stopped)
    }
  }
}
