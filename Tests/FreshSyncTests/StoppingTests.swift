import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

@Suite struct StoppingTests {
  @Test func `work under route finishes within the grace period`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 9)
      shelf.origin.hold()
      async let run: Void = shelf.synchronizer.run()
      await shelf.origin.calls(atLeast: 4)

      shelf.synchronizer.requestStop()
      let stopping = await shelf.status { $0.phase == .stopping }
      shelf.origin.release()
      try await run

      #expect(stopping.inFlight == 4)
      #expect(shelf.origin.calls == 4)
      #expect(try shelf.numbers.read("4").copy?.value == 40)
      #expect(shelf.synchronizer.status.phase == .stopped)
      #expect(shelf.synchronizer.status.report.fetched == 4)
    }
  }

  @Test func `after the grace period every lease is given back and available to others`()
    async throws
  {
    // Nothing here ends by itself while the clock is moved.
    let day = Duration.seconds(86_400)
    var policy = Policy.offlineFirst
    policy.hardTimeout = day
    var options = SyncOptions()
    options.holding = day
    let settled = (policy, options)
    try await TemporaryStore.run(configure: { $0.leaseDuration = day }) { temporary in
      let shelf = try await Shelf(
        temporary, stale: 9, policy: settled.0, options: settled.1)
      let other = try temporary.another()
      shelf.origin.hold()
      async let run: Void = shelf.synchronizer.run()
      await shelf.origin.calls(atLeast: 4)
      let before = try await other.due(limit: 20)
      try await other.giveBack(before)

      shelf.synchronizer.requestStop()
      _ = await shelf.status { $0.phase == .stopping }
      while shelf.synchronizer.status.phase == .stopping {
        shelf.clock.advance(by: .seconds(10))
        await Task.yield()
      }
      try await run
      let after = try await other.due(limit: 20)
      try await other.close()

      #expect(before.map(\.key) == ["5", "6", "7", "8", "9"])
      #expect(after.map(\.key) == (1...9).map { "\($0)" })
    }
  }

  @Test func `a cancelled run gives everything back at once`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 9)
      shelf.origin.hold()
      let run = Task { try await shelf.synchronizer.run() }
      await shelf.origin.calls(atLeast: 4)

      run.cancel()
      try await run.value

      #expect(try shelf.store.statistics().leases == 0)
      #expect(try await shelf.store.due(limit: 20).count == 9)
    }
  }

  @Test func `a fetch that ignores its cancellation does not delay the end of the run`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      let latch = Latch(isOpen: false)
      let asked = Asked()
      shelf.synchronizer.add(shelf.numbers) { previous in
        asked.note([previous.key])
        await Task { try? await latch.pass() }.value  // The test is about the cancellation.
        return .value(0)
      }
      let run = Task { try await shelf.synchronizer.run() }
      _ = await shelf.status { $0.inFlight == 1 }

      run.cancel()
      try await run.value

      #expect(try await shelf.store.due(limit: 20).map(\.key) == ["1"])
      latch.open()
    }
  }
}
