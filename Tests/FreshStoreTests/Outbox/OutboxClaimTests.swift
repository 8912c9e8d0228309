import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Claims on local writes.
@Suite struct OutboxClaimTests: ArticleSuite {
  private func keys(
    _ store: Store, _ limit: Int = 10, holding: Duration = .seconds(60)
  ) async throws -> [String] {
    try await store.dueWrites(limit: limit, holding: holding).map(\.entry.key)
  }

  @Test func `a claim ends at its deadline`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      #expect(try await keys(temporary.store, holding: .seconds(60)) == ["1"])
      temporary.clock.advance(by: .milliseconds(59_999))
      #expect(try temporary.store.outbox().map(\.state) == [.pushing])
      temporary.clock.advance(by: .milliseconds(1))
      #expect(try temporary.store.outbox().map(\.state) == [.waiting])
      #expect(try await keys(temporary.store) == ["1"])
    }
  }

  @Test func `only the first write of each key is handed out, oldest first, and once`()
    async throws
  {
    try await withArticles { temporary, articles in
      for key in ["b", "a", "b", "c"] { try await articles.write(key, for: key) }

      let two = try await keys(temporary.store, 2)
      let rest = try await keys(temporary.store)
      let states = try temporary.store.outbox().map(\.state)

      #expect(two == ["b", "a"])
      #expect(rest == ["c"])
      #expect(states == [.pushing, .pushing, .waiting, .pushing])
      #expect(try temporary.store.outbox(state: .waiting).map(\.key) == ["b"])
    }
  }

  @Test func `another collection's writes are handed out to their own collection`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("1", for: "1")
      try await temporary.store.bytes("others").write([1], for: "2")
      let others = try await temporary.store.dueWrites(collection: "others", limit: 10)
      let due = try await temporary.store.dueWrites(limit: 10)
      let outcomes = await articles.push(others + due) { _ in .accepted }

      #expect(others.map(\.entry.key) == ["2"])
      #expect(due.map(\.entry.key) == ["1"])
      #expect(outcomes.keys.sorted() == due.map(\.entry.id))
      #expect(try temporary.store.outbox(collection: "others").count == 1)
    }
  }

  @Test func `a claim ends with its deadline, with the boot, and when it is given back`()
    async throws
  {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.write("1", for: "1")

      let first = try await keys(store, holding: .seconds(10))
      temporary.clock.advance(by: .milliseconds(9_999))
      let early = try await keys(store)
      temporary.clock.advance(by: .milliseconds(1))
      let late = try await keys(store)
      temporary.clock.reboot()
      let booted = try await store.dueWrites(limit: 1)
      try await store.giveBack(booted)
      let again = try await keys(store)

      #expect(
        [first, early, late, booted.map(\.entry.key), again] == [["1"], [], ["1"], ["1"], ["1"]])
    }
  }

  @Test func `a late owner gives back nothing`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("1", for: "1")
      let late = try await temporary.store.dueWrites(limit: 1, holding: .seconds(1))
      temporary.clock.advance(by: .seconds(1))
      _ = try await temporary.store.dueWrites(limit: 1)
      try await temporary.store.giveBack(late)

      #expect(try await keys(temporary.store) == [])
    }
  }

  @Test func `a parked or paused key blocks no other, and its later writes wait`() async throws {
    try await withArticles { temporary, articles in
      for key in ["parked", "paused", "parked", "paused", "free"] {
        try await articles.write(key, for: key)
      }
      try await articles.drain { write in
        switch write.key {
        case "parked": return .refused("no")
        case "paused": throw OriginFailure(retryAfter: .seconds(100))
        default: return .accepted
        }
      }

      #expect(try await keys(temporary.store) == [])
      #expect(try temporary.store.outbox().map(\.state) == [.parked, .waiting, .waiting, .waiting])
      temporary.clock.advance(by: .seconds(100))
      #expect(try await keys(temporary.store) == ["paused"])
    }
  }

  @Test func `the due time of the next write is reported exactly`() async throws {
    try await withArticles { temporary, articles in
      let (store, clock) = (temporary.store, temporary.clock)
      let empty = try store.nextWriteDue()
      try await articles.write("1", for: "1")
      let now = clock.reading().wall
      let waiting = try store.nextWriteDue()
      _ = try await store.dueWrites(limit: 1, holding: .seconds(7))
      let held = try store.nextWriteDue()
      clock.advance(by: .seconds(7))
      try await articles.drain { _ in throw OriginFailure(retryAfter: .seconds(9)) }
      let paused = try store.nextWriteDue()
      clock.stepWall(by: .seconds(-1_000_000))
      let due = try await store.dueWrites(limit: 1)
      let stepped = try store.nextWriteDue()
      clock.reboot()
      let booted = try store.nextWriteDue(collection: "articles")
      clock.advance(by: .seconds(9))
      try await articles.drain { _ in .refused("no") }

      #expect(empty == nil)
      #expect(waiting == now)
      #expect(held == now.advanced(by: .seconds(7)))
      #expect(paused == now.advanced(by: .seconds(16)))
      // The pause is as long as it was, although the clock was set back.
      #expect(stepped == now.advanced(by: .seconds(16 - 1_000_000)))
      #expect(due.isEmpty)
      #expect(booted == stepped)
      #expect(try store.nextWriteDue() == nil)
      #expect(try store.nextWriteDue(collection: "others") == nil)
    }
  }

  @Test func `the due time of the next refetch is reported`() async throws {
    try await withArticles { temporary, articles in
      let (store, now) = (temporary.store, temporary.clock.reading().wall)
      #expect(try store.nextDue() == nil)
      try await articles.put("1", for: "1")
      #expect(try store.nextDue() == nil)
      try await articles.markStale("1")
      #expect(try store.nextDue() == now)
      #expect(try store.nextDue(collection: "others") == nil)
      _ = try await store.due(limit: 1, holding: .seconds(5))
      #expect(try store.nextDue() == now.advanced(by: .seconds(5)))
    }
  }

  @Test func `a limit or a time that is not positive is refused`() async throws {
    try await withArticles { temporary, _ in
      for (limit, holding) in [(0, Duration.seconds(1)), (1, .zero)] {
        let failure = await storeFailure {
          try await temporary.store.dueWrites(limit: limit, holding: holding)
        }
        #expect(
          failure?.code
            == .invalidArgument("the limit and the time to hold must be positive"))
      }
    }
  }

  @Test func `a page of the outbox continues after the preceding one`() async throws {
    try await withArticles { temporary, articles in
      for number in 1...5 { try await articles.write("x", for: "\(number % 2)") }
      let all = try temporary.store.outbox()
      let page = try temporary.store.outbox(after: all[1].id, limit: 2)

      #expect(page == Array(all[2...3]))
      #expect(try temporary.store.outbox(key: "0").map(\.id) == [all[1].id, all[3].id])
    }
  }

  @Test func `a claim does not settle another write with the same number in another file`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("mine", for: "1")
      let outcomes = try await articles.drain { _ in
        try RawDatabase(temporary.path).execute("UPDATE outbox SET idempotency_key = 'another'")
        return .accepted
      }

      #expect(outcomes["1"]?.words == "superseded")
      #expect(try temporary.store.outbox().count == 1)
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
    }
  }
}
