import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct ExpiryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var expiry: Expiry
    var age: Duration
    var outcome: Decision.Outcome
    var testDescription: String { "\(expiry) at \(age): \(outcome)" }
  }

  static let cases: [Case] = [
    Case(expiry: .after(.seconds(10)), age: .zero, outcome: .fresh),
    Case(expiry: .after(.seconds(10)), age: .milliseconds(9999), outcome: .fresh),
    Case(expiry: .after(.seconds(10)), age: .seconds(10), outcome: .stale),
    Case(expiry: .after(.seconds(10)), age: .seconds(11), outcome: .stale),
    Case(expiry: .after(.zero), age: .zero, outcome: .stale),
    Case(expiry: .after(.seconds(-1)), age: .zero, outcome: .stale),
    Case(expiry: .after(.microseconds(999)), age: .zero, outcome: .stale),
    Case(expiry: .never, age: .seconds(3_000_000_000), outcome: .fresh),
    Case(expiry: .immediately, age: .zero, outcome: .stale),
    // Without a stated expiry the chain's last strategy, the default, serves the copy.
    Case(expiry: .unstated, age: .seconds(3_000_000_000), outcome: .fresh),
  ]

  @Test(arguments: cases) func `H-S02: age against each kind of expiry, equal is stale`(
    _ given: Case
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: given.expiry))
      temporary.clock.advance(by: given.age)

      #expect(try articles.state("1") == given.outcome)
    }
  }

  @Test(arguments: [Expiry.after(.seconds(10)), .never, .immediately, .unstated])
  func `an expiry is read back from the file as it was stated`(_ expiry: Expiry) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: expiry))

      #expect(try articles.read("1").copy?.expiry == expiry)
    }
  }

  @Test func `the fetch's own expiry takes precedence over the policy's`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .value("one", FetchDetails(expiry: .after(.seconds(10))))
      }

      let answer = try await articles.get("1", from: origin)
      temporary.clock.advance(by: .seconds(10))

      #expect(answer.expiry == .after(.seconds(10)))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `the fetch's own last update is the timestamp of its value`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let earlier = temporary.clock.reading().wall.advanced(by: .seconds(-200))
      let origin = ScriptedOrigin<String> { _ in .value("one", FetchDetails(lastUpdate: earlier)) }

      let answer = try await articles.get("1", from: origin)
      temporary.clock.advance(by: .seconds(100))

      #expect(answer.age == .seconds(200))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [(Policy.AgeBase.request, 7), (.response, 0)])
  func `a fetched value is as old as its question, or as its answer by policy`(
    _ base: Policy.AgeBase, _ age: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.ageBase = base
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let clock = temporary.clock
      let origin = ScriptedOrigin<String> { _ in
        clock.advance(by: .seconds(7))
        return .value("one")
      }

      let answer = try await articles.get("1", from: origin)

      #expect(answer.age == .seconds(age))
      #expect(try articles.read("1").decision.age == .seconds(age))
    }
  }

  @Test func `a clock that is set while a source is asked changes no age`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let clock = temporary.clock
      let origin = ScriptedOrigin<String> { _ in
        clock.advance(by: .seconds(7))
        clock.stepWall(by: .seconds(-3600))
        return .value("one")
      }

      let answer = try await articles.get("1", from: origin)

      #expect(answer.age == .seconds(7))
    }
  }

  @Test(arguments: [(0.0, 100), (0.5, 90), (0.75, 85)])
  func `jitter shortens the expiry by its random part`(
    _ random: Double, _ seconds: Int
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { random } }) { temporary in
      var policy = Policy().expiring(.after(.seconds(100)))
      policy.jitter = 0.2
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      try await articles.get("1", from: origin)
      temporary.clock.advance(by: .milliseconds(seconds * 1000 - 1))
      let before = try articles.state("1")
      temporary.clock.advance(by: .milliseconds(1))

      #expect(before == .fresh)
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [Expiry.never, .unstated, .immediately])
  func `jitter does not change an expiry without a duration`(_ expiry: Expiry) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.99 } }) { temporary in
      var policy = Policy().expiring(expiry)
      policy.jitter = 1
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      #expect(try await articles.get("1", from: origin).expiry == expiry)
    }
  }
}
