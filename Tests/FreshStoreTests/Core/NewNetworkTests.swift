import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Pauses after the network has changed.
@Suite struct NewNetworkTests: GuardedSuite {
  @Test func `in another network one attempt is let through at once, and no second one`()
    async throws
  {
    try await withOpenBreaker { temporary, articles, origin in
      temporary.reachability.changeNetwork()
      let state = try articles.sourceState()
      let explained = try articles.explain("3").action
      let latch = Latch(isOpen: false)
      origin.answer { _ in
        try await latch.pass()
        throw Self.down
      }
      async let trial = articles.failure("3", from: origin)
      await origin.calls(atLeast: 3)
      _ = await articles.failure("4", from: origin)
      latch.open()
      _ = await trial
      _ = await articles.failure("5", from: origin)

      #expect(state == .trial && explained == .fetch)
      #expect(origin.calls == 3)
      temporary.reachability.changeNetwork()
      origin.answer { _ in .value("up") }
      let answer = try await articles.get("5", from: origin)
      #expect(answer.value == "up")
      #expect(try articles.sourceState() == .open)
    }
  }

  @Test func `another network does not end a pause that the origin has named`() async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(600))
      temporary.reachability.changeNetwork()
      _ = await articles.failure("3", from: origin)
      let asked = origin.calls
      temporary.clock.advance(by: .seconds(60))
      let refused = await articles.failure("4", from: origin)

      #expect((asked, origin.calls) == (3, 3))
      #expect(refused?.fetchFailure?.code == .originIsDown(until: until))
    }
  }

  @Test func `an unanswered trial in another network keeps a named pause`()
    async throws
  {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(600))
      temporary.reachability.changeNetwork()
      origin.hold()
      let trial = Task { await articles.failure("3", from: origin) }
      await origin.calls(atLeast: 3)
      temporary.clock.advance(by: .seconds(11))
      let downUntil = try articles.explain("4").originIsDownUntil
      trial.cancel()
      origin.release()
      _ = await trial.value
      #expect(downUntil == until)
    }
  }

  @Test
  func `a breaker opened by another store is respected by a store that knows this network alone`()
    async throws
  {
    try await withStore { temporary, articles in
      temporary.reachability.changeNetwork()
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self, policy: Self.guarded)
      let origin = ScriptedOrigin<String> { _ in throw Self.down }
      for key in ["1", "2"] { _ = await articles.failure(key, from: origin) }
      _ = await there.failure("3", from: origin)
      let asked = origin.calls
      temporary.reachability.changeNetwork()
      _ = await there.failure("3", from: origin)
      try await other.close()
      #expect((asked, origin.calls) == (2, 3))
    }
  }

  @Test func `pushes begin again in another network`() async throws {
    try await withOpenBreaker { temporary, articles, _ in
      try await articles.write("mine", for: "w")
      let early = try await articles.drain { _ in .accepted(FetchDetails()) }
      temporary.reachability.changeNetwork()
      try await temporary.store.retry(try temporary.store.outbox().map(\.id))
      let late = try await articles.drain { _ in .accepted(FetchDetails()) }
      #expect(early["w"]?.words == "deferred: \(Self.origin) keeps failing")
      #expect(late["w"]?.words == "accepted mine")
    }
  }
}
