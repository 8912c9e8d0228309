import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Callers that ask the source whatever the copy, beside fetches of others and beside local writes.
@Suite struct AskingCallerTests {
  private let log = EventLog()

  /// Runs a test while another store's fetch holds the lease on "1" and is about to fail.
  private func besideFailingFetch(
    _ body: (
      TemporaryStore, _ there: RecordCollection<String>, _ fail: () async -> Void
    ) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { [log] configuration in
      configuration.reporter = log
      configuration.random = { 0.5 }
    }) { temporary in
      let other = try temporary.another()
      let policy = Policy(graceOnError: .hours(1)).retryPause(.minutes(10))
      let here = try temporary.store.collection("articles", of: String.self, policy: policy)
      let there = try other.collection("articles", of: String.self, policy: policy)
      try await here.put("one", for: "1")
      temporary.clock.advance(by: .minutes(5))
      let failing = ScriptedOrigin<String> { _ in throw OriginFailure() }
      failing.hold()
      let first = Task { await here.failure("1", .sourceOnly, from: failing) }
      await failing.calls(atLeast: 1)
      try await body(temporary, there) {
        failing.release()
        _ = await first.value
      }
      try await other.close()
    }
  }

  private func waitForLease(_ count: Int = 1) async {
    while log.events.count(where: { if case .waitedForLease = $0 { true } else { false } }) < count
    {
      await Task.yield()
    }
  }

  @Test func `a local write made meanwhile does not answer a get of the source alone`()
    async throws
  {
    try await besideFailingFetch { _, there, fail in
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      let get = Task { try await there.get("1", .sourceOnly, from: origin) }
      await waitForLease()
      try await there.write("mine", for: "1")
      await fail()

      #expect(try await get.value.value == "two")
      #expect(origin.calls == 1)
      #expect(try there.value("1") == "mine")
    }
  }

  @Test func `a refresh that joins a fetch which heeds a pause asks by itself`() async throws {
    try await besideFailingFetch { _, there, fail in
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      let first = Task { try await there.get("1", from: origin) }
      await waitForLease()
      let decisions = decisionCount
      let second = Task { try await there.refresh("1") { try await origin.fetch($0) } }
      while decisionCount == decisions { await Task.yield() }
      await fail()

      let waited = try await first.value
      #expect(waited.value == "one" && waited.fetchFailure != nil)
      #expect(try await second.value.value == "two")
      #expect(origin.calls == 1)
    }
  }

  private var decisionCount: Int {
    log.events.count(where: { if case .decided = $0 { true } else { false } })
  }

  @Test func `a source is not asked whether a local write is current`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("mine", for: "1")
      let asked = try await articles.get("1", policy: .sourceOnly) { previous in
        previous.value == nil ? .value("two") : .notModified
      }
      let failure = await articles.failure(
        "1", .sourceOnly, from: ScriptedOrigin { _ in .notModified })

      #expect(asked.value == "two")
      #expect(failure?.fetchFailure?.code == .notModifiedWithoutCopy)
    }
  }

  @Test func `an absence that a local write hides is no change`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("mine", for: "1")
      let changes = articles.changes()
      let failure = await articles.failure("1", .sourceOnly, from: ScriptedOrigin { _ in .gone })
      try await articles.put("other", for: "2")

      #expect(failure?.code == .absent)
      var first: Change?
      for await change in changes {
        first = change
        break
      }
      #expect(first?.kind == .stored && first?.key == "2")
    }
  }

  @Test func `a failed refresh does not shorten a pause`() async throws {
    let random = ManualRandom(0.9)
    try await TemporaryStore.run(configure: { $0.random = { random.value } }) { temporary in
      let policy = Policy().retryPause(.minutes(10), upTo: .hours(1))
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      _ = await articles.failure("1", from: origin)
      let before = try #require(try articles.explain("1").decision.nextAttempt)
      random.value = 0
      _ = try? await articles.refresh("1") { try await origin.fetch($0) }  // It fails, as it must.

      #expect(origin.calls == 2)
      #expect(try articles.explain("1").decision.nextAttempt == before)
    }
  }

  @Test func `a bypass is explained as it is: offline it fails, and closed it is refused`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Policy(mode: .bypass))
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      #expect(try articles.explain("1").action == .fetch)
      temporary.reachability.set(.offline("unplugged"))
      #expect(try articles.explain("1").action == .fail)
      #expect(await articles.failure("1", from: origin)?.fetchFailure?.code == .offline)
      try await temporary.store.close()
      #expect(await articles.failure("1", from: origin)?.storeFailure?.code == .closed)
      #expect(origin.calls == 0)
    }
  }

  @Test func `a batch of local writes shares neither a patch nor an address`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let patch = await storeFailure {
        try await articles.write(["1": "x"], as: .patch([1], contentType: "a/b"))
      }
      let address = await storeFailure {
        try await articles.write(["1": "x"], options: WriteOptions(address: "https://a.example/1"))
      }
      #expect(patch?.code == .invalidArgument("a patch is for one object"))
      #expect(address?.code == .invalidArgument("an address is that of one object"))
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}

/// A random number that a test sets.
private final class ManualRandom: Sendable {
  private let state: Mutex<Double>

  init(_ value: Double) { state = Mutex(value) }

  var value: Double {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
