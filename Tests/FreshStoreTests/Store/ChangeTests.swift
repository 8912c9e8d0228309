import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct ChangeTests {
  private func first(_ count: Int, of changes: AsyncStream<Change>) async -> [Change] {
    var found: [Change] = []
    for await change in changes {
      found.append(change)
      if found.count == count { break }
    }
    return found
  }

  @Test func `every kind of change is reported once it is committed`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let changes = temporary.store.changes()
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      try await articles.get("1", from: origin)
      try await articles.markStale("1")
      origin.answer { _ in .notModified }
      try await articles.get("1", from: origin)
      origin.answer { _ in .gone }
      _ = await articles.failure("2", from: origin)
      try await articles.put("three", for: "3")
      try await articles.remove("3")
      try await temporary.store.markStale(tag: "news")
      try await articles.removeAll()
      let found = await first(8, of: changes)

      #expect(
        found.map(\.kind) == [
          .stored, .marked, .revalidated, .absent, .stored, .removed, .marked, .removed,
        ])
      #expect(found.map(\.key) == ["1", "1", "1", "2", "3", "3", nil, nil])
      #expect(found.map(\.collection).dropLast(2).allSatisfy { $0 == "articles" })
      #expect(found[6].collection == nil && found[7].collection == "articles")
      #expect(found.allSatisfy { $0.missed == 0 })
    }
  }

  @Test func `an observer of a collection or a key receives only its changes`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let others = try temporary.store.collection("others", of: String.self)
      let ofCollection = articles.changes()
      let ofKey = articles.changes(of: "2")

      try await others.put("x", for: "2")
      try await articles.put("one", for: "1")
      try await articles.put("two", for: "2")
      try await others.markAllStale()
      try await temporary.store.markStale(tag: "news")

      #expect(await first(3, of: ofCollection).map(\.key) == ["1", "2", nil])
      #expect(await first(2, of: ofKey).map(\.kind) == [.stored, .marked])
    }
  }

  @Test func `an operation that changes nothing is not reported`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let changes = articles.changes()
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }

      try await articles.remove("1")
      try await articles.removeAll()
      _ = await articles.failure("1", from: origin)
      try await articles.put("last", for: "last")

      #expect(await first(1, of: changes).map(\.key) == ["last"])
    }
  }

  @Test(arguments: [1, 2, 5]) func `a slow observer receives the number of missed changes`(
    _ limit: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let changes = articles.changes(buffering: limit)

      for number in 1...10 { try await articles.put(number, for: "\(number)") }
      let found = await first(limit, of: changes)

      #expect(found.map(\.key) == (11 - limit...10).map { "\($0)" })
      #expect(found.map(\.missed) == [10 - limit] + Array(repeating: 0, count: limit - 1))
    }
  }

  @Test func `no change is counted twice when changes are missed again`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      var changes = articles.changes(buffering: 1).makeAsyncIterator()

      for number in 1...3 { try await articles.put(number, for: "\(number)") }
      let first = await changes.next()
      try await articles.put(4, for: "4")
      let second = await changes.next()
      for number in 5...6 { try await articles.put(number, for: "\(number)") }
      let third = await changes.next()

      #expect([first?.key, second?.key, third?.key] == ["3", "4", "6"])
      #expect([first?.missed, second?.missed, third?.missed] == [2, 0, 1])
    }
  }

  @Test func `the stream ends after all earlier changes when the store is closed`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let changes = articles.changes()
      try await articles.put("one", for: "1")

      try await temporary.store.close()
      var kinds: [Change.Kind] = []
      for await change in changes { kinds.append(change.kind) }
      var later = temporary.store.changes().makeAsyncIterator()

      #expect(kinds == [.stored])
      #expect(await later.next() == nil)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `an observer that receives the end of the stream finds the store closed`() async throws {
    for _ in 1...20 {
      try await TemporaryStore.run { temporary in
        let store = temporary.store
        let changes = store.changes()
        let reading = Task {
          for await _ in changes {}
          return try store.nextQueued(after: temporary.clock.reading().wall) { _, _ in nil }
        }

        try await store.close()

        await #expect { try await reading.value } throws: { ($0 as? StoreError)?.code == .closed }
      }
    }
  }

  @Test func `the stream ends when the task that iterates is cancelled`() async throws {
    try await TemporaryStore.run { temporary in
      let changes = temporary.store.changes()
      let task = Task {
        for await _ in changes {}
        return "ended"
      }

      task.cancel()

      #expect(await task.value == "ended")
    }
  }
}
