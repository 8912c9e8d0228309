#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import NIOEmbedded
  internal import NIOPosix
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// Tunnels of a proxy.
  @Suite(.timeLimit(.minutes(1))) struct TunnelTests {
    private static let page: OriginServer.Handler = { request in
      .init(200, body: String(repeating: request.target, count: 100_000))
    }

    private func withProxy(
      isOpen: Bool = true, host: String = "127.0.0.1", idleTime: Duration = .seconds(300),
      totalTime: Duration = .seconds(3600), hasAdmin: Bool = false,
      configure: (inout GatewayOptions) -> Void = { _ in },
      _ test: (GatewayBench) async throws -> Void
    ) async throws {
      try await TemporaryStore.run { temporary in
        let server = try await OriginServer.start(Self.page)
        var options = GatewayOptions()
        options.listen.host = host
        options.limits.tunnelIdleTime = idleTime
        options.limits.totalTime = totalTime
        options.http.clock = temporary.clock
        if isOpen { options.tunnels = TunnelPolicy(ports: [Self.port(of: server)]) }
        if hasAdmin {
          options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
          options.tunnels = TunnelPolicy(ports: Set(1...65_535))
        }
        configure(&options)
        let gateway = try await Gateway.start(options, on: temporary.store)
        let result: Result<Void, any Error>
        do {
          let bench = GatewayBench(gateway: gateway, server: server, temporary: temporary)
          result = .success(try await test(bench))
        } catch {
          result = .failure(error)
        }
        await gateway.close()
        await server.stop()
        try result.get()
      }
    }

    private static func port(of server: OriginServer) -> Int {
      Int(server.url("").split(separator: ":").last ?? "") ?? 0
    }

    private func connect(_ bench: GatewayBench, _ target: String? = nil, behind rest: String = "")
      async throws -> RawClient
    {
      let target = target ?? "127.0.0.1:\(Self.port(of: bench.server))"
      let client = try await bench.connect()
      try await client.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n\(rest)")
      return client
    }

    @Test func `bytes pass in both directions, and the end of one side is that of the other`()
      async throws
    {
      try await withProxy { bench in
        let client = try await connect(bench)
        let opened = try #require(await client.head())
        #expect(opened.status == 200)
        #expect(opened.fields.isEmpty)
        for target in ["/a", "/b"] {
          let last = target == "/b" ? "Connection: close\r\n" : ""
          try await client.send("GET \(target) HTTP/1.1\r\nHost: origin\r\n\(last)\r\n")
          let answer = try #require(await client.answer())
          #expect(answer.isWhole)
          #expect(answer.text.hasPrefix(target))
        }
        await client.close()
        #expect(bench.asked == ["GET /a", "GET /b"])
        #expect(try bench.temporary.store.list().isEmpty)
      }
    }

    @Test func `what was sent behind the request goes on, too`() async throws {
      try await withProxy { bench in
        let client = try await connect(bench, behind: "GET /a HTTP/1.1\r\nHost: origin\r\n\r\n")
        #expect(await client.head()?.status == 200)
        #expect(await client.answer()?.text.hasPrefix("/a") == true)
        await client.close()
      }
    }

    private func expectEnd(_ bench: GatewayBench) async throws {
      let client = try await connect(bench)
      #expect(await client.head()?.status == 200)
      #expect(await client.isEnded())
      await client.close()
    }

    @Test func `a tunnel through which nothing passes ends`() async throws {
      try await withProxy(idleTime: .milliseconds(50)) { bench in
        try await expectEnd(bench)
      }
    }

    /// Takes nothing that is written, until it ends.
    private final class Stuck: ChannelOutboundHandler {
      typealias OutboundIn = ByteBuffer
      private var promises: [EventLoopPromise<Void>] = []

      func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
      ) {
        if let promise { promises.append(promise) }
      }

      func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
      ) {
        let lost = promises
        promises = []
        for promise in lost { promise.fail(ChannelError.ioOnClosedChannel) }
        context.close(mode: mode, promise: promise)
      }
    }

    @Test func `an end that takes nothing is not kept when the other one has gone`() throws {
      let loop = EmbeddedEventLoop()
      let (client, host) = (EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop))
      let (near, far) = TunnelEnd.pair(idleTime: .seconds(300)) { _ in }
      try client.pipeline.syncOperations.addHandler(near)
      try host.pipeline.syncOperations.addHandlers([Stuck(), far])
      for channel in [client, host] {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      }
      try client.writeInbound(ByteBuffer(string: "hello"))
      client.close(promise: nil)
      loop.run()
      #expect(!client.isActive && host.isActive)
      loop.advanceTime(by: .seconds(299))
      #expect(host.isActive)
      loop.advanceTime(by: .seconds(1))
      #expect(!host.isActive)
    }

    @Test func `a tunnel ends when it has taken as long as a request may`() async throws {
      try await withProxy(totalTime: .seconds(3)) { bench in
        try await expectEnd(bench)
      }
    }

    @Test func `no tunnel is made unless that is wanted`() async throws {
      try await withProxy(isOpen: false) { bench in
        let client = try await connect(bench)
        let answer = try #require(await client.answer())
        #expect(answer.status == 501)
        #expect(answer.text == "tunnels are not made\n")
        await client.close()
      }
    }

    @Test func `tunnels lead to some ports alone`() async throws {
      try await withProxy { bench in
        let client = try await connect(bench, "127.0.0.1:1")
        #expect(await client.answer()?.status == 403)
        await client.close()
      }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "elsewhere.example"])
    func `no tunnel leads to the port of the listener for operators, whichever it has got`(
      host: String
    ) async throws {
      try await withProxy(hasAdmin: true) { bench in
        let port = try #require(bench.gateway.adminPort)
        let client = try await connect(bench, "\(host):\(port)")
        let answer = try #require(await client.answer())
        #expect(answer.status == 403)
        #expect(answer.text == "tunnels do not lead to this port\n")
        await client.close()
      }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func `a gateway that others reach leads nobody to this machine`(host: String) async throws {
      try await withProxy(host: "0.0.0.0") { bench in
        let client = try await connect(bench, "\(host):\(Self.port(of: bench.server))")
        let answer = try #require(await client.answer())
        #expect(answer.status == 403 || answer.status == 502)
        await client.close()
        #expect(bench.asked.isEmpty)
      }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "127.1.2.3", "[::ffff:127.0.0.1]", "own"])
    func `neither does a request lead to this machine, unless that is allowed`(
      host: String
    ) async throws {
      let own = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
        .first { !$0.contains(":") && !$0.hasPrefix("127.") }
      // Where there is no network, there is no such address.
      guard let host = host == "own" ? own : host else { return }
      for isAllowed in [false, true] {
        try await withProxy(host: "0.0.0.0", configure: { $0.reachesMachine = isAllowed }) {
          bench in
          let target = "http://\(host):\(Self.port(of: bench.server))/a"
          for method in ["GET", "POST"] {
            let client = try await bench.connect()
            try await client.send(
              "\(method) \(target) HTTP/1.1\r\nHost: \(host):\(Self.port(of: bench.server))\r\n"
                + "Content-Length: 0\r\n\r\n")
            let answer = try #require(await client.answer())
            await client.close()
            // The origin listens on one address alone.
            #expect((answer.status == 403) == !isAllowed, "\(answer.status) \(answer.text)")
            if !isAllowed { #expect(answer.text == "this proxy does not lead there\n") }
          }
          #expect(isAllowed || bench.asked.isEmpty)
          let tunnel = try await connect(bench, "\(host):\(Self.port(of: bench.server))")
          let status = await tunnel.head()?.status
          #expect(isAllowed ? status != 403 : status == 403 || status == 502)
          await tunnel.close()
        }
      }
    }

    @Test func `what cannot be reached is told`() async throws {
      try await withProxy { bench in
        let target = "127.0.0.1:\(Self.port(of: bench.server))"
        await bench.server.stop()
        let client = try await connect(bench, target)
        #expect(await client.answer()?.status == 502)
        await client.close()
      }
    }

    @Test func `a client that leaves before its tunnel stands is noted`() async throws {
      let log = LogLines()
      // Its one place is taken: the next one is not let in, and not refused either.
      let full = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 0)
        .serverChannelOption(.autoRead, value: false)
        .bind(host: "127.0.0.1", port: 0).get()
      let port = try #require(full.localAddress?.port)
      let first = try await RawClient.connect(port)
      try await withProxy(configure: { options in
        options.log = log.accessLog(.common)
        options.tunnels = TunnelPolicy(ports: [port])
        options.limits.originTime = .milliseconds(300)
      }) { bench in
        let client = try await connect(bench, "127.0.0.1:\(port)")
        await client.close()
        while bench.gateway.figures.served[Served.abandoned.rawValue] == 0 { await Task.yield() }
      }
      await first.close()
      try await full.close().get()
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"CONNECT 127.0.0.1:\(port) HTTP/1.1\" 499 0 \"-\" "))
    }

    @Test(
      arguments: [
        ("127.0.0.1", true), ("0.0.0.0", true), ("169.254.169.254", true), ("192.0.2.1", false),
        ("93.184.216.34", false), ("::1", true), ("::", true), ("::7f00:1", true),
        ("::ffff:127.0.0.1", true), ("::ffff:7f00:1", true), ("::ffff:192.0.2.1", false),
        ("fe80::1", true), ("2001:db8::1", false), ("", true), ("localhost", true),
      ])
    func `addresses of this machine and of its wire are known`(address: String, isLocal: Bool) {
      let machine = MachineAddresses()
      #expect(machine.contain(address) == isLocal)
      #expect(machine.keep(from: address) == isLocal)
      #expect(!MachineAddresses(areGuarded: false).keep(from: address))
    }

    @Test func `the addresses of its interfaces are this machine's in any form`() throws {
      let machine = MachineAddresses()
      for address in try System.enumerateDevices().compactMap({ $0.address?.ipAddress }) {
        #expect(machine.contain(address))
        if !address.contains(":") { #expect(machine.contain("::ffff:\(address)")) }
      }
    }
  }
#endif
