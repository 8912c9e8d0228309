import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The behaviour of a get, row by row.
@Suite struct GetTableTests {
  @Test func `a missing record is fetched, stored and then served without a fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      let first = try await articles.get("1", from: origin)
      let second = try await articles.get("1", from: origin)

      #expect(first.freshness == .fetched)
      #expect(second.freshness == .fresh)
      #expect(second.value == "one")
      #expect(origin.calls == 1)
    }
  }

  @Test func `a fresh copy is served without a fetch, online or not`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(299))

      let online = try await articles.get("1", from: origin)
      temporary.reachability.set(.offline("no route"))
      let offline = try await articles.get("1", from: origin)

      #expect(online.freshness == .fresh && offline.freshness == .fresh)
      #expect(offline.age == .seconds(299))
      #expect(origin.calls == 0)
    }
  }

  @Test func `a stale copy without a grace is fetched before the answer`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "two" && answer.freshness == .fetched)
      #expect(answer.age == .zero)
      #expect(answer.decision?.outcome == .stale)
      #expect(origin.calls == 1)
    }
  }

  @Test func `inside the window a stale copy is served at once and refreshed in the background`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceWhileRevalidating = .seconds(10)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(310))
      let changes = articles.changes(of: "1")

      let served = try await articles.get("1", from: origin)
      for await change in changes where change.kind == .stored { break }

      #expect(served.value == "one" && served.freshness == .staleWhileRevalidating)
      #expect(try articles.read("1").copy?.value == "two")
      #expect(origin.calls == 1)
    }
  }

  @Test func `a refresh inside the window waits for the fetch`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceWhileRevalidating = .seconds(10)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(305))

      let answer = try await articles.refresh("1") { try await origin.fetch($0) }

      #expect(answer.value == "two" && answer.freshness == .fetched)
    }
  }

  @Test func `a refresh left to the caller is requested and not started`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceWhileRevalidating = .seconds(10)
      policy.backgroundRefresh = .byCaller
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(305))

      let served = try await articles.get("1", from: origin)
      try await temporary.store.close()

      #expect(served.needsRefresh && served.value == "one")
      #expect(origin.calls == 0)
    }
  }

  @Test func `inside the error grace a failed fetch returns the stale copy and the error`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceOnError = .seconds(60)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .staleOnError)
      #expect(answer.fetchFailure?.underlying is OriginFailure)
    }
  }

  @Test func `while offline a stale copy is served at once and says so`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(86_400))
      temporary.reachability.set(.offline("no route"))

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .staleOffline)
      #expect(answer.decision?.decidedBy == "reachability")
      #expect(origin.calls == 0)
    }
  }

  @Test(arguments: [
    Reachability.suspected("fetches failed"), .unknown("the probe failed"), .validated, .online,
  ]) func `any reachability except a proof of being offline allows a fetch`(
    _ reachability: Reachability
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      temporary.reachability.set(reachability)

      #expect(try await articles.get("1", from: origin).value == "two")
    }
  }

  @Test(arguments: [true, false])
  func `a copy that must be revalidated is never served stale, offline or not`(
    _ isOffline: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceOnError = .unlimited
      policy.graceWhileRevalidating = .unlimited
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1", details: FetchDetails(mustRevalidate: true))
      temporary.clock.advance(by: .seconds(300))
      if isOffline { temporary.reachability.set(.offline("no route")) }

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.code == (isOffline ? .offline : .fetchFailed))
      #expect(origin.calls == (isOffline ? 0 : 1))
    }
  }

  @Test func `a missing record fails at once while offline, without a fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      temporary.reachability.set(.offline("no route"))

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.code == .offline)
      #expect(failure?.decision?.outcome == .missing)
      #expect(origin.calls == 0)
    }
  }

  @Test func `a missing record whose fetch fails ends in that error`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.code == .fetchFailed)
      #expect(failure?.fetchFailure?.underlying is OriginFailure)
    }
  }

  @Test(arguments: [true, false]) func `past its hard end a copy is never served`(
    _ isOffline: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy.offlineFirst
      policy.hardEnd = .seconds(600)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(600))
      if isOffline { temporary.reachability.set(.offline("no route")) }

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.code == (isOffline ? .offline : .fetchFailed))
      #expect(failure?.decision?.cause == .pastHardEnd(age: .seconds(600), hardEnd: .seconds(600)))
    }
  }
}
