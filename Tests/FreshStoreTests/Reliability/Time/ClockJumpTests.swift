import FreshStore
import FreshStoreTesting
import Strategies
import Testing

/// The wall clock is set, forward and back, while something is under way.
@Suite struct ClockJumpTests {
  private static let jumps = [-86_400, -60, 60, 86_400]

  @Test(arguments: jumps) func `a value that is fetched meanwhile is as old as it is`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .value("one", FetchDetails(expiry: .after(.seconds(100))))
      }
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.stepWall(by: .seconds(seconds))
      origin.release()
      let answer = try await fetched
      temporary.clock.stepWall(by: .seconds(-seconds))
      temporary.clock.advance(by: .seconds(99))
      let before = try articles.read("1").decision
      temporary.clock.advance(by: .seconds(1))

      #expect(answer.age == .zero && answer.storeFailure == nil)
      #expect(before.outcome == .fresh && before.age == .seconds(99))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: jumps) func `a lease lasts as long as it would, and is renewed`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = here.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.stepWall(by: .seconds(seconds))
      let holder = try there.explain("1").fetchedBy
      async let second = there.get("1", from: origin)
      origin.release()
      let answers = try await [first, second]
      try await other.close()

      #expect(holder != nil)
      #expect(answers.map(\.value) == ["one", "one"] && origin.calls == 1)
      #expect(answers.allSatisfy { $0.storeFailure == nil })
    }
  }

  @Test(arguments: jumps) func `a sweep marks what has expired by its age, and nothing else`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      for number in 0..<40 {
        try await articles.put(
          number, for: "\(number)",
          details: FetchDetails(expiry: .after(.seconds(number < 20 ? 10 : 1000))),
          survivesPowerLoss: false)
      }
      temporary.clock.advance(by: .seconds(100))
      let clock = temporary.clock
      var options = SweepOptions()
      options.batchSize = 5
      options.progress = { if $0.examined == 5 { clock.stepWall(by: .seconds(seconds)) } }

      let result = try await temporary.store.sweep(options)
      let fresh = try (0..<40).filter { try articles.state("\($0)") == .fresh }

      // Set back, what is due later by that clock is not looked at; a read decides for itself.
      #expect(result.marked <= 20)
      #expect(fresh == Array(20..<40))
      temporary.clock.stepWall(by: .seconds(-seconds))
      let rest = try await temporary.store.sweep()
      #expect(result.marked + rest.marked == 20)
    }
  }

  @Test(arguments: jumps) func `the pause after a failure lasts as long as it would`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.999 } }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      _ = await articles.failure("1", from: origin)

      temporary.clock.stepWall(by: .seconds(seconds))
      temporary.clock.advance(by: .seconds(3600))
      origin.answer { _ in .value("back") }

      let answer = await articles.failure("1", from: origin)
      // Set back, nobody is kept waiting for as long as the clock was set back.
      #expect(answer == nil, "\(String(describing: answer))")
    }
  }

  @Test func `a machine that slept has grown older`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .after(.seconds(100))))

      // The boot clock counts the sleep; the wall clock was not set when it woke.
      temporary.clock.advance(by: .seconds(8 * 3600))
      temporary.clock.stepWall(by: .seconds(-8 * 3600))
      let decision = try articles.read("1").decision

      #expect(decision.age == .seconds(8 * 3600) && decision.outcome == .stale)
    }
  }
}
