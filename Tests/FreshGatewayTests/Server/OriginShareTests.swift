#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// One client leaves connections to an origin to others.
  @Suite(.timeLimit(.minutes(1))) struct OriginShareTests {
    private static let (one, other) = (
      SlowClients.Place(client: "a", origin: "o"), SlowClients.Place(client: "b", origin: "o")
    )

    @Test(arguments: [(256, 192), (24, 18), (4, 3)])
    func `a client has three quarters of the connections at the most`(
      connections: Int, limit: Int
    ) async {
      let shares = OriginShares(of: connections)
      for _ in 0..<limit { #expect(await shares.take(Self.one, within: .seconds(30))) }
      #expect(await !shares.take(Self.one, within: .milliseconds(1)))
      #expect(await shares.take(Self.other, within: .seconds(30)))
      let waiting = Task { await shares.take(Self.one, within: .seconds(30)) }
      while shares.waiting == 0 { await Task.yield() }
      shares.giveBack(Self.one)
      #expect(await waiting.value)
      let cancelled = Task { await shares.take(Self.one, within: .seconds(30)) }
      while shares.waiting == 0 { await Task.yield() }
      cancelled.cancel()
      #expect(await !cancelled.value)
      for _ in 0..<limit { shares.giveBack(Self.one) }
      #expect(await shares.take(Self.one, within: .seconds(30)))
    }

    @Test func `of few connections nothing is left to others`() async {
      let shares = OriginShares(of: 3)
      for _ in 0..<10 { #expect(await shares.take(Self.one, within: .zero)) }
    }

    @Test func `nobody waits for a request that waits until others of its client have ended`()
      async throws
    {
      let gate = Gate()
      let (one, other) = ("X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2")
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.http.maximumConnectionsPerHost = 4
        options.trustedPeers = [PeerNetwork("127.0.0.1")].compactMap(\.self)
      } _: { request in
        if request.target.hasPrefix("/slow") { await gate.wait() }
        return .init(200, ["Cache-Control": "max-age=60"], body: "done")
      } test: { bench in
        try await withThrowingTaskGroup(of: String.self) { group in
          for number in 0..<3 {
            group.addTask { try await bench.ask("/slow\(number)", fields: one).text }
          }
          while bench.asked.count < 3 { await Task.yield() }
          for _ in 0..<2 { group.addTask { try await bench.ask("/hot", fields: one).text } }
          while bench.gateway.waitingForShares < 2 { await Task.yield() }
          let figures = try await bench.told("/metrics")
          #expect(figures.contains("freshstore_origin_connections_awaited 2\n"))
          #expect(try await bench.askUntilHit("/hot", fields: other).text == "done")
          let count = bench.asked.count
          gate.open()
          for try await text in group { #expect(text == "done") }
          #expect(bench.asked.count == count)
        }
      }
    }

    @Test func `requests of one client that take long keep no other waiting`() async throws {
      let gate = Gate()
      try await withGateway { options in
        options.http.maximumConnectionsPerHost = 4
        options.trustedPeers = [PeerNetwork("127.0.0.1")].compactMap(\.self)
      } _: { request in
        if request.target.hasPrefix("/slow") { await gate.wait() }
        return .init(200, ["Cache-Control": "no-store"], body: "done")
      } test: { bench in
        try await withThrowingTaskGroup(of: String.self) { group in
          for number in 0..<8 {
            group.addTask {
              try await bench.ask("/slow\(number)", fields: "X-Forwarded-For: 192.0.2.1").text
            }
          }
          while bench.asked.count < 3 { await Task.yield() }
          let other = try await bench.ask("/quick", fields: "X-Forwarded-For: 192.0.2.2")
          #expect(other.text == "done")
          #expect(bench.asked.count == 4)
          gate.open()
          for try await text in group { #expect(text == "done") }
        }
      }
    }
  }
#endif
