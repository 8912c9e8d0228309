#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Copies as a client sees them, over real connections to a real origin.
  @Suite(.timeLimit(.minutes(1))) struct CachingTests {
    private static let page: OriginServer.Handler = { request in
      if request["If-None-Match"] == "\"1\"" {
        return .init(304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
      }
      return .init(
        200, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "text/plain"],
        body: "hello world")
    }

    @Test func `after a reload was answered nobody gets the older copy`() async throws {
      let count = Atomic(0)
      try await withGateway { _ in
      } _: { _ in
        let number = count.add(1, ordering: .relaxed).newValue
        return .init(200, ["Cache-Control": "max-age=600"], body: "\(number)")
      } test: { bench in
        try await bench.askUntilHit("/a")
        let client = try await bench.connect()
        func ask(_ fields: String = "") async throws -> Int {
          try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\(fields)\r\n")
          return Int(try #require(await client.answer()).text) ?? 0
        }
        for _ in 1...100 {
          let reloaded = try await ask("Cache-Control: no-cache\r\n")
          // A landing is seen late once in a while.
          await withKnownIssue(isIntermittent: true) { () async throws in
            #expect(try await ask() >= reloaded)
            #expect(try await Int(bench.ask("/a").text) ?? 0 >= reloaded)
          }
        }
        // The gateway does not ask the origin again for a response that is being stored.
        #expect(bench.asked.count == 101)
        await client.close()
      }
    }

    @Test func `the second request is answered from the copy`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        let miss = try await bench.ask("/a")
        #expect(miss.status == 200)
        #expect(miss.text == "hello world")
        #expect(miss["Cache-Status"]?.contains("fwd=uri-miss") == true)
        #expect(miss["Cache-Status"]?.contains("stored") == true)
        let hit = try await bench.askUntilHit("/a")
        #expect(hit.text == "hello world")
        #expect(hit["Content-Type"] == "text/plain")
        #expect(hit["Age"] == "0")
        bench.temporary.clock.advance(by: .seconds(7))
        #expect(try await bench.ask("/a")["Age"] == "7")
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `a copy answers conditions, ranges and HEAD`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        let same = try await bench.ask("/a", fields: "If-None-Match: \"1\"")
        #expect(same.status == 304)
        #expect(same.content.isEmpty)
        let range = try await bench.ask("/a", fields: "Range: bytes=6-8")
        #expect(range.status == 206)
        #expect(range.text == "wor")
        #expect(range["Content-Range"] == "bytes 6-8/11")
        let ranges = try await bench.ask("/a", fields: "Range: bytes=0-0,10-10")
        // They are nearer to each other than another part would cost.
        #expect(ranges.text == "hello world")
        let head = try await bench.ask("/a", "HEAD")
        #expect(head["Content-Length"] == "11")
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `a copy that has expired is confirmed, and holds again`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        let confirmed = try await bench.ask("/a")
        #expect(confirmed.status == 200)
        #expect(confirmed.text == "hello world")
        #expect(confirmed["Cache-Status"]?.contains("fwd=stale; fwd-status=304") == true)
        try await bench.askUntilHit("/a")
        #expect(bench.server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
      }
    }

    /// As nginx answers where it codes files: a tag is compared before anything is coded.
    private static let compressing: OriginServer.Handler = { request in
      if request["If-None-Match"]?.contains("\"1\"") == true {
        return .init(304, ["Cache-Control": "max-age=60", "ETag": "\"1\""])
      }
      guard request["Accept-Encoding"] == "gzip" else {
        return .init(
          200, ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding", "ETag": "\"1\""],
          body: "plain")
      }
      return .init(
        200,
        [
          "Cache-Control": "max-age=60", "Vary": "Accept-Encoding", "ETag": "W/\"1\"",
          "Content-Encoding": "gzip",
        ], body: "coded")
    }

    @Test(arguments: [["gzip", "identity"], ["identity", "gzip"]])
    func `a coded copy is confirmed by a 304 with the tag of the plain one, and stays coded`(
      order: [String]
    ) async throws {
      try await withGateway({ _ in }, Self.compressing) { bench in
        for round in 0...2 {
          for coding in order {
            let answer = try await bench.ask("/a", fields: "Accept-Encoding: \(coding)")
            #expect(answer.text == (coding == "gzip" ? "coded" : "plain"))
            #expect(answer["ETag"] == (coding == "gzip" ? "W/\"1\"" : "\"1\""))
            let isConfirmed = answer["Cache-Status"]?.contains("fwd-status=304") == true
            #expect(isConfirmed == (round > 0))
            try await bench.askUntilHit("/a", fields: "Accept-Encoding: \(coding)")
          }
          bench.temporary.clock.advance(by: .seconds(100))
        }
        #expect(bench.asked.count == 6)
      }
    }

    @Test(arguments: [100_000, 200_000, 262_144])
    func `a copy that memory does not have is confirmed, and stands in, however long it is`(
      length: Int
    ) async throws {
      let content = String(repeating: "x", count: length)
      let control = "max-age=60, stale-if-error=6000"
      try await withGateway { _ in
      } _: { request in
        request["If-None-Match"] == nil
          ? .init(200, ["Cache-Control": control, "ETag": "\"1\""], body: content)
          : .init(304, ["Cache-Control": control, "ETag": "\"1\""])
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        for isDown in [false, true] {
          bench.temporary.clock.advance(by: .seconds(100))
          let store = try bench.temporary.another()
          let gateway = try await start(store, bench.temporary.clock, bench.server)
          let other = GatewayBench(
            gateway: gateway, server: bench.server, temporary: bench.temporary)
          if isDown { await bench.server.stop() }
          let answer = try await other.ask("/a")
          #expect(answer.status == 200)
          #expect(answer["Cache-Status"]?.contains("fwd=stale") == true)
          #expect(answer.text.count == length)
          await gateway.close()
          try await store.close()
        }
      }
    }

    @Test func `a copy is a record that a get finds, and a mark reaches`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        let url = bench.server.url("/a")
        let records = try bench.temporary.store.bytes("http")
        guard case .fresh(let copy) = try records.read(url) else {
          Issue.record("there is no fresh record")
          return
        }
        #expect(copy.value == Array("hello world".utf8))
        #expect(copy.contentType == "text/plain")
        #expect(copy.expiry == .after(.seconds(60)))
        try await records.markStale(url)
        #expect(try await bench.ask("/a")["Cache-Status"]?.contains("fwd=stale") == true)
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `variants lie side by side`() async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"],
          body: request["Accept-Language"] ?? "none")
      } test: { (bench) async throws in
        for language in ["de", "en"] {
          let answer = try await bench.askUntilHit("/a", fields: "Accept-Language: \(language)")
          #expect(answer.text == language)
        }
        let again = try await bench.askUntilHit("/a", fields: "Accept-Language: de")
        #expect(again.text == "de")
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `of copies that match the most recent counts, whichever gateway has stored it`()
      async throws
    {
      try await withGateway { _ in
      } _: { request in
        request["Accept-Language"] == nil
          ? .init(200, ["Cache-Control": "max-age=600", "Vary": "Accept"], body: "old")
          : .init(
            200, ["Cache-Control": "max-age=600", "Vary": "Accept, Accept-Language"], body: "new")
      } test: { (bench) async throws in
        for _ in 1...2 {
          #expect(try await bench.askUntilHit("/a", fields: "Accept: x/y").text == "old")
        }
        bench.temporary.clock.advance(by: .seconds(1))
        let store = try bench.temporary.another()
        let gateway = try await start(store, bench.temporary.clock, bench.server)
        let other = GatewayBench(
          gateway: gateway, server: bench.server, temporary: bench.temporary)
        let fields = "Accept: x/y|Accept-Language: de"
        let reload = try await other.ask("/a", fields: "\(fields)|Cache-Control: no-cache")
        #expect(reload.text == "new")
        // It is stored a moment later.
        while try await other.ask("/a", fields: fields).text == "old" { await Task.yield() }
        #expect(try await bench.ask("/a", fields: fields).text == "new")
        #expect(bench.asked.count == 2)
        await gateway.close()
        try await store.close()
      }
    }

    @Test(arguments: [(true, -5), (true, 5), (false, -5), (false, 5)])
    func `RFC 9111 4.1: of copies with and without Vary that came at once the most recent stay`(
      isPlainLast: Bool, seconds: Int
    ) async throws {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let page = address("http://origin.example/page")
        let key = CopyKey(page.text)
        let plain = try stored("Cache-Control: max-age=600", length: 2)
        let variant = try stored(
          "Cache-Control: max-age=600 | Vary: A", for: "A: 1", at: seconds, length: 2)
        let now = temporary.store.now()
        let answers = isPlainLast ? [variant, plain] : [plain, variant]
        let requests = [
          try await shelf.collection.request(), try await shelf.collection.request(),
        ]
        for (answer, request) in zip(answers, requests) {
          var changes = CopyChanges<StoredBody>()
          shelf.add(answer, .bytes(ByteBuffer(string: "hi")), page, among: [], to: &changes)
          try await shelf.update(changes, answering: request, key, at: now)
        }
        let left = seconds > 0 ? variant : plain
        let keys = try shelf.collection.keys(beginningWith: key.base, limit: 10)
        #expect(keys == [key.key(of: left, shelf.policy)])
        #expect(try shelf.copies(of: key).map(\.answer.selection) == [left.selection])
      }
    }

    @Test func `an unsafe request makes the copy invalid, also for an origin that dies`()
      async throws
    {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        #expect(try await bench.ask("/a", "POST", content: "new").status == 200)
        #expect(try await bench.ask("/a")["Cache-Status"]?.contains("fwd=stale") == true)
        #expect(bench.asked == ["GET /a", "POST /a", "GET /a"])
        #expect(try await bench.ask("/a", "POST", content: "new").status == 200)
        await bench.server.stop()
        #expect(try await bench.ask("/a").status == 504)
      }
    }

    @Test func `an origin that dies leaves its copies, which say so`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        await bench.server.stop()
        let stale = try await bench.ask("/a")
        #expect(stale.status == 200)
        #expect(stale.text == "hello world")
        #expect(stale["Age"] == "100")
        #expect(stale["Cache-Status"]?.contains("fwd=stale; ttl=-40; detail=") == true)
        // RFC 9110 section 15.6.3: it refuses, which is not that it takes too long.
        #expect(try await bench.ask("/other").status == 502)
      }
    }

    @Test func `an origin that is out of reach is not asked`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        bench.temporary.reachability.set(.offline("no route"))
        let stale = try await bench.ask("/a")
        #expect(stale.status == 200)
        #expect(
          stale["Cache-Status"]
            == "freshstore; hit; ttl=-40; detail=\"the origin is provably out of reach\"")
        #expect(try await bench.ask("/other").status == 504)
        #expect(bench.asked.count == 1)
      }
    }

    @Test func `an answer that is not whole is never a copy`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "10"],
          steps: [.send("short"), .close])
      } test: { (bench) async throws in
        for count in 1...2 {
          let answer = try await bench.ask("/a")
          #expect(answer.text == "short")
          #expect(!answer.isWhole)
          #expect(bench.asked.count == count)
        }
      }
    }

    @Test func `an answer that is too large to be kept is passed on`() async throws {
      try await withGateway { options in
        options.limits.storedContent = 5
      } _: { request in
        request.path == "/chunked"
          ? .init(
            200, ["Cache-Control": "max-age=60", "Transfer-Encoding": "chunked"],
            steps: [.send("4\r\nlong\r\n"), .send("4\r\nlong\r\n"), .send("0\r\n\r\n")])
          : .init(200, ["Cache-Control": "max-age=60"], body: "longlong")
      } test: { (bench) async throws in
        let stated = try await bench.ask("/a")
        #expect(stated.text == "longlong")
        #expect(stated["Cache-Status"]?.contains("detail=\"too-large\"") == true)
        #expect(stated["Cache-Status"]?.contains("stored") == false)
        for _ in 1...2 { #expect(try await bench.ask("/chunked").text == "longlong") }
        #expect(bench.asked == ["GET /a", "GET /chunked", "GET /chunked"])
      }
    }

    @Test func `what one user is told neither removes the copy nor keeps others from having one`()
      async throws
    {
      try await withGateway { _ in
      } _: { request in
        request["Cookie"] == nil
          ? .init(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "all")
          : .init(200, ["Cache-Control": "private"], body: "mine")
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        #expect(try await bench.ask("/a", fields: "Cookie: a").text == "mine")
        let next = try await bench.ask("/a")
        #expect(next["Cache-Status"]?.contains("fwd=stale") == true)
        #expect(next["Cache-Status"]?.contains("stored") == true)
        #expect(bench.server.requests.last?["If-None-Match"] == "\"1\"")
        #expect(try await bench.askUntilHit("/a").text == "all")
      }
    }

    @Test func `who asks for all of it as a range leaves a copy for everybody`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(
          206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-9/10"],
          body: "0123456789")
      } test: { (bench) async throws in
        // Until the copy is there, each request for a part is one to the origin.
        try await bench.askUntilHit("/a", fields: "Range: bytes=0-")
        let asked = bench.asked
        let all = try await bench.ask("/a")
        #expect(all.status == 200 && all.text == "0123456789")
        #expect(all["Content-Range"] == nil)
        #expect(bench.asked == asked)
      }
    }

    @Test func `parts that have grown too large together begin anew`() async throws {
      let content = Array("abcdefghijklmnopqrst".utf8)
      try await withGateway { options in
        options.limits.storedContent = 8
      } _: { request in
        let start = request["Range"] == "bytes=0-5" ? 0 : 6
        return .init(
          206,
          [
            "Cache-Control": "max-age=60", "ETag": "\"1\"",
            "Content-Range": "bytes \(start)-\(start + 5)/20",
          ], body: Array(content[start...(start + 5)]))
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a", fields: "Range: bytes=0-5")
        #expect(try await bench.ask("/a", fields: "Range: bytes=6-11").text == "ghijkl")
        #expect(try await bench.askUntilHit("/a", fields: "Range: bytes=6-11").text == "ghijkl")
        let first = try await bench.ask("/a", fields: "Range: bytes=0-5")
        #expect(first["Cache-Status"]?.contains("fwd=partial") == true)
        #expect(first.text == "abcdef")
      }
    }

    @Test func `a large copy that memory does not have is answered, too`() async throws {
      let content = [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)
      try await withGateway { _ in
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: content)
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        let store = try bench.temporary.another()
        let other = try await start(store, bench.temporary.clock, bench.server)
        for method in ["HEAD", "GET", "GET"] {
          let client = try await RawClient.connect(other.port)
          try await client.send("\(method) /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
          let answer = try #require(await client.answer(isHead: method == "HEAD"))
          #expect(answer["Cache-Status"]?.hasPrefix("freshstore; hit") == true)
          #expect(answer["Content-Length"] == "300000")
          #expect(method == "HEAD" || answer.content == content)
          await client.close()
        }
        await other.close()
        try await store.close()
        #expect(bench.asked.count == 1)
      }
    }

    @Test func `what is being stored when the gateway ends in order is stored`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "6"],
          steps: [.send("abc"), .wait(gate), .send("def")])
      } test: { (bench) async throws in
        let leaving = try await bench.connect()
        try await leaving.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        #expect(await leaving.head()?.status == 200)
        await leaving.close()
        async let isDrained: Bool = bench.gateway.drain(within: .seconds(50))
        gate.open()
        #expect(await isDrained)
        let copy = try bench.temporary.store.bytes("http").read(bench.server.url("/a")).copy
        #expect(copy?.value == Array("abcdef".utf8))
      }
    }

    @Test func `an origin that is left alone for a while costs no wait for its lease`() async throws
    {
      try await withGateway({ _ in }, Self.page) { bench in
        await bench.server.stop()
        for number in 1...5 { #expect(try await bench.ask("/\(number)").status == 502) }
        let other = try bench.temporary.another()
        let records = try other.bytes("http")
        let lease = try #require(
          try await records.request(exclusively: bench.server.url("/a")))
        let answer = try await bench.ask("/a")
        #expect(answer.status == 504)
        #expect(answer["Cache-Status"]?.contains("keeps failing") == true)
        #expect(answer["Retry-After"] != nil)
        await records.end(lease)
        try await other.close()
      }
    }

    @Test func `one address that fails again and again does not shut its origin for others`()
      async throws
    {
      try await withGateway { _ in
      } _: { request in
        request.path == "/bad" ? .init(raw: [.close]) : .init(200, [:], body: "true")
      } test: { (bench) async throws in
        for _ in 1...10 { #expect(try await bench.ask("/bad").status == 502) }
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `five addresses that fail in a row shut it for a second at first`() async throws {
      try await withGateway { _ in
      } _: { request in
        request.path == "/good" ? .init(200, [:], body: "true") : .init(raw: [.close])
      } test: { (bench) async throws in
        for number in 1...5 { #expect(try await bench.ask("/\(number)").status == 502) }
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .seconds(1))
        #expect(try await bench.ask("/good").text == "true")
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `a new gateway on the file has the copies of the last one`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        try await bench.askUntilHit("/a")
        let other = try await start(
          bench.temporary.store, bench.temporary.clock, bench.server)
        let client = try await RawClient.connect(other.port)
        try await client.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        #expect(await client.answer()?["Cache-Status"]?.hasPrefix("freshstore; hit") == true)
        await client.close()
        await other.close()
        #expect(bench.asked.count == 1)
      }
    }

    @Test func `a cache of one user keeps what is for that user, and apart`() async throws {
      try await withGateway { options in
        options.isPrivate = true
      } _: { _ in
        .init(200, ["Cache-Control": "private, max-age=60"], body: "mine")
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        #expect(try bench.temporary.store.bytes("http").read(bench.server.url("/a")).copy == nil)
        #expect(bench.asked.count == 1)
      }
    }
  }
#endif
