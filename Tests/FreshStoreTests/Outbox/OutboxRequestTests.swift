import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Retrying, dropping and coalescing local writes.
@Suite struct OutboxRequestTests: ArticleSuite {
  private static let coalescing = WriteOptions(coalesces: true)

  // MARK: Retrying

  @Test func `a parked and a paused write are due again after a retry`() async throws {
    try await withArticles { temporary, articles in
      for key in ["1", "2"] { try await articles.write("x", for: key) }
      try await articles.drain { write in
        if write.key == "1" { return .refused("no") }
        throw OriginFailure(retryAfter: .seconds(50))
      }
      let ids = try temporary.store.outbox().map(\.id)
      let retried = try await temporary.store.retry(ids + [99])

      #expect(retried.map(\.id) == ids)
      #expect(retried.map(\.state) == [.waiting, .waiting])
      #expect(retried.map(\.nextAttempt) == [nil, nil])
      #expect(retried.map(\.attempts) == [1, 1])
      #expect(try await articles.drain { _ in .accepted }.count == 2)
    }
  }

  // MARK: Dropping

  @Test func `a record without local writes has its source's value again, stale`()
    async throws
  {
    try await withArticles { temporary, articles in
      let details = FetchDetails(
        expiry: .never, validators: Validators(entityTag: "e"), tags: ["old"], source: "s")
      try await articles.put("old", for: "1", details: details)
      try await articles.write(
        "new", for: "1", options: WriteOptions(tags: ["new"], address: "elsewhere"))
      try await articles.setPinned(true, for: "1")
      let dropped = try await temporary.store.drop(temporary.store.outbox().map(\.id))

      let explained = try articles.explain("1")
      #expect(dropped.map(\.key) == ["1"])
      #expect(try articles.value("1") == "old")
      #expect(explained.decision.outcome == .stale && explained.decision.expiry == .never)
      #expect(explained.tags == ["old"] && explained.source == "s" && explained.isPinned)
      #expect(explained.validators.entityTag == "e")
      #expect(try await temporary.store.due(limit: 1).map(\.key) == ["1"])
      try await articles.put("mine", for: "1")
    }
  }

  @Test func `a record that was never requested from the source is missing again`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
      #expect(try articles.state("1") == .missing)
      #expect(try temporary.store.statistics().collections.isEmpty)
    }
  }

  @Test(arguments: [(0, "b"), (1, "a")])
  func `the remaining writes make the record`(index: Int, value: String) async throws {
    try await withArticles { temporary, articles in
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      try await temporary.store.drop([temporary.store.outbox()[index].id])

      #expect(try articles.value("1") == value)
      #expect(try articles.state("1") == .fresh)
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted \(value)")
      #expect(try articles.value("1") == value)
    }
  }

  @Test func `a fetch that began before a write was dropped is not taken for news`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.write("new", for: "1")
      let (latch, began) = (Latch(isOpen: false), Signal())
      let fetching = Task {
        try await articles.get("1", policy: .sourceOnly) { _ in
          began.fire()
          try await latch.pass()
          return .value("perhaps from before the write")
        }
      }
      await began.fired()
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
      latch.open()

      #expect(try await fetching.value.value == "perhaps from before the write")
      #expect(try articles.value("1") == "old")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a number is never used twice`() async throws {
    try await withArticles { temporary, articles in
      let first = try await articles.write("a", for: "1")
      try await temporary.store.drop([first.id])
      let second = try await articles.write("b", for: "1")
      #expect(second.id > first.id)
    }
  }

  // MARK: Coalescing

  @Test(arguments: [
    ([WriteKind.replace, .replace], [OutboxEntry.Kind.replace]),
    ([.create, .replace], [.create]), ([.replace, .delete], [.delete]), ([.create, .delete], []),
    ([.create, .replace, .replace, .delete], []), ([.delete, .create], [.delete, .create]),
    ([.replace, .patch([1], contentType: "p")], [.replace, .patch]),
    ([.patch([1], contentType: "p"), .replace], [.patch, .replace]),
    ([.patch([1], contentType: "p"), .delete], [.patch, .delete]),
    ([.replace, .create], [.replace, .create]),
  ])
  func `successive writes that were never sent are merged into one`(
    kinds: [WriteKind], left: [OutboxEntry.Kind]
  ) async throws {
    try await withArticles { temporary, articles in
      if kinds.first != .create { try await articles.put("old", for: "1") }
      var entries: [OutboxEntry?] = []
      for (number, kind) in kinds.enumerated() {
        entries.append(
          kind == .delete
            ? try await articles.writeDeletion(of: "1", options: Self.coalescing)
            : try await articles.write(
              "\(number)", for: "1", as: kind, options: Self.coalescing))
      }
      let waiting = try temporary.store.outbox()
      #expect(waiting.map(\.kind) == left)
      #expect(entries.last == waiting.last)
      if left.count == 1 { #expect(waiting[0].id == entries[0]?.id) }
      #expect(
        Set(entries.compactMap { $0?.idempotencyKey }).count == entries.compactMap(\.self).count)
      #expect(
        try articles.value("1") == (kinds.last == .delete ? nil : "\(kinds.count - 1)"))
      if left.isEmpty { try await articles.put("mine", for: "1") }
    }
  }

  @Test(arguments: [(false, Decision.Outcome.absent), (true, .missing)])
  func `a hidden record that was marked and swept is stale when it reappears`(
    isMarked: Bool, outcome: Decision.Outcome
  ) async throws {
    try await withArticles { temporary, articles in
      let gone = FetchDetails(expiry: .never)
      await #expect(throws: GetError.self) { try await articles.get("1") { _ in .gone(gone) } }
      try await articles.write("new", for: "1", as: .create)
      if isMarked { try await articles.markAllStale() }
      _ = try await temporary.store.sweep()
      try await articles.writeDeletion(of: "1", options: Self.coalescing)

      #expect(try articles.read("1").decision.outcome == outcome)
    }
  }

  @Test func `a write that may have been sent is never changed`() async throws {
    try await withArticles { temporary, articles in
      let (store, clock) = (temporary.store, temporary.clock)
      func write(_ value: String) async throws -> Int {
        try await articles.write(value, for: "1", options: Self.coalescing)
        return try store.outbox().count
      }
      try await articles.write("plain", for: "1")
      #expect(try await write("untouched") == 1)
      _ = try await store.dueWrites(limit: 1, holding: .seconds(1))
      // A store that claimed it may have sent it, and died.
      clock.advance(by: .seconds(2))
      #expect(try await write("held") == 2)
      try await store.drop(store.outbox().map(\.id))

      #expect(try await write("first") == 1)
      try await articles.drain { _ in throw OriginFailure(retryAfter: .zero) }
      #expect(try await write("attempted") == 2)
      try await store.drop(store.outbox().map(\.id))

      #expect(try await write("first") == 1)
      let due = try await store.dueWrites(limit: 1)
      try await store.giveBack(due)
      #expect(try await write("given back") == 1)
      #expect(try articles.value("1") == "given back")
      try await articles.write("plain", for: "1")
      #expect(try store.outbox().count == 2)
    }
  }
}
