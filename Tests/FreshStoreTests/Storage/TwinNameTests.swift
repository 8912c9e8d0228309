import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Two names that are one text to Swift and two to the database: composed and decomposed.
@Suite struct TwinNameTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  private func collections(
    _ store: Store
  ) throws -> (RecordCollection<String>, RecordCollection<String>) {
    (try store.collection(Self.composed), try store.collection(Self.decomposed))
  }

  @Test func `a record in memory answers for its own collection alone`() async throws {
    try await TemporaryStore.run { temporary in
      let (one, other) = try collections(temporary.store)
      try await one.put("one", for: "k")
      #expect(try one.read("k").copy?.value == "one")
      #expect(try one.read("k").copy?.value == "one")

      #expect(try other.state("k") == .missing)
      try await other.put("two", for: "k")
      #expect(try other.read("k").copy?.value == "two")
      #expect(try one.read("k").copy?.value == "one")
    }
  }

  @Test func `a commit evicts its records from its own collection only`() async throws {
    try await TemporaryStore.run { temporary in
      let (one, other) = try collections(temporary.store)
      try await one.put("one", for: "k")
      try await other.put("two", for: "k")
      _ = (try one.read("k"), try other.read("k"))

      try await other.put("three", for: "k")

      #expect(try one.read("k").copy?.value == "one")
      #expect(try other.read("k").copy?.value == "three")
    }
  }

  @Test func `a get joins no fetch of the other collection`() async throws {
    try await TemporaryStore.run { temporary in
      let (one, other) = try collections(temporary.store)
      let (origin, second) = (
        ScriptedOrigin<String> { _ in .value("one") }, ScriptedOrigin<String> { _ in .value("two") }
      )
      origin.hold()
      let first = Task { try await one.get("k", from: origin) }
      await origin.calls(atLeast: 1)

      #expect(try await other.get("k", from: second).value == "two")
      origin.release()
      #expect(try await first.value.value == "one")
    }
  }

  @Test func `an observer of one collection receives no changes of the other`() async throws {
    try await TemporaryStore.run { temporary in
      let (one, other) = try collections(temporary.store)
      var ofCollection = one.changes().makeAsyncIterator()
      var ofKey = one.changes(of: Self.composed).makeAsyncIterator()

      try await other.put("x", for: Self.composed)
      try await one.put("y", for: Self.decomposed)
      try await one.put("z", for: Self.composed)

      for expected in [Self.decomposed, Self.composed] {
        let change = await ofCollection.next()
        #expect(change?.collection?.hasSameBytes(as: Self.composed) == true)
        #expect(change?.key?.hasSameBytes(as: expected) == true)
      }
      #expect(await ofKey.next()?.key?.hasSameBytes(as: Self.composed) == true)
    }
  }

  @Test func `of two such keys handed out for a refetch the second goes back to the queue`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let details = FetchDetails(expiry: .never)
      try await articles.put("old", for: Self.composed, details: details)
      try await articles.put("old", for: Self.decomposed, details: details)
      try await articles.markStale(Self.composed)
      temporary.clock.advance(by: .seconds(1))
      try await articles.markStale(Self.decomposed)

      let due = try await temporary.store.due(limit: 2)
      _ = await articles.refetch(due) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("new")) })
      }

      #expect(try articles.read(Self.composed).copy?.value == "new")
      #expect(try articles.read(Self.decomposed).copy?.value == "old")
      let again = try await temporary.store.due(limit: 2)
      #expect(again.map { Array($0.key.utf8) } == [Array(Self.decomposed.utf8)])
      try await temporary.store.giveBack(again)
    }
  }

  @Test func `local writes of both collections are taken over by a recovery`() async throws {
    try await TemporaryStore.run { temporary in
      let (one, other) = try collections(temporary.store)
      try await one.write("one", for: "k")
      try await other.write("two", for: "k")
      try await temporary.store.close()
      let copy = temporary.folder.file("recovered.db")

      _ = try await Store.recover(temporary.path, to: copy)

      let recovered = try Store(path: copy)
      let (first, second) = try collections(recovered)
      #expect(try first.read("k").copy?.value == "one")
      #expect(try second.read("k").copy?.value == "two")
      #expect(try recovered.outbox().count == 2)
      try await recovered.close()
    }
  }

  @Test(arguments: [("a", "b"), ("e\u{301}", "\u{e9}"), ("\u{e9}", "e\u{301}")])
  func `a mark of the record's former tag covers the answer that brings another tag`(
    old: String, new: String
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put(
        "old", for: "1", details: FetchDetails(expiry: .immediately, tags: [old]))
      let origin = ScriptedOrigin<String> { _ in .value("new", FetchDetails(tags: [new])) }
      origin.hold()
      async let answer = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      try await temporary.store.markStale(tag: old)
      origin.release()
      _ = try await answer

      #expect(try articles.read("1").decision.outcome == .stale)
    }
  }
}
