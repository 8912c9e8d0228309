#if Fleet
  import FreshFleet
  import FreshStore
  import FreshStoreTesting
  import PostgreSQLServer
  import Testing

  /// Stores of one fleet on a real database.
  @Suite(.needsPostgreSQL) struct StoresTests {
    private let origin = ScriptedOrigin<String> { _ in .value("one") }

    private func run(
      _ body: (RecordCollection<String>, RecordCollection<String>) async throws -> Void
    ) async throws {
      let fleet = try await TestFleet.make()
      let (one, other) = (try fleet.host(), try fleet.host())
      try await TemporaryStore.run(configure: { $0.sharedTier = one }) { here in
        try await TemporaryStore.run(configure: { $0.sharedTier = other }) { there in
          try await body(
            here.store.collection("articles", of: String.self),
            there.store.collection("articles", of: String.self))
        }
      }
    }

    private func get(
      _ articles: RecordCollection<String>, _ key: String
    ) async throws(GetError) -> Answer<String> {
      try await articles.get(key) { [origin] in try await origin.fetch($0) }
    }

    @Test func `one fetch serves two hosts, also of a key that holds a NUL`() async throws {
      try await run { here, there in
        let answers = try await withThrowingTaskGroup(of: Answer<String>.self) { group in
          for number in 0..<20 {
            group.addTask { try await get(number % 2 == 0 ? here : there, "1\02") }
          }
          return try await group.reduce(into: [Answer<String>]()) { $0.append($1) }
        }
        #expect(answers.map(\.value) == Array(repeating: "one", count: 20))
        #expect(answers.allSatisfy { $0.sharedTierFailure == nil })
        #expect(origin.calls == 1)
      }
    }

    @Test func `a mark of one host reaches the other, and is fetched once`() async throws {
      try await run { here, there in
        for articles in [here, there] { _ = try await get(articles, "1") }
        #expect(origin.calls == 1)
        let changes = there.changes(of: "1")

        try await here.markStale("1", reason: "it has changed")

        #expect(try here.read("1").decision.outcome == .stale)
        for await change in changes where change.kind == .marked { break }
        #expect(try there.read("1").decision.outcome == .stale)
        origin.answer { _ in .value("two") }
        #expect(try await get(there, "1").value == "two")
        #expect(try await get(here, "1").value == "two")
        #expect(origin.calls == 2)
      }
    }

    @Test func `a database that is not there stops nobody`() async throws {
      let client = try FleetClient("host=127.0.0.1 port=1 dbname=none connect_timeout=2")
      try await TemporaryStore.run(configure: { $0.sharedTier = client }) { temporary in
        let articles = try temporary.store.collection("articles", of: String.self)

        let answer = try await get(articles, "1")

        #expect(answer.value == "one" && answer.sharedTierFailure != nil)
        do throws(StoreError) {
          try await articles.markStale("1")
          Issue.record("the mark was made")
        } catch {
          #expect(error.sharedTierFailure != nil)
        }
      }
    }
  }
#endif
