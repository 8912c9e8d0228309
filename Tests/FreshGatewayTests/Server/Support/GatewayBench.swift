#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// A gateway in front of a real origin, with a store and a clock of the test's own.
  struct GatewayBench {
    let gateway: Gateway
    let server: OriginServer
    let temporary: TemporaryStore

    /// The paths that the origin was asked for, with the methods.
    var asked: [String] { server.requests.map { "\($0.method) \($0.target)" } }

    func connect() async throws -> RawClient { try await RawClient.connect(gateway.port) }

    /// The response of the listener for operators.
    func told(_ path: String) async throws -> String {
      let client = try await RawClient.connect(try #require(gateway.adminPort))
      try await client.send("GET \(path) HTTP/1.1\r\nHost: admin\r\n\r\n")
      let answer = try #require(await client.answer())
      await client.close()
      return answer.text
    }

    /// Another gateway of the same store and origin, with nothing in memory. The caller ends it.
    func another() async throws -> GatewayBench {
      GatewayBench(
        gateway: try await start(temporary.store, temporary.clock, server), server: server,
        temporary: temporary)
    }

    /// One request over a connection of its own.
    @discardableResult
    func ask(
      _ target: String, _ method: String = "GET", fields: String = "", content: String = ""
    ) async throws -> RawClient.Answer {
      let client = try await connect()
      let lines = fields.split(separator: "|").map { "\($0)\r\n" }.joined()
      let length =
        content.isEmpty && method == "GET" ? "" : "Content-Length: \(content.utf8.count)\r\n"
      try await client.send(
        "\(method) \(target) HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\(lines)\(length)\r\n"
          + content)
      let answer = try #require(await client.answer(isHead: method == "HEAD"))
      await client.close()
      return answer
    }

    /// Asks again until an answer is a copy: what an origin has sent is stored a moment after its last byte.
    @discardableResult
    func askUntilHit(_ target: String, fields: String = "") async throws -> RawClient.Answer {
      while true {
        let answer = try await ask(target, fields: fields)
        if answer["Cache-Status"]?.hasPrefix("freshstore; hit") == true { return answer }
        await Task.yield()
      }
    }
  }

  /// Runs a gateway of a new origin, and ends both; the file is checked then.
  func withGateway(
    _ configure: (inout GatewayOptions) -> Void = { _ in },
    _ handler: @escaping OriginServer.Handler,
    test: (GatewayBench) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let server = try await OriginServer.start(handler)
      do {
        let gateway = try await start(temporary.store, temporary.clock, server, configure)
        do {
          try await test(GatewayBench(gateway: gateway, server: server, temporary: temporary))
        } catch {
          await gateway.close()
          throw error
        }
        await gateway.close()
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  /// Starts a gateway of an origin on any free port.
  func start(
    _ store: Store, _ clock: ManualClock, _ server: OriginServer,
    _ configure: (inout GatewayOptions) -> Void = { _ in }
  ) async throws -> Gateway {
    var options = GatewayOptions()
    options.origin = server.url("")
    options.http.clock = clock
    configure(&options)
    return try await Gateway.start(options, on: store)
  }
#endif
