#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Requests that are meant to be answered for others: poisoned and deceived caches, and absurd ranges.
  @Suite(.timeLimit(.minutes(1))) struct HostileCachingTests {
    /// An origin that shows all that it is told.
    private static let mirror: OriginServer.Handler = { request in
      let fields = request.fields.map { "\($0.name): \($0.value)" }
      return .init(
        200, ["Cache-Control": "max-age=60"],
        body: ([request.method, request.target] + fields).joined(separator: "\n"))
    }

    @Test(arguments: [
      "Forwarded: host=evil", "X-Forwarded-For: evil", "X-Forwarded-Host: evil",
      "X-Forwarded-Port: evil", "X-Forwarded-Proto: evil", "X-Forwarded-Scheme: evil",
      "X-Forwarded-Server: evil", "X-Host: evil", "X-HTTP-Host-Override: evil",
      "X-Original-Host: evil", "X-Forwarded-Protocol: evil", "X-Forwarded-Ssl: evil",
      "X-Scheme: evil", "X-URL-Scheme: evil", "X_ORIGINAL_PROTO: evil",
      "X-Protocol-Scheme: evil", "Front-End-Https: evil", "X-Real-IP: evil", "X_Real_IP: evil",
      "X-Client-IP: evil", "Client-IP: evil", "True-Client-IP: evil", "CF-Connecting-IP: evil",
      "X-Cluster-Client-IP: evil", "X-Original-For: evil", "X-Original-Forwarded-For: evil",
      "x-forwarded-HOST: evil", "Upgrade: evil", "TE: evil", "Keep-Alive: evil",
      "Proxy-Authorization: evil", "Connection: X-Evil|X-Evil: evil",
    ])
    func `who has asked, and by which address, is what the gateway knows, whatever a client sends`(
      fields: String
    ) async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        #expect(try await !bench.ask("/a", fields: fields).text.contains("evil"))
        let copy = try await bench.askUntilHit("/a")
        #expect(!copy.text.contains("evil"))
        #expect(copy.text.contains("Host: 127.0.0.1:\(bench.server.port)"))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: [
      "X-Forwarded-Prefix: /evil", "X-Forwarded-User: evil", "X-Forwarded-Client-Cert: evil",
      "X-HTTP-Method: evil", "X-HTTP-Method-Override: evil", "X-Method-Override: evil",
      "X-Original-URL: /evil", "X-Rewrite-URL: /evil", "X_FORWARDED_URI: /evil",
      "X-Original-URI: /evil", "x_original_method: evil", "SCRIPT_NAME: /evil",
      "Script-Name: /evil", "PATH_INFO: /evil",
    ])
    func `what else decides of an answer, and no key holds, is for one client alone`(
      fields: String
    ) async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        #expect(try await bench.ask("/a", fields: fields).text.contains("evil"))
        let copy = try await bench.askUntilHit("/a")
        #expect(!copy.text.contains("evil"))
        // The copy that is there by now is none for such a request either.
        let own = try await bench.ask("/a", fields: fields)
        #expect(own.text.contains("evil"))
        #expect(own["Cache-Status"]?.contains("fwd=bypass") == true)
        #expect(try await !bench.askUntilHit("/a").text.contains("evil"))
        #expect(bench.asked == ["GET /a", "GET /a", "GET /a"])
      }
    }

    @Test func `an answer that has begun is shared with nobody whose fields no key holds`()
      async throws
    {
      let latch = Latch(isOpen: false)
      try await withGateway { _ in
      } _: { request in
        if request["X-Original-URL"] == nil { try? await latch.pass() }
        return await Self.mirror(request)
      } test: { (bench) async throws in
        async let first = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        let own = try await bench.ask("/a", fields: "X-Original-URL: /evil")
        #expect(own.text.contains("evil"))
        latch.open()
        #expect(try await !first.text.contains("evil"))
        #expect(bench.asked == ["GET /a", "GET /a"])
      }
    }

    @Test func `a method that is overridden reaches the origin`() async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        let answer = try await bench.ask(
          "/a", "POST", fields: "X-HTTP-Method-Override: DELETE", content: "b")
        #expect(answer.text.hasPrefix("POST\n/a\n"))
        #expect(answer.text.contains("DELETE"))
      }
    }

    @Test func `the Host of a client is in no copy`() async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        for _ in 1...2 {
          let client = try await bench.connect()
          try await client.send("GET /a HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n")
          #expect(await client.answer()?.text.contains("evil") == false)
          await client.close()
        }
        #expect(try await !bench.askUntilHit("/a").text.contains("evil"))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: [
      ("GET", "X-Long: \(String(repeating: "a", count: 70_000))"), ("GET", "X-Bad: \u{1}"),
      ("GET", "Host: evil"), ("GET", "Transfer-Encoding: gzip"), ("GET", "Expect: evil"),
      ("GET", "Content-Length: 5, 5"), ("G\u{1}T", "X: y"),
    ])
    func `a refusal is the answer to one client alone`(
      method: String, field: String
    ) async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        let client = try await bench.connect()
        try await client.send("\(method) /a HTTP/1.1\r\nHost: g\r\n\(field)\r\n\r\n")
        let answer = try #require(await client.answer())
        #expect((400...499).contains(answer.status) || answer.status == 501)
        await client.close()
        #expect(try await bench.ask("/a").status == 200)
      }
    }

    @Test(arguments: [400, 404, 405, 414, 431, 500, 501, 503])
    func `an error that one client has provoked is not told others`(status: Int) async throws {
      try await withGateway { _ in
      } _: { request in
        request["X-Provoking"] != nil
          ? .init(status, body: "error") : .init(200, ["Cache-Control": "max-age=60"], body: "good")
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a", fields: "X-Provoking: y").status == status)
        let next = try await bench.ask("/a")
        #expect(next.status == 200)
        #expect(next.text == "good")
      }
    }

    @Test(arguments: [
      "/me", "/me/x.css", "/me;x.css", "/me%2fx.css", "/me?x.css", "/me%00.css", "/me%0a.css",
      "/me%3fx.css", "/me%23.css", "/me/..%2fx.css", "/me//x.css",
    ])
    func `what is for one user is kept under no address, however it ends`(
      target: String
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        .init(200, ["Cache-Control": "private"], body: request["Cookie"] ?? "nobody")
      } test: { (bench) async throws in
        #expect(try await bench.ask(target, fields: "Cookie: one").text == "one")
        #expect(try await bench.ask(target, fields: "Cookie: other").text == "other")
        #expect(try await bench.ask(target).text == "nobody")
        #expect(bench.asked.count == 3)
      }
    }

    @Test(arguments: [
      ("/a", "/%61"), ("/a", "/A"), ("/a%2fb", "/a%2Fb"), ("/a/b", "/a%2fb"), ("/a", "/a?"),
      ("/a", "/a/"), ("/a", "//a"), ("/a", "/a;"), ("/a?x&y", "/a?y&x"), ("/a?x=1", "/a?x=%31"),
      ("/a", "/a%20"), ("/a", "/a%00"), ("/a?b", "/a%3fb"),
    ])
    func `two spellings of an address are two keys, and the origin tells what they are`(
      one: String, other: String
    ) async throws {
      try await withGateway({ _ in }, Self.mirror) { bench in
        for target in [one, other, one] {
          let answer = try await bench.askUntilHit(target)
          #expect(answer.text.hasPrefix("GET\n\(target)\n"))
        }
        #expect(bench.asked == ["GET \(one)", "GET \(other)"])
      }
    }

    @Test func `a GET with content neither becomes a copy nor is answered from one`() async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200, ["Cache-Control": "max-age=60"],
          body: "told " + String(decoding: request.body, as: UTF8.self))
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a", content: "evil").text == "told evil")
        #expect(try await bench.askUntilHit("/a").text == "told ")
        #expect(try await bench.ask("/a", content: "evil").text == "told evil")
        #expect(try await bench.ask("/a").text == "told ")
      }
    }

    @Test func `an answer without a lifetime that sets a cookie is not kept`() async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200,
          [
            "Set-Cookie": request["Cookie"] ?? "new", "ETag": "\"1\"",
            "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
          ], body: "page")
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a", fields: "Cookie: one")["Set-Cookie"] == "one")
        #expect(try await bench.ask("/a")["Set-Cookie"] == "new")
      }
    }

    // MARK: Ranges

    private static let manyWholes = list(Array(repeating: "0-", count: 1300))
    private static let manyBytes = list((0..<500).map { "\(2 * $0)-\(2 * $0)" })
    private static let manySuffixes = list((0..<1300).map { "-\($0)" })

    private static func list(_ ranges: [String]) -> String {
      "bytes=\(ranges.joined(separator: ","))"
    }

    @Test(
      arguments: [
        ("bytes=0-0", 206, 1), ("bytes=-1", 206, 1), ("bytes=0-", 206, 1000),
        ("bytes=0-99999999999999999999999", 206, 1000), ("bytes=-99999999999999999999", 206, 1000),
        ("bytes=99999999999999999999-", 416, 0),
        ("bytes=18446744073709551616-18446744073709551617", 416, 0), ("bytes=1000-", 416, 0),
        ("bytes=-0", 416, 0), ("bytes=5-4", 200, 1000), ("bytes=a-b", 200, 1000),
        ("bytes=", 200, 1000), ("bytes=,", 200, 1000), ("bytes=-", 200, 1000),
        ("bytes=+0-0", 200, 1000), ("bytes=0x0-0x1", 200, 1000), ("bytes=0-0;x", 200, 1000),
        ("bytes 0-0", 200, 1000), ("lines=0-0", 200, 1000), ("bytes=0-0, bytes=1-1", 200, 1000),
        ("bytes=0-9,5-14,10-19", 206, 20), ("bytes=-1,-2,-3", 206, 3),
        ("bytes=0-0|Range: bytes=5-5", 200, 1000),
        (manyWholes, 200, 1000), (manyBytes, 200, 1000), (manySuffixes, 200, 1000),
      ] as [(String, Int, Int)])
    func `absurd ranges of a copy cost no more than all of it`(
      range: String, status: Int, length: Int
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200, ["Cache-Control": "max-age=60", "ETag": "\"1\""],
          body: String(repeating: "0123456789", count: 100))
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        let answer = try await bench.ask("/a", fields: "Range: \(range)")
        #expect(answer.status == status)
        #expect(answer.content.count == length)
        #expect(try await bench.askUntilHit("/a").content.count == 1000)
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: [
      ("Surrogate-Control", "content=\"ESI/1.0\""), ("CDN-Cache-Control", "stale-if-error=60"),
    ])
    func `a targeted field that is about something else gives no user's answer to another`(
      name: String, value: String
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        let user = request["Cookie"] ?? ""
        return .init(
          200,
          [
            "Cache-Control": "private, no-store", name: value, "Set-Cookie": user,
            "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
          ], body: "for \(user)")
      } test: { (bench) async throws in
        for user in ["sid=1", "sid=2"] {
          let answer = try await bench.ask("/a", fields: "Cookie: \(user)")
          #expect(answer.text == "for \(user)")
          #expect(answer["Set-Cookie"] == user)
        }
        #expect(bench.asked == ["GET /a", "GET /a"])
      }
    }

    @Test(arguments: ["bytes=0-1", "bytes=0-1,4-5,8-9", "bytes=99999999999999999999-"])
    func `a part that was asked for by one is never all of it for another`(
      range: String
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        switch request["Range"] {
        case nil: .init(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "0123456789")
        case "bytes=0-1":
          .init(
            206,
            ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Range": "bytes 0-1/10"],
            body: "01")
        default:
          .init(416, ["Cache-Control": "max-age=60", "Content-Range": "bytes */10"])
        }
      } test: { (bench) async throws in
        let part = try await bench.ask("/a", fields: "Range: \(range)")
        #expect([206, 416].contains(part.status))
        let answer = try await bench.ask("/a")
        #expect(answer.status == 200)
        #expect(answer.text == "0123456789")
      }
    }
  }
#endif
