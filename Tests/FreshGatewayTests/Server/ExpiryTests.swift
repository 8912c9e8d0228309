#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Copies of answers that state no lifetime, over real connections.
  @Suite(.timeLimit(.minutes(1))) struct ExpiryTests {
    private static let minute: @Sendable (inout GatewayOptions) -> Void = { options in
      options.lifetimes.found = [.init(nil, .seconds(60))]
    }

    @Test func `what states no lifetime is kept for that of the operator, and fetched again then`()
      async throws
    {
      try await withGateway(Self.minute) { _ in
        .init(200, ["Content-Type": "application/json"], body: "{}")
      } test: { bench in
        let miss = try await bench.ask("/a")
        #expect(miss["Cache-Status"] == "freshstore; fwd=uri-miss; ttl=60; stored")
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(59))
        let hit = try await bench.ask("/a")
        #expect(hit["Cache-Status"] == "freshstore; hit; ttl=1")
        #expect(hit.text == "{}")
        bench.temporary.clock.advance(by: .seconds(1))
        #expect(try await bench.ask("/a")["Cache-Status"]?.contains("fwd=stale") == true)
        #expect(bench.asked == ["GET /a", "GET /a"])
      }
    }

    @Test(arguments: [
      ("Cache-Control", "no-store", "", "no-store"), ("Cache-Control", "private", "", "private"),
      ("Cache-Control", "no-cache", "", "useless"), ("Set-Cookie", "a=b", "", "set-cookie"),
      ("Cache-Control", "must-revalidate", "", "useless"),
      ("Content-Type", "text/plain", "Authorization: Bearer a", "authorization"),
      ("Content-Type", "text/plain", "Cookie: a=b", "cookie"),
    ])
    func `what is forbidden, or may be one user's, is not kept`(
      name: String, value: String, asked: String, detail: String
    ) async throws {
      try await withGateway(Self.minute) { _ in
        .init(200, [name: value], body: "hi")
      } test: { bench in
        for count in 1...2 {
          let answer = try await bench.ask("/a", fields: asked)
          #expect(answer.text == "hi")
          #expect(answer["Cache-Status"]?.contains("detail=\"\(detail)\"") == true)
          #expect(bench.asked.count == count)
        }
      }
    }

    @Test func `the path chooses the lifetime`() async throws {
      try await withGateway { options in
        options.lifetimes.found = [.init(AddressPattern("/api/*"), .seconds(300))]
      } _: { _ in
        .init(200, body: "hi")
      } test: { bench in
        let kept = try await bench.ask("/api/a?b")
        #expect(kept["Cache-Status"] == "freshstore; fwd=uri-miss; ttl=300; stored")
        try await bench.askUntilHit("/api/a?b")
        for _ in 1...2 {
          #expect(try await bench.ask("/b")["Cache-Status"]?.contains("useless") == true)
        }
        #expect(bench.asked == ["GET /api/a?b", "GET /b", "GET /b"])
      }
    }

    @Test(arguments: [302, 303, 307])
    func `a redirection is kept where a lifetime is named for its path`(status: Int) async throws {
      try await withGateway { options in
        options.lifetimes.found = [.init(AddressPattern("/to/*"), .seconds(300))]
      } _: { _ in
        .init(status, ["Location": "/b"])
      } test: { bench in
        let kept = try await bench.ask("/to/a")
        #expect(kept.status == status)
        #expect(kept["Cache-Status"] == "freshstore; fwd=uri-miss; ttl=300; stored")
        let hit = try await bench.askUntilHit("/to/a")
        #expect(hit.status == status && hit["Location"]?.hasSuffix("/b") == true)
        let other = try await bench.ask("/a")
        #expect(other["Cache-Status"]?.contains("not-cacheable") == true)
      }
    }

    @Test func `an origin that dies leaves what was kept so`() async throws {
      try await withGateway(Self.minute) { _ in
        .init(200, body: "hi")
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        await bench.server.stop()
        let stale = try await bench.ask("/a")
        #expect(stale.status == 200)
        #expect(stale.text == "hi")
        #expect(stale["Cache-Status"]?.contains("fwd=stale; ttl=-40; detail=") == true)
      }
    }

    @Test func `an error is kept for a lifetime of its own`() async throws {
      try await withGateway { options in
        Self.minute(&options)
        options.lifetimes.absent = [.init(AddressPattern("/a"), .seconds(10))]
      } _: { request in
        .init(request.target == "/error" ? 503 : 404, body: "none")
      } test: { bench in
        #expect(try await bench.askUntilHit("/a").status == 404)
        bench.temporary.clock.advance(by: .seconds(11))
        #expect(try await bench.ask("/a")["Cache-Status"]?.contains("fwd=stale") == true)
        for path in ["/b", "/error"] {
          let answer = try await bench.ask(path)
          #expect(answer["Cache-Status"]?.contains("detail=") == true)
        }
        #expect(bench.asked == ["GET /a", "GET /a", "GET /b", "GET /error"])
      }
    }

    @Test func `explain tells whose lifetime a copy has, without the options of its gateway`()
      async throws
    {
      try await withGateway { options in
        Self.minute(&options)
        options.lifetimes.absent = [.init(nil, .seconds(60))]
      } _: { request in
        switch request.target {
        case "/stated": .init(200, ["Cache-Control": "max-age=60"], body: "hi")
        case "/gone": .init(404, body: "none")
        default: .init(200, body: "hi")
        }
      } test: { bench in
        for (path, source) in [
          ("/a", .expiry), ("/gone", .expiryAbsent), ("/stated", .answer),
        ] as [(String, CopyReport.LifetimeSource)] {
          try await bench.askUntilHit(path)
          let report = try CopyReport.of(
            bench.server.url(path), in: bench.temporary.store, "http", [:])
          #expect(report?.copies.map(\.lifetimeSource) == [source])
          #expect(report?.copies.first?.freshFor == .seconds(60))
          #expect(report?.action == "answer from a copy")
        }
      }
    }

    @Test func `reloads of paths that the operator names are answered from fresh copies`()
      async throws
    {
      try await withGateway { options in
        options.ignoredReloads = [AddressPattern("/a*")].compactMap(\.self)
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "hi")
      } test: { bench in
        for path in ["/a", "/b"] { try await bench.askUntilHit(path) }
        bench.temporary.clock.advance(by: .seconds(5))
        for fields in ["Cache-Control: no-cache", "Pragma: no-cache", "Cache-Control: max-age=0"] {
          let answer = try await bench.ask("/a", fields: fields)
          #expect(answer["Cache-Status"] == "freshstore; hit; ttl=55")
        }
        let reload = try await bench.ask("/b", fields: "Cache-Control: no-cache")
        #expect(reload["Cache-Status"]?.contains("fwd=request") == true)
        #expect(bench.asked == ["GET /a", "GET /b", "GET /b"])
      }
    }
  }
#endif
