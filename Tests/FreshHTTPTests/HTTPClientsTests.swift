#if HTTP
  internal import AsyncHTTPClient
  internal import Testing

  @testable import FreshHTTP

  @Suite struct HTTPClientsTests {
    private let key = HTTPClients.Key(route: .direct, host: nil)

    private func make() -> HTTPClient { HTTPClient(eventLoopGroupProvider: .singleton) }

    /// Takes a client for one request.
    private func take(_ clients: HTTPClients) throws -> HTTPClient {
      try #require(clients.take(key, make: make))
    }

    @Test func `requests over one route share a client`() async throws {
      let clients = HTTPClients()
      let first = try take(clients)
      clients.giveBack(first, of: key, isLost: false)
      let second = try take(clients)

      #expect(first === second)
      clients.giveBack(second, of: key, isLost: false)
      await clients.end()?()
    }

    @Test func `a request after one that was lost with its network has connections of its own`()
      async throws
    {
      let clients = HTTPClients()
      let (lost, other) = (try take(clients), try take(clients))
      clients.giveBack(lost, of: key, isLost: true)
      let next = try take(clients)
      clients.giveBack(other, of: key, isLost: true)
      let last = try take(clients)

      #expect(lost === other && lost !== next && next === last)
      await clients.end()?()
    }

    @Test func `nothing is taken after the end`() async {
      let clients = HTTPClients()
      await clients.end()?()

      let isWithout = clients.take(key, make: make) == nil
      let wasEnded = clients.end() == nil
      #expect(clients.hasEnded && isWithout && wasEnded)
    }
  }
#endif
