import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// A store that fails for a while.
@Suite(.timeLimit(.minutes(1))) struct FailingStoreTests {
  @Test func `a store that works again is not reported as failing, even with nothing due`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(1) }) { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      var lock: WriteLock? = try WriteLock(temporary.path)

      try await shelf.running {
        _ = await shelf.status { $0.failure != nil }
        lock = nil
        try await shelf.numbers.remove("1")
        await shelf.clock.sleepers(atLeast: 1)
        shelf.clock.advance(by: .seconds(1))
        _ = await shelf.status { $0.failure == nil }
      }
      #expect(shelf.origin.calls == 0)
      withExtendedLifetime(lock) {}
    }
  }

  @Test(arguments: [true, false])
  func `while the store hands out nothing, nothing is sent, and all is done afterwards`(
    isWrite: Bool
  ) async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(1) }) { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: isWrite ? 0 : 1, options: options)
      shelf.synchronizer.add(shelf.numbers) { _ in
        .value(7)
      } push: { _ in
        .accepted
      }
      if isWrite { try await shelf.numbers.write(7, for: "1") }
      var lock: WriteLock? = try WriteLock(temporary.path)

      let failure = try await shelf.running {
        let failing = await shelf.status { $0.failure != nil }
        #expect(failing.report == SyncReport())
        lock = nil
        await shelf.clock.sleepers(atLeast: 1)
        shelf.clock.advance(by: .seconds(1))
        _ = await shelf.status { $0.report.pushed + $0.report.fetched == 1 }
        return failing.failure
      }

      #expect(failure?.contains("locked") == true)
      #expect(try shelf.numbers.read("1").copy?.value == 7)
      withExtendedLifetime(lock) {}
    }
  }
}
