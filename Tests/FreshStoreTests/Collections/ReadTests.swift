import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@Suite struct ReadTests {
  @Test func `a read is fresh, stale or missing, and never fetches`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      let fresh = try articles.read("1")
      temporary.clock.advance(by: .seconds(300))
      let stale = try articles.read("1")
      let missing = try articles.read("2")

      guard case .fresh(let first) = fresh, case .stale(let second) = stale,
        case .missing(let third) = missing
      else {
        Issue.record("\(fresh), \(stale), \(missing)")
        return
      }
      #expect(first.value == "one" && second.value == "one")
      #expect(second.decision.age == .seconds(300))
      #expect(third.cause == .nothingStored)
    }
  }

  @Test func `a copy carries all its stored details`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let details = FetchDetails(
        expiry: .after(.seconds(5)), validators: Validators(entityTag: "\"1\""),
        source: "https://example.org/1", contentType: "text/plain", variant: "en")
      try await articles.put("one", for: "1", details: details)

      let copy = try #require(try articles.read("1").copy)

      #expect(copy.value == "one" && copy.key == "1")
      #expect(copy.expiry == .after(.seconds(5)))
      #expect(copy.validators == Validators(entityTag: "\"1\""))
      #expect(copy.source == "https://example.org/1" && copy.contentType == "text/plain")
      #expect(copy.variant == "en" && copy.lastUpdate == temporary.clock.reading().wall)
    }
  }

  @Test func `many records are read in one call, each with its own reading`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      try await articles.put("two", for: "2", details: FetchDetails(expiry: .immediately))

      let states = try articles.read(["1", "2", "3", "1"]).mapValues(\.decision.outcome)

      #expect(states == ["1": .fresh, "2": .stale, "3": .missing])
    }
  }

  @Test func `H-S07: a list is judged by its first element that is not fresh`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put(["1": "one", "2": "two"])

      let whole = try articles.judge(all: ["1", "2"], whenEmpty: .invalid)
      let broken = try articles.judge(all: ["1", "3", "2"], whenEmpty: .valid)

      #expect(whole.judgement.verdict == .valid)
      #expect(broken.judgement.verdict == .invalid && broken.failedAt == 1)
    }
  }

  @Test(arguments: [Verdict.valid, .invalid]) func `H-S05: the caller decides about an empty list`(
    _ verdict: Verdict
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let judgement = try articles.judge(all: [], whenEmpty: verdict).judgement

      #expect(judgement.verdict == verdict && judgement.reason == .emptyList)
    }
  }

  @Test func `an asynchronous chain judges one record in place of the store's`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      try await articles.put("one", for: "2", details: FetchDetails(expiry: .immediately))
      let chain: AsyncChain<RecordStamps> = [.sync(.timestamp())]

      #expect(try await articles.judge("1", by: chain).isValid)
      #expect(try await !articles.judge("2", by: chain).isValid)
      #expect(try await articles.judge("3", by: chain).reason == .noObject)
    }
  }

  @Test func `a store's own chain replaces the standard one`() async throws {
    try await TemporaryStore.run(configure: { $0.chain = [.maxAge(.seconds(10))] }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .never))
      try await articles.markStale("1")
      let marked = try articles.state("1")
      temporary.clock.advance(by: .seconds(11))

      #expect(marked == .fresh)
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [Verdict.valid, .invalid])
  func `H-S04: a chain in which no strategy decides gives the verdict it was built with`(
    _ verdict: Verdict
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.chain = Chain([], undecided: verdict)
    }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      let decision = try articles.read("1").decision

      #expect(decision.outcome == (verdict == .valid ? .fresh : .stale))
      #expect(decision.decidedBy == "chain" && decision.cause == .chain(.undecided))
    }
  }

  @Test func `the reachability of one call may be assumed or left out`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      var policy = Policy()
      policy.reachability = .assume(.offline("flight mode"))
      var ignoring = Policy()
      ignoring.reachability = .ignore

      let assumed = try articles.state("1", policy)
      temporary.reachability.set(.offline("no route"))

      #expect(assumed == .offline)
      #expect(try articles.state("1", ignoring) == .stale)
      #expect(try articles.state("1") == .offline)
    }
  }

  @Test func `explain traces every strategy and writes nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(tags: ["b", "a"]))
      temporary.clock.advance(by: .seconds(300))

      let explanation = try articles.explain("1")

      #expect(
        explanation.decision.trace.map(\.strategy) == [
          "reachability", "invalidation", "timestamp",
        ])
      #expect(explanation.decision.trace.map(\.opinion.verdict) == [.unknown, .unknown, .invalid])
      #expect(explanation.action == .fetch)
      #expect(explanation.tags == ["a", "b"])
      #expect(explanation.size == 5)
      #expect(temporary.clock.sleepers == 0)
    }
  }
}
