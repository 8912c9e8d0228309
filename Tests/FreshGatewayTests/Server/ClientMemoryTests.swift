#if Gateway
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// The memory that clients occupy in a gateway is limited, in total and for each connection.
  @Suite(.timeLimit(.minutes(1))) struct ClientMemoryTests {
    /// The connections that were ended, by name.
    private final class Ended: Sendable {
      private let names = Mutex<[String]>([])
      var all: [String] { names.withLock(\.self) }

      func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    private static let limit = 1 << 20

    private func open(
      _ name: String, in memory: ClientMemory, _ ended: Ended
    ) -> ClientMemory.Account { memory.open { ended.note(name) } }

    @Test func `those that have moved nothing for longest end first, as far as room is needed`() {
      let (memory, ended) = (ClientMemory(limit: Self.limit), Ended())
      let accounts = (0..<10).map { open("\($0)", in: memory, ended) }
      for account in accounts { account.add(100_000) }
      #expect(ended.all.isEmpty)
      // The first has taken something since.
      accounts[0].remove(50_000)
      accounts[9].add(20_000)
      accounts[9].remove(1)
      let late = open("late", in: memory, ended)
      late.add(100_000)
      #expect(ended.all == ["1", "2"])
      #expect(late.request(of: "late") != nil)
    }

    @Test func `a connection that has too much held ends, whatever others do`() {
      let (memory, ended) = (ClientMemory(limit: Self.limit), Ended())
      let (first, other) = (open("a", in: memory, ended), open("b", in: memory, ended))
      for _ in 0..<100 {
        first.add(2048)
        other.add(100)
      }
      #expect(ended.all == ["a"])
    }

    @Test func `requests have half of it, and those of one client a quarter`() {
      let (memory, ended) = (ClientMemory(limit: Self.limit), Ended())
      let accounts = (0..<100).map { open("\($0)", in: memory, ended) }
      accounts[0].add(1000)
      var requests = accounts.compactMap { $0.request(of: "a") }
      #expect(requests.count == 16)
      // Each other client has its own share, until all clients together reach their limit.
      requests += (0..<100).compactMap { accounts[$0].request(of: "\($0)") }
      #expect(requests.count == 32)
      #expect(accounts[0].request(of: "z") == nil)
      requests.removeFirst()
      #expect(accounts[0].request(of: "z") != nil)
      #expect(accounts[0].request(of: "z", beside: 20_000) == nil)
      // No connection has ended for that.
      #expect(ended.all.isEmpty)
      requests = []
      #expect(memory.size == 1000 && accounts[0].request(of: "a") != nil)
    }

    @Test func `where too much waits beside requests, that has to go`() {
      let (memory, ended) = (ClientMemory(limit: Self.limit), Ended())
      let accounts = (0..<9).map { open("\($0)", in: memory, ended) }
      for account in accounts { account.add(110_000) }
      let asking = open("asking", in: memory, ended)
      let requests = (0..<5).compactMap { _ in asking.request(of: "a") }
      #expect(requests.count == 5)
      #expect(ended.all == ["0", "1"])
    }

    @Test func `what has ended is not counted`() {
      let memory = ClientMemory(limit: Self.limit)
      do {
        let account = memory.open {}
        account.add(1000)
        let request = account.request(of: "a")
        #expect(request != nil && memory.size > 1000)
      }
      #expect(memory.size == 0)
    }

    @Test func `a head that waits for more is counted, as is what is asked for`() async throws {
      try await withStreams({ $0.limits.clientMemory = 1 << 20 }) { _ in
        .init(200, ["Cache-Control": "no-store"], body: "page")
      } test: { bench in
        let client = try await bench.open()
        for number in 0..<15 { try await client.ask(2 * number + 1, isEnd: false) }
        try await client.ask(31, isEnd: false)
        #expect(await client.answer(31).status == 503)
        try await client.send(1, content: [], isEnd: true)
        #expect(await client.answer(1).text == "page")
        try await client.ask(33)
        #expect(await client.answer(33).text == "page")
        await client.close()
      }
    }

    @Test func `clients that take none of their answers end before others are refused`()
      async throws
    {
      try await withStreams { options in
        options.limits.clientMemory = 4 << 20
        options.trustedPeers = [PeerNetwork("127.0.0.1")].compactMap(\.self)
      } _: { _ in
        .init(200, ["Cache-Control": "no-store"], body: String(repeating: "a", count: 60_000))
      } test: { bench in
        var clients: [FrameClient] = []
        for number in 0..<16 {
          let client = try await bench.open()
          // Its window for the streams stays shut.
          client.takesContent = false
          // Requests of one client would be refused before that.
          for stream in 0..<4 {
            try await client.ask(
              2 * stream + 1, "/a", fields: "x-forwarded-for: 192.0.2.\(number)")
          }
          clients.append(client)
        }
        let other = try await bench.open()
        for stream in 0..<20 {
          try await other.ask(2 * stream + 1, "/b")
          #expect(await other.answer(2 * stream + 1).content.count == 60_000)
        }
        for client in clients { await client.close() }
        await other.close()
      }
    }
  }
#endif
