#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Whose fault it is when no answer comes.
  @Suite(.timeLimit(.minutes(1))) struct ForwardingTests {
    private struct Broken: Error {}

    /// A forwarder of an origin of its own; both end with the test.
    private func withForwarder(
      connections: Int = 256, silence: Duration = .seconds(30),
      _ handler: @escaping OriginServer.Handler,
      test: (HTTPForwarder, HTTPAddress) async throws -> Void
    ) async throws {
      let server = try await OriginServer.start(handler)
      var configuration = HTTPConfiguration(connectTimeout: .milliseconds(50))
      configuration.maximumConnectionsPerHost = connections
      let forwarder = try HTTPForwarder(configuration, silence: silence)
      do {
        try await test(forwarder, address(server.url("/a")))
      } catch {
        await forwarder.close()
        await server.stop()
        throw error
      }
      await forwarder.close()
      await server.stop()
    }

    @Test func `no request goes to an address that requests are kept from, whatever its name is`()
      async throws
    {
      let server = try await OriginServer.start { _ in .init(200) }
      let isLate = Atomic(false)
      let checks = Atomic(0)
      let forwarder = try HTTPForwarder(HTTPConfiguration(), silence: .seconds(30)) { address in
        // As if the name had another address by the time it is connected to.
        let isConnection = checks.add(1, ordering: .relaxed).newValue > 1
        return address == "127.0.0.1" && (isConnection || !isLate.load(ordering: .relaxed))
      }
      for _ in 1...2 {
        let error = await #expect(throws: HTTPFetchError.self) {
          _ = try await forwarder.send(ForwardedRequest("GET", address(server.url("/a")), [:]))
        }
        guard case .badURL? = error else {
          #expect(Bool(false), "\(String(describing: error))")
          continue
        }
        isLate.store(true, ordering: .relaxed)
        // The name is known by now, and is not looked up again.
        checks.store(1, ordering: .relaxed)
      }
      #expect(server.requests.isEmpty)
      await forwarder.close()
      await server.stop()
    }

    @Test func `content that breaks off is no failure of the origin`() async throws {
      try await withForwarder { _ in
        .init(200)
      } test: { (forwarder, address) async throws in
        let content = ForwardedRequest.Content(length: 5) { throw Broken() }
        await #expect {
          _ = try await forwarder.send(ForwardedRequest("POST", address, [:], content: content))
        } throws: { error in
          guard let error = error as? HTTPFetchError else { return false }
          return !error.blamesOrigin && !error.wasAnswered && !error.isUnreachable
        }
      }
    }

    @Test func `an origin that ends a connection where it waits for content is told apart`()
      async throws
    {
      let server = try await OriginServer.start { _ in .init(200) }
      let forwarder = try HTTPForwarder(HTTPConfiguration(), silence: .seconds(30))
      let (isAsked, isOver) = (Gate(), Gate())
      let address = try HTTPAddress(server.url("/a"))
      let content = ForwardedRequest.Content(length: 2) {
        isAsked.open()
        await isOver.wait()
        return nil
      }
      let request = ForwardedRequest("POST", address, [:], content: content)
      let sending = Task { try await forwarder.send(request).status }
      await isAsked.wait()
      await server.stop()
      await #expect(throws: HTTPFetchError.self) { try await sending.value }
      #expect(request.wasIncomplete)
      let next = ForwardedRequest("GET", address, [:])
      await #expect(throws: HTTPFetchError.self) { _ = try await forwarder.send(next) }
      #expect(!next.wasIncomplete)
      isOver.open()
      await forwarder.close()
    }

    @Test func `no origin has failed where the forwarder ends`() async throws {
      let (isAsked, gate) = (Gate(), Gate())
      try await withForwarder { _ in
        isAsked.open()
        await gate.wait()
        return .init(200)
      } test: { (forwarder, address) async throws in
        let underWay = Task {
          try await forwarder.send(ForwardedRequest("GET", address, [:])).status
        }
        await isAsked.wait()
        await forwarder.close()
        await #expect(throws: HTTPFetchError.cancelled(address.redacted)) {
          try await underWay.value
        }
        await #expect(throws: HTTPFetchError.cancelled(address.redacted)) {
          _ = try await forwarder.send(ForwardedRequest("GET", address, [:]))
        }
        gate.open()
      }
    }

    @Test func `a client that is slow to send its content does not make the origin a slow one`()
      async throws
    {
      // The origin, on a busy machine, has this long to answer at the end.
      try await withForwarder(silence: .seconds(1)) { request in
        if request.method == "GET" { await Gate().wait() }
        return .init(200)
      } test: { (forwarder, address) async throws in
        let (isAsked, comes) = (Gate(), Gate())
        let content = ForwardedRequest.Content(length: 1) {
          guard !comes.isOpen else { return nil }
          isAsked.open()
          await comes.wait()
          return ByteBuffer(string: "a")
        }
        async let answer = forwarder.send(
          ForwardedRequest("POST", address, [:], content: content))
        await isAsked.wait()
        // A request that nothing answers tells that the time is over.
        await #expect(throws: HTTPFetchError.self) {
          _ = try await forwarder.send(ForwardedRequest("GET", address, [:]))
        }
        comes.open()
        #expect(try await answer.status == 200)
      }
    }

    @Test func `a request waits while others hold all connections, and the origin is not to blame`()
      async throws
    {
      let gate = Gate()
      try await withForwarder(connections: 1) { _ in
        .init(200, ["Content-Length": "1"], steps: [.wait(gate), .send("a")])
      } test: { (forwarder, address) async throws in
        let open = try await forwarder.send(ForwardedRequest("GET", address, [:]))
        let waiting = ForwardedRequest("GET", address, [:])
        async let second = forwarder.send(waiting)
        // Another one's patience is longer than a connection may take to be made.
        let other = try HTTPForwarder(HTTPConfiguration(), silence: .milliseconds(200))
        let silent = try await other.send(ForwardedRequest("GET", address, [:]))
        await #expect(throws: HTTPFetchError.self) { try await silent.content.read { _ in true } }
        await other.close()
        #expect(waiting.shortage?.wasAnswered == false)
        #expect(waiting.shortage?.blamesOrigin == false)
        gate.open()
        try await open.content.read { _ in true }
        #expect(try await second.status == 200)
        #expect(waiting.shortage == nil)
      }
    }
  }
#endif
