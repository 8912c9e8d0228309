#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// A request that the origin does not answer says little of the requests of other clients.
  @Suite(.timeLimit(.minutes(1))) struct FailedFlightTests {
    /// A response that is not HTTP. The gateway sends the request once, because it retries only
    /// when a connection ends without a response.
    private static func broken(after gate: Gate) -> OriginServer.Response {
      .init(raw: [.wait(gate), .send("no answer\r\n\r\n"), .close])
    }

    private static let fine = OriginServer.Response(
      200, ["Cache-Control": "max-age=60"], body: "fine")

    /// Returns once this number of requests waits for one answer.
    private func untilWaiting(_ count: Int, _ bench: GatewayBench) async {
      while bench.gateway.waiting < count { await Task.yield() }
    }

    @Test func `one client's broken request fails nobody who waits beside it`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        request["X-Crash"] == nil ? Self.fine : Self.broken(after: gate)
      } test: { (bench) async throws in
        async let sender = bench.ask("/hot", fields: "X-Crash: 1")
        await untilWaiting(1, bench)
        async let one = bench.ask("/hot")
        async let two = bench.ask("/hot")
        async let three = bench.ask("/hot")
        await untilWaiting(4, bench)
        gate.open()
        #expect(try await sender.status == 502)
        #expect(try await [one.text, two.text, three.text] == ["fine", "fine", "fine"])
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `a hundred who wait for an origin that answers nobody cost it one request more`()
      async throws
    {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        Self.broken(after: gate)
      } test: { (bench) async throws in
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0...100 { group.addTask { try await bench.ask("/hot").status } }
          await untilWaiting(101, bench)
          gate.open()
          for try await status in group { #expect(status == 502) }
        }
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `who has waited in vain once is asked for again, and who has twice is not`()
      async throws
    {
      let gates = [Gate(), Gate()]
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return number > gates.count ? Self.fine : Self.broken(after: gates[number - 1])
      } test: { (bench) async throws in
        async let first = bench.ask("/hot")
        await untilWaiting(1, bench)
        async let second = bench.ask("/hot")
        async let third = bench.ask("/hot")
        await untilWaiting(3, bench)
        gates[0].open()
        while bench.asked.count < 2 { await Task.yield() }
        await untilWaiting(2, bench)
        async let late = bench.ask("/hot")
        await untilWaiting(3, bench)
        gates[1].open()
        #expect(try await [first.status, second.status, third.status] == [502, 502, 502])
        #expect(try await late.text == "fine")
        #expect(bench.asked.count == 3)
      }
    }
  }
#endif
