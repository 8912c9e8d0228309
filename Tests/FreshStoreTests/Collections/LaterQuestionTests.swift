import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

/// No caller gets an answer to a question that was put before its own, where it comes to ask.
@Suite(.timeLimit(.minutes(2))) struct LaterQuestionTests {
  private let log = EventLog()

  private func decisions(atLeast count: Int) async {
    while log.events.count(where: { if case .decided = $0 { true } else { false } }) < count {
      await Task.yield()
    }
  }

  private func refresh(
    _ articles: RecordCollection<String>, from origin: ScriptedOrigin<String>
  ) async throws -> String {
    try await articles.refresh("1") { try await origin.fetch($0) }.value
  }

  private func run(
    busyTimeout: Duration = .seconds(5),
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { [log] configuration in
      configuration.reporter = log
      configuration.busyTimeout = busyTimeout
    }) { temporary in
      try await body(temporary, temporary.store.collection("articles", of: String.self))
    }
  }

  @Test(arguments: [true, false])
  func `a refresh is not answered by a fetch that was asked before it`(
    isOfOtherStore: Bool
  ) async throws {
    try await run { (temporary, articles) async throws in
      let other = try temporary.another()
      let there =
        isOfOtherStore ? try other.collection("articles", of: String.self) : articles
      let before = ScriptedOrigin<String> { _ in .value("before") }
      before.hold()
      let first = Task { try await articles.get("1", from: before) }
      await before.calls(atLeast: 1)

      let after = ScriptedOrigin<String> { _ in .value("after") }
      let refresh = Task { try await self.refresh(there, from: after) }
      await decisions(atLeast: 2)
      before.release()

      #expect(try await first.value.value == "before")
      #expect(try await refresh.value == "after")
      #expect(after.calls == 1)
      #expect(try there.value("1") == "after")
      try await other.close()
    }
  }

  @Test func `refreshes that come while one runs share the next`() async throws {
    try await run { (_, articles) async throws in
      let origin = ScriptedOrigin<String> { _ in .value("new") }
      origin.hold()
      let first = Task { try await self.refresh(articles, from: origin) }
      await origin.calls(atLeast: 1)
      let later = (0..<50).map { _ in
        Task { try await self.refresh(articles, from: origin) }
      }
      await decisions(atLeast: 51)
      origin.release()

      #expect(try await first.value == "new")
      for refresh in later { #expect(try await refresh.value == "new") }
      // The others may come one by one to the end of the first: none of them asks alone.
      #expect(origin.calls <= 10 && origin.mostAtOnce == 1)
    }
  }

  @Test func `a get without a lease answers nobody from after a mark`() async throws {
    try await run(busyTimeout: .milliseconds(20)) { temporary, articles in
      let there = try temporary.another()
      let before = ScriptedOrigin<String> { _ in .value("before") }
      before.hold()
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")
      let first = Task { try await articles.get("1", from: before) }
      await before.calls(atLeast: 1)
      try raw.execute("ROLLBACK")
      try await there.markStale(tag: "news")

      let after = ScriptedOrigin<String> { _ in .value("after") }
      let second = Task { try await articles.get("1", from: after) }
      await decisions(atLeast: 2)
      before.release()

      #expect(try await first.value.value == "before")
      #expect(try await second.value.value == "after")
      try await there.close()
    }
  }

  @Test func `a caller that has gone asks nobody`() async throws {
    try await run { (_, articles) async throws in
      let origin = ScriptedOrigin<String> { _ in .value("new") }
      let get = Task {
        while !Task.isCancelled { await Task.yield() }
        return await articles.failure("1", Policy(mode: .bypass), from: origin)
      }
      get.cancel()
      #expect(await get.value?.code == .cancelled)
      #expect(origin.calls == 0)
    }
  }

  @Test func `a lease that could not be given back blocks no later get`() async throws {
    try await run(busyTimeout: .milliseconds(20)) { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in .value("new") }
      origin.hold()
      let first = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")
      origin.release()
      let answer = try await first.value
      #expect(answer.value == "new" && answer.storeFailure != nil)
      try raw.execute("ROLLBACK")

      #expect(try await articles.get("1", from: origin).storeFailure == nil)
      #expect(!log.events.contains { $0.name == "waited-for-lease" })
      #expect(try raw.integer("SELECT count(*) FROM lease") == 0)
    }
  }

  @Test func `a value that finds no room keeps no other of its batch from being stored`()
    async throws
  {
    try await TemporaryStore.run(configure: { configuration in
      configuration.maximumSize = 1 << 20
    }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let sizes = ["large": 2 << 20, "small": 10, "other": 20]
      let results = await bytes.get(Array(sizes.keys)) { missing in
        Dictionary(
          uniqueKeysWithValues: missing.map { previous in
            (previous.key, .value(Array(repeating: 7, count: sizes[previous.key] ?? 0)))
          })
      }
      for (key, size) in sizes { #expect(try results[key]?.get().value.count == size) }
      #expect(try results["large"]?.get().storeFailure?.code == .full)
      #expect(try temporary.store.list().map(\.key).sorted() == ["other", "small"])
      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM lease") == 0)
    }
  }
}
