#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import NIOCore
  internal import NIOEmbedded
  internal import Testing

  @testable import FreshGateway

  /// An idle client does not hold a connection. The tests advance the time of the event loop.
  @Suite struct ConnectionTimeTests {
    /// Sends bytes with pauses; returns the response, and whether the connection is open.
    ///
    /// - Parameter drainsBeforeLast: True when the gateway begins to drain before the last step.
    private func result(
      of steps: [(bytes: String, pause: TimeAmount)], _ store: TemporaryStore,
      drainsBeforeLast: Bool = false
    ) throws -> (sent: String, isOpen: Bool) {
      var options = GatewayOptions()
      options.origin = "http://origin.example"
      options.http.clock = store.clock
      let core = try GatewayCore(options, store.store)
      let channel = EmbeddedChannel(handler: ConnectionHandler(core))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      for (number, step) in steps.enumerated() {
        if drainsBeforeLast, number == steps.count - 1 {
          core.connections.beginDraining()
          channel.embeddedEventLoop.run()
        }
        if !step.bytes.isEmpty { try channel.writeInbound(ByteBuffer(string: step.bytes)) }
        channel.embeddedEventLoop.advanceTime(by: step.pause)
      }
      var sent = ""
      while let part = try channel.readOutbound(as: ByteBuffer.self) {
        sent += String(buffer: part)
      }
      let isOpen = channel.isActive
      _ = try channel.finish(acceptAlreadyClosed: true)
      return (sent, isOpen)
    }

    @Test func `a head that comes too slowly is refused`() async throws {
      try await TemporaryStore.run { store in
        let result = try result(
          of: [
            ("GET / HT", .seconds(4)), ("TP/1.1\r\nHo", .seconds(4)), ("st: g\r\n", .seconds(3)),
          ], store)
        #expect(result.sent.hasPrefix("HTTP/1.1 408 "))
      }
    }

    @Test func `a connection without a request ends in time, and without a word`() async throws {
      try await TemporaryStore.run { store in
        let early = try result(of: [("", .seconds(59))], store)
        #expect(early.isOpen)
        let late = try result(of: [("", .seconds(61))], store)
        #expect(late.sent == "")
        #expect(!late.isOpen)
      }
    }

    @Test func `the time of a head begins with its first byte`() async throws {
      try await TemporaryStore.run { store in
        let result = try result(of: [("", .seconds(30)), ("GET / HT", .seconds(9))], store)
        #expect(result.isOpen)
        #expect(result.sent == "")
      }
    }

    @Test func `the gateway's own answer needs no network`() async throws {
      try await TemporaryStore.run { store in
        let result = try result(
          of: [("OPTIONS * HTTP/1.1\r\nHost: g\r\n\r\n", .seconds(1))], store)
        #expect(result.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(result.sent.contains("Cache-Status: freshstore; detail="))
        #expect(result.isOpen)
      }
    }

    @Test func `a gateway that ends waits for no request behind content that nobody wants`()
      async throws
    {
      try await TemporaryStore.run { store in
        let result = try result(
          of: [
            ("OPTIONS * HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n\r\n", .seconds(1)),
            ("abc", .seconds(1)),
          ], store, drainsBeforeLast: true)
        #expect(result.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!result.isOpen)
      }
    }
  }
#endif
