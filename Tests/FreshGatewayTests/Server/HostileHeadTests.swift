#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Heads that are none, or that two recipients might take for different requests, over a real connection.
  @Suite(.timeLimit(.minutes(1))) struct HostileHeadTests {
    @Test(
      arguments: [
        // HTTP/0.9, versions that are none, and versions of others.
        ("GET /a", 400), ("GET /a ", 400), ("GET /a HTTP/0.9", 505),
        ("GET /a HTTP/9.9", 505), ("GET /a HTTP/2.0", 505), ("PRI * HTTP/2.0", 505),
        ("GET /a HTTP/1.1.1", 400), ("GET /a HTTP/01.1", 400), ("GET /a HTTP/11", 400),
        ("GET /a HTTP/1.", 400), ("GET /a http/1.1", 400), ("GET /a HTTPS/1.1", 400),
        ("GET /a HTTP/1.1 x", 400), ("GET /a HTTP/1.1 ", 400), ("GET /a HTTP/\u{661}.1", 400),
        ("GET /a HTTP/99999999999999999999.1", 400), ("GET /a HTTP/-1.1", 400),
        // Words that are apart in other ways.
        ("GET\t/a\tHTTP/1.1", 400), ("GET /a\tHTTP/1.1", 400), ("GET  /a HTTP/1.1", 400),
        ("GET /a  HTTP/1.1", 400), (" GET /a HTTP/1.1", 400), ("GET /a b HTTP/1.1", 400),
        ("GET\u{b}/a HTTP/1.1", 400), ("GET /a HTTP/1.1\r", 400), ("\0GET /a HTTP/1.1", 400),
        ("GET", 400), (" ", 400), ("\0\0\0", 400), ("\u{16}\u{3}\u{1}", 400),
        // Methods that are no tokens.
        ("G\u{1}T /a HTTP/1.1", 400), ("GET? /a HTTP/1.1", 400), ("GET: /a HTTP/1.1", 400),
        ("G\u{e4}T /a HTTP/1.1", 400), ("\"GET\" /a HTTP/1.1", 400),
      ] as [(String, Int)])
    func `a request line is a method, a target and a version`(
      line: String, status: Int
    ) async throws {
      try await expectRefusal(of: "\(line)\r\nHost: g\r\n\r\n", with: status)
    }

    @Test(
      arguments: [
        ("", 400), ("a", 400), ("*", 400), ("?x", 400), ("#", 400), ("/a#b", 400), ("/a?b#c", 400),
        ("/a\u{7f}", 400), ("/a\0", 400), ("/a\u{1}", 400), ("/a\rb", 400), ("/a\u{e4}", 400),
        ("/a?b\u{7f}", 400), ("/a?b\u{1}", 400), ("/a?\u{e4}", 400),
        ("\\evil\\a", 400), ("http:a", 400), ("http:/a", 400), ("http://", 400),
        ("http:///a", 400), ("g:80", 400), ("//", 200), ("javascript:alert(1)", 400),
        ("ftp://g/a", 400), ("file:///etc/passwd", 400), ("http://u:p@g/a", 400),
        ("http://g@evil/a", 400), ("http://g\\@evil/a", 400), ("http://g:x/a", 400),
        ("http://g:99999/a", 400), ("http://g", 421), ("https://g/a", 421), ("HTTP://g/a", 421),
        ("http://g/a", 421), ("http://g:8080/a", 400),
        (longTarget, 414), (endlessTarget, 414),
      ] as [(String, Int)])
    func `a target is in its one form, and of this origin`(
      target: String, status: Int
    ) async throws {
      guard status != 200 else {
        return try await withGateway({ _ in }) { request in
          .init(200, ["Cache-Control": "no-store"], body: request.target)
        } test: { (bench) async throws in
          #expect(try await bench.ask(target).text == target)
        }
      }
      try await expectRefusal(of: "GET \(target) HTTP/1.1\r\nHost: g\r\n\r\n", with: status)
    }

    @Test(arguments: [
      "", "Host: g\r\nHost: g\r\n", "Host: g\r\nhost: evil\r\n", "Host:\r\n", "Host: g, evil\r\n",
      "Host: u@g\r\n", "Host: u:p@g\r\n", "Host: g/evil\r\n", "Host: g?evil\r\n",
      "Host: g#evil\r\n",
      "Host: g\\evil\r\n", "Host: g evil\r\n", "Host: g:80:80\r\n", "Host: g:x\r\n",
      "Host: g:99999\r\n", "Host: g:-1\r\n", "Host: [::1\r\n", "Host: ::1\r\n", "Host: g\u{1}\r\n",
      "Host: g\0\r\n", "Host: \u{e4}\r\n", "Host : g\r\n", " Host: g\r\n", "Host:\r\n g\r\n",
      "X: y\r\n Host: g\r\n", "Host: http://g\r\n", "Connection: Host\r\nHost: g\r\n",
    ])
    func `there is one Host, and it is a host`(fields: String) async throws {
      try await expectRefusal(of: "GET /a HTTP/1.1\r\n\(fields)\r\n", with: 400)
    }

    @Test(
      arguments: [
        ("X Y: z", 400), (": z", 400), ("X", 400), ("X(: z", 400), ("X\u{e4}: z", 400),
        ("X\0: z", 400), ("\"X\": z", 400), ("X\t: z", 400), (" X: z", 400), ("X: a\u{1}b", 400),
        ("X: a\u{7f}b", 400), ("X: a\0b", 400), ("X: a\rb", 400), ("X: a\r", 400),
        ("X: a\r\n b", 400), ("X: a\r\n\tb", 400), ("X: a\nY: b", 400), ("X: a\n b", 400),
        ("X: a\r\n\n", 400), ("\r", 400), ("Expect: evil", 417),
        ("Expect: 100-continue, evil", 417),
      ] as [(String, Int)])
    func `a field is a name, a colon and a value of one line`(
      field: String, status: Int
    ) async throws {
      try await expectRefusal(of: "GET /a HTTP/1.1\r\nHost: g\r\n\(field)\r\n\r\n", with: status)
    }

    private static let longTarget = "/" + String(repeating: "a", count: 9000)
    private static let endlessTarget = "/" + String(repeating: "a", count: 200_000)
    private static let manyFields = String(repeating: "X: y\r\n", count: 128) + "\r\n"
    private static let endlessFields = String(repeating: "X: y\r\n", count: 20_000)
    private static let longNames = String(
      repeating: String(repeating: "x", count: 600) + ": y\r\n", count: 120)
    private static let longField = "X: " + String(repeating: "y", count: 70_000) + "\r\n\r\n"
    private static let endlessField = "X: " + String(repeating: "y", count: 300_000)
    private static let endlessName = String(repeating: "x", count: 300_000)
    private static let emptyLines = String(repeating: "\r\n", count: 100_000)

    @Test(arguments: [
      manyFields, endlessFields, longNames, longField, endlessField, endlessName,
    ])
    func `a flood of fields is refused before it ends`(fields: String) async throws {
      try await expectRefusal(of: "GET /a HTTP/1.1\r\nHost: g\r\n\(fields)", with: 431)
    }

    @Test(arguments: [
      "\r\n\r\n\r\n", emptyLines,
      "GET /a HTTP/1.1\nHost: g\n\n", "\n\n", "\r\n\nGET /a HTTP/1.1\r\nHost: g\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\n\r\n", "GET /a HTTP/1.1\r\nHost: g\r\n\n",
    ])
    func `what ends its lines otherwise is refused`(text: String) async throws {
      try await expectRefusal(of: text, with: 400)
    }

    @Test(arguments: [
      ("GET /a HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "/a"),
      ("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "/a"),
      ("GET //evil/a HTTP/1.1\r\nHost: g\r\n\r\n", "//evil/a"),
      ("GET /a HTTP/1.9\r\nHost: g\r\n\r\n", "/a"),
      (
        "GET /[a]|{b}^`/../%zz?a[]=1&b={\"<|\\>}^`&%& HTTP/1.1\r\nHost: g\r\n\r\n",
        "/[a]|{b}^`/../%zz?a[]=1&b={\"<|\\>}^`&%&"
      ),
      ("GET /a%0d%0aX:%20y HTTP/1.1\r\nHost: g\r\n\r\n", "/a%0d%0aX:%20y"),
      ("GET /a%00 HTTP/1.1\r\nHost: g\r\n\r\n", "/a%00"),
      // Which other field an origin reads is its own affair, and what it answers then is kept for nobody.
      ("GET /a HTTP/1.1\r\nHost: evil\r\nX-Original-URL: /evil\r\n\r\n", "/a"),
      ("GET /a HTTP/1.1\r\nHost: g\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", "/a"),
      ("\r\nGET /a HTTP/1.1\r\nHost: g\r\n\r\n", "/a"),
    ])
    func `what is odd and clear goes to the origin as it is, and to that origin`(
      text: String, target: String
    ) async throws {
      try await withGateway({ _ in }) { request in
        .init(
          200, ["Cache-Control": "no-store"], body: "\(request.target) \(request["Host"] ?? "")")
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send(text)
        #expect(await client.answer()?.text == "\(target) 127.0.0.1:\(bench.server.port)")
        try await client.send("GET /next HTTP/1.1\r\nHost: g\r\n\r\n")
        #expect(await client.answer()?.text.hasPrefix("/next ") == true)
        await client.close()
        #expect(bench.asked == ["GET \(target)", "GET /next"])
        #expect(bench.server.requests[0]["Upgrade"] == nil)
      }
    }
  }
#endif
