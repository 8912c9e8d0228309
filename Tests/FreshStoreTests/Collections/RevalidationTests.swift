import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Every answer of a fetch that is not simply a value.
@Suite struct RevalidationTests {
  @Test func `the fetch receives the copy and its validators`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .notModified }
      let validators = Validators(entityTag: "W/\"1\"", lastModified: "Sat, 21 Nov 2026 07:00 GMT")
      let stored = temporary.clock.reading().wall
      try await articles.put(
        "one", for: "1",
        details: FetchDetails(validators: validators, variant: "en", metadata: "kept"))
      temporary.clock.advance(by: .seconds(300))

      try await articles.get("1", from: origin)

      let previous = try #require(origin.requests.first)
      #expect(previous.value == "one")
      #expect(previous.validators == validators)
      #expect(previous.lastUpdate == stored)
      #expect(previous.variant == "en" && previous.metadata == "kept")
    }
  }

  @Test func `a confirmed copy that may not be stored is handed out and not renewed`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .notModified(FetchDetails(expiry: .after(.seconds(50)), isStorable: false))
      }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let answer = try await articles.get("1", from: origin)
      try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.storeFailure == nil)
      #expect(try articles.state("1") == .stale)
      #expect(origin.calls == 2)
    }
  }

  @Test func `not modified keeps the bytes and renews the timestamps`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .notModified(FetchDetails(expiry: .after(.seconds(50))))
      }
      let validators = Validators(entityTag: "\"1\"")
      try await articles.put(
        "one", for: "1", details: FetchDetails(validators: validators, tags: ["news"]))
      temporary.clock.advance(by: .seconds(300))

      let answer = try await articles.get("1", from: origin)
      let copy = try articles.read("1").copy

      #expect(answer.value == "one" && answer.freshness == .revalidated)
      #expect(copy?.value == "one" && copy?.expiry == .after(.seconds(50)))
      #expect(copy?.lastUpdate == temporary.clock.reading().wall)
      #expect(copy?.validators == validators)
      #expect(try articles.explain("1").tags == ["news"])
    }
  }

  @Test(arguments: [
    (FetchDetails(), ["s1", "t1", "v1", "m1"]),
    (
      FetchDetails(source: "s2", contentType: "t2", variant: "v2", metadata: "m2"),
      ["s2", "t2", "v2", "m2"]
    ),
  ])
  func `not modified keeps the details that it leaves unsaid, and adopts the others`(
    details: FetchDetails, kept: [String]
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .notModified(details) }
      try await articles.put(
        "one", for: "1",
        details: FetchDetails(source: "s1", contentType: "t1", variant: "v1", metadata: "m1"))
      temporary.clock.advance(by: .seconds(300))
      try await articles.get("1", from: origin)
      let content = try temporary.store.storage.record("articles", "1")?.content
      #expect(
        [content?.source, content?.contentType, content?.variant, content?.metadata]
          == kept.map(String?.some))
    }
  }

  @Test func `not modified without a copy is a failed fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .notModified }

      let failure = await articles.failure("1", from: origin)

      #expect(failure?.fetchFailure?.code == .notModifiedWithoutCopy)
    }
  }

  @Test func `an absence is remembered until its expiry`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .gone }

      let first = await articles.failure("1", from: origin)
      temporary.clock.advance(by: .milliseconds(59_999))
      let second = await articles.failure("1", from: origin)
      temporary.clock.advance(by: .milliseconds(1))
      let third = await articles.failure("1", from: origin)

      #expect([first, second, third].allSatisfy { $0?.code == .absent })
      #expect(origin.calls == 2)
    }
  }

  @Test func `an absence replaces the copy`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .gone }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      #expect(await articles.failure("1", from: origin)?.code == .absent)
      #expect(try articles.state("1") == .absent)
    }
  }

  @Test func `the fetch states the lifetime of an absence`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .gone(FetchDetails(expiry: .after(.seconds(5))))
      }

      _ = await articles.failure("1", from: origin)
      temporary.clock.advance(by: .seconds(5))
      _ = await articles.failure("1", from: origin)

      #expect(origin.calls == 2)
    }
  }

  @Test func `without a negative expiry an absence is checked on every get`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.negativeExpiry = nil
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .gone }

      _ = await articles.failure("1", from: origin)
      _ = await articles.failure("1", from: origin)

      #expect(origin.calls == 2)
    }
  }

  @Test func `an expired absence still holds while offline`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .gone }
      _ = await articles.failure("1", from: origin)
      temporary.clock.advance(by: .seconds(3600))
      temporary.reachability.set(.offline("no route"))

      #expect(await articles.failure("1", from: origin)?.code == .absent)
      #expect(origin.calls == 1)
    }
  }

  @Test func `a value that may not be stored is delivered and not stored`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one", FetchDetails(isStorable: false)) }

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.storeFailure == nil)
      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `a value that may not be stored leaves the older copy stale`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two", FetchDetails(isStorable: false)) }
      try await articles.put("one", for: "1")

      let answer = try await articles.get("1", .sourceFirst, from: origin)

      #expect(answer.value == "two")
      #expect(try articles.read("1").copy?.value == "one")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a refused value fails the fetch and the good copy stays`() async throws {
    try await TemporaryStore.run { temporary in
      let rule = Rule<String>(code: "short", message: "at most three letters") { $0.count <= 3 }
      var policy = Policy()
      policy.graceOnError = .seconds(60)
      let articles = try temporary.store.collection("articles", policy: policy, admitting: rule)
      let origin = ScriptedOrigin<String> { _ in .value("too long") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let answer = try await articles.get("1", from: origin)

      guard case .refused(let report) = answer.fetchFailure?.code else {
        Issue.record("not refused: \(String(describing: answer.fetchFailure))")
        return
      }
      #expect(report.issues.map(\.code) == ["short"])
      #expect(answer.value == "one" && answer.freshness == .staleOnError)
      #expect(try articles.explain("1").decision.failures == 1)
    }
  }

  @Test func `a put value that breaks its rules is refused`() async throws {
    try await TemporaryStore.run { temporary in
      let rule = Rule<String>(code: "short", message: "at most three letters") { $0.count <= 3 }
      let articles = try temporary.store.collection("articles", admitting: rule)
      try await articles.put("one", for: "1")

      let failure = await storeFailure { try await articles.put("too long", for: "1") }

      guard case .refused = failure?.code else {
        Issue.record("not refused: \(String(describing: failure))")
        return
      }
      #expect(try articles.read("1").copy?.value == "one")
    }
  }

  @Test func `a copy of another variant is never served`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.acceptsVariant = { $0 == "de" }
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("eins", FetchDetails(variant: "de")) }
      try await articles.put("one", for: "1", details: FetchDetails(variant: "en"))

      let found = try articles.read("1").decision
      let answer = try await articles.get("1", from: origin)

      #expect(found.outcome == .unusable && found.cause == .otherVariant)
      #expect(answer.value == "eins")
      #expect(try articles.state("1") == .fresh)
    }
  }
}
