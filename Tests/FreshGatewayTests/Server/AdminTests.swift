#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport
  internal import Testing

  @testable import FreshGateway

  /// The responses of the listener for operators.
  @Suite(.timeLimit(.minutes(1))) struct AdminTests {
    private static let token = "0123456789abcdef0123"

    private func ask(_ port: Int, _ target: String, _ method: String = "GET") async throws
      -> RawClient.Answer
    {
      let client = try await RawClient.connect(port)
      try await client.send("\(method) \(target) HTTP/1.1\r\nHost: admin\r\n\r\n")
      let answer = try #require(await client.answer())
      #expect(await client.isEnded())
      await client.close()
      return answer
    }

    @Test func `connections on which nothing is asked keep nobody from asking`() async throws {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.limits.adminConnections = 1
      } _: { _ in
        .init()
      } test: { bench in
        let port = try #require(bench.gateway.adminPort)
        let first = try await RawClient.connect(port)
        let second = try await RawClient.connect(port)
        #expect(await first.isEnded())
        try await second.send("GET /healthz HTTP/1.1\r\nHost: admin\r\n\r\n")
        #expect(await second.answer()?.status == 200)
        await first.close()
        await second.close()
      }
    }

    @Test func `a page of another site learns nothing by a name of that which leads here`()
      async throws
    {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.names = ["www.example"]
      } _: { _ in
        .init()
      } test: { bench in
        let port = try #require(bench.gateway.adminPort)
        for (host, isKnown) in [
          ("127.0.0.1:\(port)", true), ("[::1]:\(port)", true), ("localhost", true),
          ("gateway", true), ("WWW.example:1", true), ("a.localhost", true), ("192.0.2.1", true),
          ("evil.example", false), ("127.0.0.1.evil.example", false),
          ("localhost.evil.example", false),
          ("www.example.evil.example", false), ("a b", false),
        ] {
          for (target, status) in [("/status", 421), ("/metrics", 421), ("/healthz", 200)] {
            let client = try await RawClient.connect(port)
            try await client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let answer = try #require(await client.answer())
            #expect(answer.status == (isKnown ? 200 : status), "\(host) \(target)")
            await client.close()
          }
        }
      }
    }

    @Test func `a gateway that ends is not healthy`() async throws {
      let gate = Gate()
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { _ in
        await gate.wait()
        return .init()
      } test: { bench in
        let port = try #require(bench.gateway.adminPort)
        #expect(try await ask(port, "/healthz").status == 200)
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        while bench.asked.isEmpty { await Task.yield() }
        async let drained: Bool = bench.gateway.drain(within: .seconds(30))
        var health = try await ask(port, "/healthz")
        while health.status == 200 { health = try await ask(port, "/healthz") }
        #expect(health.status == 503)
        #expect(health.text == "draining\n")
        gate.open()
        #expect(await drained)
        await client.close()
      }
    }

    @Test func `a gateway whose store cannot be read is not healthy, and says so`() async throws {
      try await withGateway({ _ in }) { _ in
        .init()
      } test: { bench in
        let store = try bench.temporary.another()
        let other = try await start(store, bench.temporary.clock, bench.server) { options in
          options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        }
        let port = try #require(other.adminPort)
        #expect(try await ask(port, "/healthz").status == 200)
        try await store.close()
        let health = try await ask(port, "/healthz")
        #expect(health.status == 503)
        #expect(health.text.hasPrefix("the store cannot be read: "))
        // There are figures all the same.
        let metrics = try await ask(port, "/metrics")
        #expect(metrics.status == 200)
        #expect(!metrics.text.contains("freshstore_store_file_bytes"))
        await other.close()
      }
    }

    @Test(arguments: ["GET /status", "GET /metrics", "HEAD /healthz", "POST /purge/a"])
    func `a client of a forward proxy gets nothing from the listener for operators`(
      request: String
    ) async throws {
      let words = request.split(separator: " ")
      try await withGateway { options in
        options.origin = nil
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.operatorTokens = OperatorTokens([Self.token])
      } _: { _ in
        .init()
      } test: { bench in
        let port = try #require(bench.gateway.adminPort)
        // Neither does what a client writes hide by which way its request has come.
        for (host, fields) in [
          ("127.0.0.1", "Connection: close, Via"),
          ("localhost", "Connection: close\r\nVia: 1.1 \"a"),
        ] {
          let client = try await bench.connect()
          try await client.send(
            "\(words[0]) http://\(host):\(port)\(words[1]) HTTP/1.1\r\nHost: \(host):\(port)\r\n"
              + "\(fields)\r\nContent-Length: 0\r\n"
              + "Authorization: Bearer \(Self.token)\r\n\r\n")
          let answer = try #require(await client.answer(isHead: words[0] == "HEAD"))
          #expect(answer.status == 403)
          #expect(answer.text == (words[0] == "HEAD" ? "" : "clients have no way here\n"))
          await client.close()
        }
      }
    }

    @Test func `operators may come through other proxies`() async throws {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { _ in
        .init()
      } test: { bench in
        let client = try await RawClient.connect(try #require(bench.gateway.adminPort))
        try await client.send("GET /healthz HTTP/1.1\r\nHost: admin\r\nVia: 1.1 another\r\n\r\n")
        #expect(await client.answer()?.text == "ok\n")
        await client.close()
      }
    }

    @Test func `a purge may take longer than the head of a request`() async throws {
      try await TemporaryStore.run(configure: { $0.busyTimeout = .seconds(60) }) { temporary in
        let server = try await OriginServer.start { _ in
          .init(200, ["Cache-Control": "max-age=60"], body: "hello")
        }
        let gateway = try await start(temporary.store, temporary.clock, server) { options in
          options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
          options.operatorTokens = OperatorTokens([Self.token])
          options.limits.headTime = .milliseconds(300)
        }
        let bench = GatewayBench(gateway: gateway, server: server, temporary: temporary)
        try await bench.askUntilHit("/a")
        let port = try #require(gateway.adminPort)
        let other = try RawDatabase(temporary.path)
        try other.execute("BEGIN IMMEDIATE")
        let client = try await RawClient.connect(port)
        try await client.send(
          "PURGE /a HTTP/1.1\r\nHost: admin\r\nAuthorization: Bearer \(Self.token)\r\n\r\n")
        // The gateway closes a silent connection when the time for a header section is over.
        let silent = try await RawClient.connect(port)
        #expect(await silent.isEnded())
        try other.execute("COMMIT")
        #expect(await client.answer()?.text == "purged: 1\n")
        await client.close()
        await silent.close()
        await gateway.close()
        await server.stop()
      }
    }

    @Test func `health, figures and status have a listener of their own`() async throws {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "hello")
      } test: { bench in
        let port = try #require(bench.gateway.adminPort)
        try await bench.askUntilHit("/a")
        #expect(try await ask(port, "/healthz").text == "ok\n")
        let metrics = try await ask(port, "/metrics").text
        #expect(metrics.contains("freshstore_requests_total{served=\"hit\"} 1\n"))
        #expect(metrics.contains("freshstore_requests_total{served=\"miss\"} 1\n"))
        #expect(metrics.contains("freshstore_origin_seconds_count 1\n"))
        #expect(metrics.contains("freshstore_origin_answers_total{status=\"2xx\"} 1\n"))
        let status = try await ask(port, "/status?pretty")
        #expect(status["Content-Type"] == "application/json")
        #expect(status.text.contains("\"originRequests\":1"))
        #expect(try await ask(port, "/a").status == 404)
        #expect(try await ask(port, "/healthz", "POST").status == 405)
        #expect(try await ask(port, "/../healthz").status == 404)
        let client = try await RawClient.connect(port)
        try await client.send("HEAD /a HTTP/1.1\r\nHost: admin\r\n\r\n")
        #expect(await client.answer(isHead: true)?.status == 404)
        #expect(await client.isEnded())
        await client.close()
        // Clients have no way there.
        #expect(try await bench.ask("/metrics").text == "hello")
      }
    }
  }
#endif
