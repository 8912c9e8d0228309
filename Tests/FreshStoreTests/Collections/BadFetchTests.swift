import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Fetched data is never lost because of a failing store, and
/// no error hides another.
@Suite struct BadFetchTests {
  @Test func `a value that is too large is delivered together with the store's error`() async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { configuration in
      configuration.maximumValueSize = 5
      configuration.reporter = log
    }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("longer than five bytes") }

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "longer than five bytes" && answer.freshness == .fetched)
      #expect(answer.storeFailure?.code == .valueTooLarge(bytes: 24, limit: 5))
      #expect(try articles.state("1") == .missing)
      #expect(log.events.contains { if case .notStored = $0 { true } else { false } })
    }
  }

  @Test func `a value that cannot be encoded is delivered, and the copy becomes stale`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Double.self)
      let origin = ScriptedOrigin<Double> { _ in .value(.infinity) }
      try await numbers.put(1, for: "1")

      let answer = try await numbers.get("1", .sourceFirst, from: origin)

      guard case .notEncodable = answer.storeFailure?.code else {
        Issue.record("\(String(describing: answer.storeFailure))")
        return
      }
      #expect(answer.value == .infinity)
      #expect(try numbers.read("1").copy?.value == 1)
      #expect(try numbers.state("1") == .stale)
    }
  }

  @Test func `25: a full store delivers the fetched value and reports its own failure`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.maximumSize = 200_000 }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1], for: "small")
      let origin = ScriptedOrigin<[UInt8]> { _ in .value(Array(repeating: 7, count: 300_000)) }

      let answer = try await bytes.get("large", from: origin)

      #expect(answer.value.count == 300_000)
      #expect(answer.storeFailure?.code == .full)
      #expect(try bytes.read("small").copy?.value == [1])
      #expect(try bytes.explain("large").fetchedBy == nil)
    }
  }

  @Test func `a full store accepts writes again after a prune`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumSize = 400_000 }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      var stored = 0
      while await storeFailure(of: {
        try await bytes.put(Array(repeating: 7, count: 50_000), for: "\(stored)")
      }) == nil { stored += 1 }
      var options = PruneOptions()
      options.maximumCount = 1

      _ = try await temporary.store.prune(options)
      try await bytes.put(Array(repeating: 8, count: 50_000), for: "again")

      #expect(stored > 2)
      #expect(try bytes.read("again").copy?.value.first == 8)
    }
  }

  @Test func `26: the failure holds the error of the fetch and the state of the copy`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(400))

      let failure = try #require(await articles.failure("1", from: origin))

      #expect(failure.code == .fetchFailed)
      #expect(failure.fetchFailure?.underlying is OriginFailure)
      #expect(failure.decision?.outcome == .stale && failure.decision?.age == .seconds(400))
      #expect(failure.key == "1" && failure.collection == "articles")
    }
  }

  @Test func `26: a fallback without a copy keeps the fetch's own error`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.fallback = { _, _ in true }
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.code == .fetchFailed)
      #expect(failure?.fetchFailure?.underlying is OriginFailure)
      #expect(failure?.decision?.outcome == .missing)
    }
  }

  @Test func `a store that is busy for too long loses no value`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(20) }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")

      let answer = try await articles.get("1", from: origin)
      let put = await storeFailure { try await articles.put("one", for: "1") }
      try raw.execute("ROLLBACK")

      guard case .busy(let holder) = put?.code, case .busy = answer.storeFailure?.code else {
        Issue.record("\(String(describing: put))")
        return
      }
      #expect(answer.value == "one")
      #expect(holder?.hasPrefix("process ") == true)
    }
  }

  @Test func `reads do not wait for a writer`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(20) }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")
      try raw.execute("DELETE FROM record")

      #expect(try articles.read("1").copy?.value == "one")
      try raw.execute("ROLLBACK")
    }
  }

  @Test func `the copy answers when the network is lost during a failing fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let network = temporary.reachability
      let origin = ScriptedOrigin<String> { _ in
        network.set(.offline("cable pulled"))
        throw OriginFailure()
      }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let first = try await articles.get("1", from: origin)
      let second = try await articles.get("1", from: origin)

      #expect(first.freshness == .staleOffline && first.fetchFailure?.code == .thrown)
      #expect(second.freshness == .staleOffline)
    }
  }
}
