import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Testing

/// Sources that are one type.
@Suite(.timeLimit(.minutes(1))) struct RecordSourceTests {
  /// A source that can only be asked for single records.
  private struct Readable: RecordSource {
    func fetch(_ previous: Previous<String>) async throws -> Fetched<String> {
      .value("of \(previous.key)")
    }
  }

  /// A source that answers each user by name.
  private struct Personal: RecordSource {
    let user: String

    var acceptsVariant: (@Sendable (String?) -> Bool)? {
      let user = user
      return { $0 == user }
    }

    func fetch(_ previous: Previous<String>) async throws -> Fetched<String> {
      .value("for \(user)", FetchDetails(expiry: .never, variant: user))
    }
  }

  /// A source that is down.
  private struct Broken: RecordSource {
    let breakerOrigin: Origin?
    let asked: Recorder<String>

    func fetch(_ previous: Previous<String>) async throws -> Fetched<String> {
      asked.add(previous.key)
      throw OriginFailure()
    }
  }

  /// As a source without an origin, one key after another is asked for in vain.
  @Test(arguments: [("https://example.org", 3), (nil, 9)] as [(String?, Int)])
  func `the breaker of a source's own origin opens, whatever the preset`(
    url: String?, requests: Int
  ) async throws {
    let breaker: @Sendable (inout Configuration) -> Void = {
      $0.breaker = BreakerPolicy(threshold: 3)
    }
    try await TemporaryStore.run(configure: breaker) { temporary in
      let source = Broken(breakerOrigin: url.map { Origin($0) }, asked: Recorder())
      let notes = try temporary.store.collection("notes", of: String.self)
      // Each of them fails.
      for key in 1...9 { _ = try? await notes.get("\(key)", from: source) }
      #expect(source.asked.all.count == requests)

      let named = Policy.cacheFirst.from(source)
      #expect(try notes.explain("1", policy: named).origin?.name == source.breakerOrigin?.name)
      #expect(try notes.explain("10", policy: named).refusal == nil || url != nil)
      #expect(try notes.explain("1").origin == nil)
      let other = Policy.cacheFirst.origin("other").from(source)
      #expect(try notes.explain("1", policy: other).origin == "other")
    }
  }

  @Test func `one type is asked for records and lists, and told of writes`() async throws {
    try await TemporaryStore.run { temporary in
      let server = ScriptedServer(["1": "one"])
      let notes = try temporary.store.collection("notes", of: String.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(notes, from: server, following: "all", "new")
      try await notes.write("two", for: "2")

      let report = try await synchronizer.drain()

      #expect(report.pushed == 1 && report.lists == 2 && report.failed == 0)
      #expect(server["2"] == "two")
      #expect(server.lists.map(\.name).sorted() == ["all", "new"])
      #expect(try notes.read("1").copy?.value == "one")
    }
  }

  @Test func `a source that takes no writes refuses them where a user sees it`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(notes, from: Readable())
      try await notes.write("mine", for: "1")

      let report = try await synchronizer.drain()

      #expect(report.parked == 1)
      let entry = try #require(try temporary.store.outbox().first)
      #expect(entry.refusal?.reason.contains("takes no writes") == true)
    }
  }

  @Test func `following a list of a source without lists fails, and says why`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      let failure = await #expect(throws: GetError.self) {
        try await notes.follow("all", from: Readable())
      }
      #expect(failure?.fetchFailure?.message.contains("no list 'all'") == true)
    }
  }

  @Test
  func
    `a copy of another user's source counts as missing, and replaces no condition of the policy`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (anna, bob) = (Personal(user: "anna"), Personal(user: "bob"))
      let notes = try temporary.store.collection("notes", of: String.self)
      _ = try await notes.get("1", from: anna)

      #expect(try await notes.get("1", from: anna).freshness == .fresh)
      #expect(try await notes.get("1", from: bob).value == "for bob")

      let strict = Policy.cacheFirst.with(\.acceptsVariant) { $0 == nil }
      #expect(try await notes.get("1", policy: strict, from: bob).freshness == .fetched)
      let own = try temporary.store.collection(
        "notes", of: String.self, policy: .cacheFirst.from(anna))
      #expect(try own.read("1").copy == nil)
    }
  }

  @Test func `a get and a refresh ask the source that a synchronizer asks`() async throws {
    try await TemporaryStore.run { temporary in
      let server = ScriptedServer(["1": "one"], details: FetchDetails(expiry: .never))
      let notes = try temporary.store.collection("notes", of: String.self)

      #expect(try await notes.get("1", from: server).value == "one")
      server["1"] = "two"
      #expect(try await notes.get("1", from: server).value == "one")
      #expect(try await notes.refresh("1", from: server).value == "two")
    }
  }
}
