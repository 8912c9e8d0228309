#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// The gateway treats a copy as its explanation says.
  @Suite(.timeLimit(.minutes(1))) struct ExplainedGraceTests {
    /// How an origin fails.
    enum Trouble: CaseIterable {
      case silence
      case error
    }

    private func report(_ bench: GatewayBench) throws -> (copy: CopyReport, action: String)? {
      guard
        let report = try CopyReport.of(
          bench.server.url("/a"), in: bench.temporary.store, "http", [:])
      else { return nil }
      return (copy: try #require(report.copies.first), action: report.action)
    }

    @Test(
      arguments: [
        "max-age=60", "max-age=60, stale-if-error=30", "max-age=60, stale-while-revalidate=30",
        "max-age=60, must-revalidate, stale-if-error=30", "no-cache, max-age=60", "max-age=0",
      ], Trouble.allCases)
    func `the graces that explain tells of are those that the gateway grants`(
      control: String, trouble: Trouble
    ) async throws {
      // Within the graces, and after them.
      for wait in [70, 100] {
        let isInTrouble = Mutex(false)
        try await withGateway { _ in
        } _: { _ in
          guard isInTrouble.withLock({ $0 }) else {
            return .init(200, ["Cache-Control": control, "ETag": "\"1\""], body: "hi")
          }
          return trouble == .error ? .init(503) : .init(raw: [.close])
        } test: { bench in
          try await bench.ask("/a")
          while try report(bench) == nil { await Task.yield() }
          bench.temporary.clock.advance(by: .seconds(wait))
          isInTrouble.withLock { $0 = true }
          let told = try #require(try report(bench))
          func isWithin(_ grace: Duration?) -> Bool {
            grace.map { .zero - told.copy.freshFor <= $0 } ?? false
          }
          let isRenewed = isWithin(told.copy.graceWhileRevalidating)
          let standsIn = isWithin(
            trouble == .error ? told.copy.graceOnServerError : told.copy.graceWithoutAnswer)
          if !isRenewed {
            #expect(told.action.contains("stands in") == isWithin(told.copy.graceWithoutAnswer))
          }
          let answer = try await bench.ask("/a")
          #expect((answer.text == "hi") == (isRenewed || standsIn))
          let decision = try #require(answer["Cache-Status"])
          #expect(decision.contains("stale-while-revalidate") == isRenewed)
        }
      }
    }

    @Test func `it is told by the options and the request that the gateway gets`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "hi")
      } test: { bench in
        try await bench.askUntilHit("/a")
        var options = GatewayOptions()
        options.maximumStaleness = .seconds(30)
        func report(_ fields: HeaderFields) throws -> (copies: [CopyReport], action: String)? {
          try CopyReport.of(
            bench.server.url("/a"), in: bench.temporary.store, "http", fields, by: options)
        }
        let plain = try #require(try report([:]))
        #expect(plain.action == "answer from a copy")
        #expect(plain.copies.first?.graceWithoutAnswer == .seconds(30))
        #expect(plain.copies.first?.graceOnServerError == .seconds(30))
        let unkeyed = try #require(try report(["X-Forwarded-Host": "other.example"]))
        #expect(unkeyed.action == "ask the origin (bypass)")
      }
    }

    @Test(arguments: [true, false])
    func `a marked copy is stale since its mark`(isOfRecord: Bool) async throws {
      try await withGateway { options in
        options.maximumStaleness = .seconds(60)
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=600"], body: "hi")
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        let store = bench.temporary.store
        if isOfRecord {
          try await store.bytes("http").markStale(bench.server.url("/a"), reason: "changed")
        } else {
          try await store.markStale(collection: "http", reason: "changed")
        }
        await bench.server.stop()
        for (wait, status) in [(40, 200), (40, 504)] {
          bench.temporary.clock.advance(by: .seconds(wait))
          #expect(try await bench.ask("/a").status == status)
        }
        #expect(try report(bench)?.copy.freshFor == .seconds(-80))
      }
    }

    @Test func `a mark leaves a copy no grace but for its origin's failures`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60, stale-while-revalidate=600"], body: "hi")
      } test: { bench in
        try await bench.askUntilHit("/a")
        #expect(try report(bench)?.copy.graceWhileRevalidating == .seconds(600))
        try await bench.temporary.store.markStale(collection: "http", reason: "changed")
        let told = try #require(try report(bench))
        #expect(told.copy.graceWhileRevalidating == nil)
        #expect(told.copy.graceWithoutAnswer != nil)
        #expect(
          told.action == "ask the origin (stale); a copy stands in where that fails")
      }
    }
  }
#endif
