import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

@Suite struct RunTests {
  @Test func `a record is fetched when it is due, and not before`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      var policy = Policy.offlineFirst
      policy.retryPause = .seconds(100)
      let shelf = try await Shelf(temporary, stale: 1, policy: policy)
      shelf.origin.answer { _ in throw SourceRefusal() }

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        let idle = await shelf.idle()
        shelf.clock.advance(by: .milliseconds(49_999))
        let early = shelf.origin.calls
        shelf.origin.answer { _ in .value(5) }
        shelf.clock.advance(by: .milliseconds(1))
        await shelf.origin.calls(atLeast: 2)

        #expect(early == 1)
        #expect(idle.report.failed == 1)
        guard case .idle(let until) = idle.phase else { return }
        #expect(until?.duration(since: shelf.clock.reading().wall) == .zero)
      }
      #expect(try shelf.numbers.read("1").copy?.value == 5)
    }
  }

  @Test func `an idle run does not look at the queues`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)

      try await shelf.running {
        await shelf.idle()
        for _ in 0..<10_000 { await Task.yield() }

        // A look asks only a few times; repeated looks would ask thousands of times.
        #expect(temporary.reachability.timesAsked < 100)
      }
    }
  }

  @Test func `a mark wakes the run`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .never))

      try await shelf.running {
        await shelf.idle()
        try await shelf.numbers.markStale("1")
        await shelf.origin.calls(atLeast: 1)
      }
      #expect(try shelf.numbers.read("1").copy?.value == 10)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a record that is marked during its fetch is fetched once more`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      try await shelf.numbers.put(2, for: "2", details: FetchDetails(expiry: .never))
      shelf.origin.hold()

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        try await shelf.numbers.markStale("1")
        try await shelf.numbers.markStale("2")
        // The request for the second record follows a look at which the first was still being fetched.
        await shelf.origin.calls(atLeast: 2)
        for _ in 0..<1_000 { await Task.yield() }
        shelf.origin.release()
        await shelf.origin.calls(atLeast: 3)
        await shelf.idle()
      }
      #expect(shelf.asked == ["1", "2", "1"])
      #expect(try shelf.numbers.read("1").decision.outcome == .fresh)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a record whose fetch another store gave up is fetched`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      for number in 1...2 {
        try await shelf.numbers.put(
          number, for: "\(number)", details: FetchDetails(expiry: .immediately))
      }
      let other = try temporary.another()
      let there = try other.collection("numbers", of: Int.self)
      let silent = ScriptedOrigin<Int> { _ in .value(0) }
      silent.hold()
      let getting = Task { try await there.get("1") { try await silent.fetch($0) } }
      await silent.calls(atLeast: 1)

      try await shelf.running {
        try await shelf.numbers.markStale("1")
        try await shelf.numbers.markStale("2")
        await shelf.origin.calls(atLeast: 1)
        await shelf.idle()
        getting.cancel()
        _ = await getting.result
        try await other.close()
        shelf.clock.advance(by: shelf.store.configuration.leaseDuration)
        await shelf.origin.calls(atLeast: 2)
      }
      #expect(shelf.asked == ["2", "1"])
    }
  }

  @Test func `a read of a stale record wakes the run`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .immediately))

      try await shelf.running {
        await shelf.idle()
        _ = try shelf.numbers.read("1")
        await shelf.clock.sleepers(atLeast: 2)
        shelf.clock.advance(by: .seconds(1))
        await shelf.origin.calls(atLeast: 1)
      }
    }
  }

  @Test func `a sweep wakes the run`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .immediately))

      try await shelf.running {
        await shelf.idle()
        _ = try await shelf.store.sweep()
        await shelf.origin.calls(atLeast: 1)
      }
    }
  }

  @Test func `the run sleeps while offline, and continues when the network has settled`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 2)
      temporary.reachability.set(.offline("none"))

      try await shelf.running {
        let offline = await shelf.status { $0.phase == .offline(because: "none") }
        #expect(offline.inFlight == 0)
        temporary.reachability.set(.online)
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(24))
        #expect(shelf.origin.calls == 0)
        shelf.clock.advance(by: .milliseconds(1))
        await shelf.origin.calls(atLeast: 2)
      }
      #expect(try await shelf.store.due(limit: 9).isEmpty)
    }
  }

  @Test func `a provider without notifications is polled while it is offline`() async throws {
    let network = ScriptedReachability(.offline("none"))
    try await TemporaryStore.run(configure: {
      $0.reachability = .asking { network.reachability() }
    }) { temporary in
      let shelf = try await Shelf(temporary, stale: 1)

      try await shelf.running {
        _ = await shelf.status { $0.phase == .offline(because: "none") }
        network.set(.online)
        shelf.clock.advance(by: .seconds(1))
        await shelf.idle()
        shelf.clock.advance(by: .milliseconds(25))
        await shelf.origin.calls(atLeast: 1)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a source that has never answered is tried by one fetch at a time`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.999 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 20)
      shelf.origin.answer { _ in throw Silence() }

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        let idle = await shelf.idle()
        let first = shelf.origin.calls
        #expect(first <= 4)
        let end = try #require(idle.origins["numbers"]?.pausedUntil)
        shelf.clock.advance(by: end.duration(since: shelf.clock.reading().wall))
        await shelf.origin.calls(atLeast: first + 1)
        await shelf.idle()
        #expect(shelf.origin.calls == first + 1)
      }
    }
  }

  @Test func `the rate of starts is limited`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.startsPerSecond = 2
      let shelf = try await Shelf(temporary, stale: 5, options: options)

      try await shelf.running {
        for count in 1...5 {
          await shelf.origin.calls(atLeast: count)
          await shelf.idle()
          #expect(shelf.origin.calls == count)
          shelf.clock.advance(by: .milliseconds(500))
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run ends when the store is closed`() async throws {
    let temporary = try TemporaryStore()
    let shelf = try await Shelf(temporary, stale: 0)
    let run = Task { try await shelf.synchronizer.run() }
    await shelf.idle()

    try await temporary.store.close()

    await #expect(throws: SyncError.self) { try await run.value }
  }
}
