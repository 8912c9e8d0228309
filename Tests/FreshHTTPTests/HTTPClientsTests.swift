#if HTTP
  internal import AsyncHTTPClient
  internal import Testing

  @testable import FreshHTTP

  @Suite struct HTTPClientsTests {
    private let key = HTTPClients.Key(route: .direct, host: nil)

    private func make() -> HTTPClient { HTTPClient(eventLoopGroupProvider: .singleton) }

    /// Takes a client for one request.
    private func take(
      _ clients: HTTPClients, for origin: String = "http://a.example", _ key: HTTPClients.Key? = nil
    ) throws -> HTTPClient {
      try #require(clients.take(key ?? self.key, for: origin, make: make))
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

    @Test func `a client that has had many origins ends once nothing is under way by it`()
      async throws
    {
      let clients = HTTPClients(origins: 2)
      let first = try take(clients)
      let second = try take(clients, for: "http://b.example")
      let again = try take(clients)
      #expect(first === second && first === again && clients.count == 1)
      clients.giveBack(again, of: key, isLost: false)
      let next = try take(clients, for: "http://c.example")
      #expect(next !== first && clients.count == 2)
      clients.giveBack(first, of: key, isLost: false)
      #expect(clients.count == 2)
      clients.giveBack(second, of: key, isLost: false)
      #expect(clients.count == 1)
      clients.giveBack(next, of: key, isLost: false)
      await clients.end()?()
    }

    @Test func `clients of any number of hosts with certificates are no more than are wanted`()
      async throws
    {
      let clients = HTTPClients(atMost: 3)
      for number in 1...20 {
        let host = "\(number).example"
        let key = HTTPClients.Key(route: .direct, host: host)
        for _ in 1...2 {
          let client = try take(clients, for: "https://\(host)", key)
          clients.giveBack(client, of: key, isLost: false)
        }
        #expect(clients.count <= 3)
      }
      await clients.end()?()
    }

    @Test func `nothing is taken after the end`() async {
      let clients = HTTPClients()
      await clients.end()?()

      let isWithout = clients.take(key, for: "http://a.example", make: make) == nil
      let wasEnded = clients.end() == nil
      #expect(clients.hasEnded && isWithout && wasEnded)
    }
  }
#endif
