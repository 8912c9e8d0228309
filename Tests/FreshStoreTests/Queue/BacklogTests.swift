import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct BacklogTests {
  @Test func `an empty store has no backlog`() async throws {
    try await TemporaryStore.run { temporary in
      let backlog = try temporary.store.backlog()
      #expect(backlog == Backlog())
    }
  }

  @Test func `due records are counted, and the earliest due time is reported`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("c")
      let start = temporary.clock.reading().wall
      for key in ["1", "2"] {
        try await values.put([1], for: key, details: FetchDetails(expiry: .after(.seconds(1))))
      }
      try await values.put([1], for: "fresh")
      temporary.clock.advance(by: .seconds(5))
      _ = try await temporary.store.sweep()
      let backlog = try temporary.store.backlog()
      #expect(backlog.due == 2)
      #expect(backlog.nextDue == start.advanced(by: .seconds(1)))
    }
  }

  @Test func `local writes are counted by the reason of their wait`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("c")
      let start = temporary.clock.reading().wall
      for key in ["1", "2", "3"] {
        try await values.write([1], for: key)
        temporary.clock.advance(by: .seconds(1))
      }
      _ = await values.push(try await temporary.store.dueWrites(limit: 1)) { _ in .refused("no") }
      let backlog = try temporary.store.backlog()
      #expect(backlog.waitingWrites == 2 && backlog.parkedWrites == 1)
      #expect(backlog.oldestWrite == start)
      #expect(backlog.nextWrite == temporary.clock.reading().wall)
      // A record with a local write waits for nothing else.
      #expect(backlog.due == 0)
    }
  }

  @Test func `everybody who counts what waits counts the same`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let values = try store.bytes("c")
      for key in ["1", "2", "3"] { try await values.put([1], for: key) }
      for key in ["1", "2"] { try await values.markStale(key) }
      try await values.write([2], for: "1")
      try RawDatabase(temporary.path).execute(
        """
        INSERT INTO lease (collection, key, owner, fence, boot, deadline)
        VALUES ('c', '3', 'another', 1, \(temporary.clock.reading().boot - 1), 1 << 60)
        """)
      let (backlog, statistics) = (try store.backlog(), try store.statistics())
      let work = try store.quickStatistics().work
      #expect([work.due, backlog.due, statistics.due] == [1, 1, 1])
      #expect([work.fetches, statistics.leases] == [0, 0])
      #expect([work.waitingWrites, backlog.waitingWrites, statistics.waitingWrites] == [1, 1, 1])
      #expect(work.nextDue == backlog.nextDue && work.oldestWrite == backlog.oldestWrite)
    }
  }

  @Test func `a failing origin is named, with its pause`() async throws {
    var policy = Policy()
    policy.origin = "https://a"
    policy.reachability = .ignore
    try await TemporaryStore.run(configure: { $0.breaker.threshold = 1 }) { [policy] temporary in
      let values = try temporary.store.bytes("c", policy: policy)
      await #expect(throws: GetError.self) {
        try await values.get("1") { _ in throw OriginFailure() }
      }
      let origin = try #require(try temporary.store.backlog().failingOrigins.first)
      #expect(origin.name == "https://a:443" && origin.failures == 1)
      #expect(origin.pausedUntil > temporary.clock.reading().wall)
      #expect(!origin.failure.isEmpty)
    }
  }
}
