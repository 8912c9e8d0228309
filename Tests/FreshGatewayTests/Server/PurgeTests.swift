#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// Operators have copies fetched again.
  @Suite(.timeLimit(.minutes(1))) struct PurgeTests {
    private static let token = "0123456789abcdef0123"
    private static let authorization = "Authorization: Bearer \(token)"

    /// Answers that vary, are of a group named after their path, and cannot be had while `/down` is set.
    private static let pages: OriginServer.Handler = { request in
      .init(
        200,
        [
          "Cache-Control": "max-age=60, stale-if-error=600", "Vary": "Accept-Language",
          "Cache-Groups": "\"\(request.target.dropFirst().prefix(1))\"",
        ],
        body: request.target)
    }

    private func withPurges(_ test: (GatewayBench) async throws -> Void) async throws {
      try await withGateway(
        { options in
          options.operatorTokens = OperatorTokens([Self.token])
          options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        }, Self.pages, test: test)
    }

    private func isHit(_ bench: GatewayBench, _ target: String, _ language: String = "de")
      async throws -> Bool
    {
      let answer = try await bench.ask(
        target, fields: "Accept-Language: \(language)|Cache-Control: only-if-cached")
      return answer.status == 200
    }

    @Test func `a purge makes all variants of an address stale, and says how many`() async throws {
      try await withPurges { bench in
        for language in ["de", "en"] {
          try await bench.askUntilHit("/a", fields: "Accept-Language: \(language)")
        }
        try await bench.askUntilHit("/ab", fields: "Accept-Language: de")
        let purged = try await bench.ask("/a", "PURGE", fields: Self.authorization)
        #expect(purged.status == 200)
        #expect(purged.text == "purged: 2\n")
        #expect(bench.gateway.figures.purges == 1)
        #expect(bench.gateway.figures.purgedCopies == 2)
        #expect(try await !isHit(bench, "/a"))
        #expect(try await !isHit(bench, "/a", "en"))
        #expect(try await isHit(bench, "/ab"))
        // The origin never hears of it.
        #expect(bench.asked.allSatisfy { $0.hasPrefix("GET ") })
      }
    }

    @Test func `what was purged stands in for an origin that is down, unless the purge was hard`()
      async throws
    {
      try await withPurges { bench in
        for target in ["/soft", "/hard"] {
          try await bench.askUntilHit(target, fields: "Accept-Language: de")
        }
        _ = try await bench.ask("/soft", "PURGE", fields: Self.authorization)
        _ = try await bench.ask(
          "/hard", "PURGE", fields: "\(Self.authorization)|Purge-Mode: hard")
        await bench.server.stop()
        let soft = try await bench.ask("/soft", fields: "Accept-Language: de")
        #expect(soft.status == 200)
        #expect(soft.text == "/soft")
        #expect(try await bench.ask("/hard", fields: "Accept-Language: de").status == 502)
        #expect(try bench.temporary.store.list(collection: "http").count == 1)
      }
    }

    @Test func `a star at the end purges all that begins so`() async throws {
      try await withPurges { bench in
        for target in ["/a/1", "/a/2?x=*", "/b"] {
          try await bench.askUntilHit(target, fields: "Accept-Language: de")
        }
        let purged = try await bench.ask("/a/*", "PURGE", fields: Self.authorization)
        #expect(purged.text == "purged: 2\n")
        #expect(try await !isHit(bench, "/a/1"))
        #expect(try await !isHit(bench, "/a/2?x=*"))
        #expect(try await isHit(bench, "/b"))
      }
    }

    @Test func `groups are purged by their names`() async throws {
      try await withPurges { bench in
        for target in ["/a/1", "/a/2", "/b"] {
          try await bench.askUntilHit(target, fields: "Accept-Language: de")
        }
        let purged = try await bench.ask(
          "/", "PURGE", fields: "\(Self.authorization)|Cache-Groups: \"a\", \"none\"")
        #expect(purged.text == "purged: 2\n")
        #expect(try await !isHit(bench, "/a/1"))
        #expect(try await isHit(bench, "/b"))
      }
    }

    @Test(arguments: [
      "", "Authorization: Bearer 0123456789abcdef0124", "Authorization: Bearer 0123456789abcdef012",
      "Authorization: Basic 0123456789abcdef0123", "Authorization: Bearer ",
      "\(authorization)|\(authorization)",
    ])
    func `without the token nothing is purged`(fields: String) async throws {
      try await withPurges { bench in
        try await bench.askUntilHit("/a", fields: "Accept-Language: de")
        let refused = try await bench.ask("/a?token=\(Self.token)", "PURGE", fields: fields)
        #expect(refused.status == 401)
        #expect(refused["WWW-Authenticate"] == "Bearer realm=\"freshstore\"")
        #expect(try await bench.ask("/a", "PURGE", fields: fields).status == 401)
        #expect(try await isHit(bench, "/a"))
      }
    }

    @Test(arguments: [
      ("/none", "", 404), ("/none/*", "", 404), ("/a", "Purge-Mode: gentle", 400),
      ("/a", "Cache-Groups: a b", 400), ("/a", "Cache-Groups: " + groups(129), 400),
      ("/a", "Cache-Groups: \"a\", \"\(String(repeating: "b", count: 129))\"", 400),
      ("/a", "Cache-Groups: " + groups(128), 404),
    ])
    func `what cannot be purged is told`(target: String, fields: String, status: Int) async throws {
      try await withPurges { bench in
        try await bench.askUntilHit("/a", fields: "Accept-Language: de")
        let answer = try await bench.ask(
          target, "PURGE", fields: "\(Self.authorization)|\(fields)")
        #expect(answer.status == status)
        #expect(try await isHit(bench, "/a"))
      }
    }

    private static func groups(_ count: Int) -> String {
      (1...count).map { "\"none\($0)\"" }.joined(separator: ", ")
    }

    @Test func `a gateway without tokens purges nothing, and asks nobody`() async throws {
      try await withGateway({ _ in }, Self.pages) { bench in
        try await bench.askUntilHit("/a", fields: "Accept-Language: de")
        #expect(try await bench.ask("/a", "PURGE", fields: Self.authorization).status == 403)
        #expect(try await isHit(bench, "/a"))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: ["PURGE /a/*", "POST /purge/a/*"])
    func `operators may purge by their own listener`(line: String) async throws {
      try await withPurges { bench in
        try await bench.askUntilHit("/a/1", fields: "Accept-Language: de")
        let port = try #require(bench.gateway.adminPort)
        for (fields, status) in [("", 401), ("\(Self.authorization)\r\n", 200)] {
          let client = try await RawClient.connect(port)
          try await client.send("\(line) HTTP/1.1\r\nHost: admin\r\n\(fields)\r\n")
          let answer = try #require(await client.answer())
          #expect(answer.status == status)
          await client.close()
        }
        #expect(try await !isHit(bench, "/a/1"))
      }
    }

    @Test(arguments: 0..<20)
    func `a copy that is stored while its address is being purged is removed, too`(
      turns: Int
    ) async throws {
      let answer = try stored("Cache-Control: max-age=60", length: 2)
      let purge = try Purge(request("Purge-Mode: hard", Purge.method))
      try await withLanding(of: answer, turns: turns) { shelf, _ in
        try await shelf.purge(purge)
      } test: { (shelf, key, count) throws in
        #expect(count == 1)
        #expect(try shelf.collection.keys(beginningWith: key.base, limit: 1).isEmpty)
      }
    }

    @Test func `tokens can be replaced while it runs`() {
      let tokens = OperatorTokens(["old-token-of-operators"])
      #expect(tokens.admit(["Authorization": "bearer old-token-of-operators"]))
      tokens.replace(by: ["", "new-token-of-operators", "other"])
      #expect(!tokens.admit(["Authorization": "Bearer old-token-of-operators"]))
      #expect(tokens.admit(["Authorization": "Bearer new-token-of-operators"]))
      #expect(tokens.admit(["Authorization": "Bearer other"]))
      #expect(!tokens.admit(["Authorization": "Bearer "]))
    }
  }
#endif
