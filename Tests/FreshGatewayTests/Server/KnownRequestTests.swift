#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// Requests that come again in the same words, over connections that stay open.
  @Suite(.timeLimit(.minutes(1))) struct KnownRequestTests {
    private static let page: OriginServer.Handler = { request in
      if request["If-None-Match"] == "\"1\"" {
        return .init(304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
      }
      return .init(
        200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "hello \(request.method)")
    }

    private func ask(
      _ client: RawClient, _ fields: String = "", _ method: String = "GET"
    ) async throws -> RawClient.Answer {
      try await client.send("\(method) /a HTTP/1.1\r\nHost: gateway\r\n\(fields)\r\n")
      return try #require(await client.answer(isHead: method == "HEAD"))
    }

    /// Asks until a copy has answered several times in the same words.
    private func askUntilKnown(_ client: RawClient, _ fields: String = "") async throws {
      var hits = 0
      while hits < 4 {
        let answer = try await ask(client, fields)
        if answer["Cache-Status"]?.hasPrefix("freshstore; hit") == true { hits += 1 }
        await Task.yield()
      }
    }

    /// - Parameter age: That of the copy. At none, or a whole second, its answer is the same for no longer than that.
    private func withKnown(
      at age: Duration = .milliseconds(1), _ test: (GatewayBench, RawClient) async throws -> Void
    ) async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        let client = try await bench.connect()
        try await askUntilKnown(client)
        bench.temporary.clock.advance(by: age)
        for _ in 0..<3 { _ = try await ask(client) }
        try await test(bench, client)
        await client.close()
      }
    }

    @Test func `the age goes on, and ends with the lifetime`() async throws {
      try await withKnown { (bench, client) async throws in
        for second in 1..<60 {
          bench.temporary.clock.advance(by: .seconds(1))
          for _ in 0..<3 {
            let answer = try await ask(client)
            #expect(answer["Age"] == "\(second)")
            #expect(answer["Cache-Status"] == "freshstore; hit; ttl=\(59 - second)")
            #expect(answer.text == "hello GET")
          }
        }
        bench.temporary.clock.advance(by: .seconds(1))
        #expect(try await ask(client)["Cache-Status"]?.contains("fwd=stale") == true)
      }
    }

    @Test(arguments: [1, 499, 500, 999])
    func `an answer holds no longer than its second`(milliseconds: Int) async throws {
      try await withKnown(at: .zero) { (bench, client) async throws in
        bench.temporary.clock.advance(by: .milliseconds(milliseconds))
        for _ in 0..<3 { #expect(try await ask(client)["Age"] == "0") }
        bench.temporary.clock.advance(by: .milliseconds(1000 - milliseconds))
        #expect(try await ask(client)["Age"] == "1")
      }
    }

    @Test func `an answer holds no longer than a request lets the copy be old`() async throws {
      let bound = "Cache-Control: max-age=0\r\n"
      try await withGateway { options in
        options.lifetimes.found = [.init(nil, .milliseconds(1500))]
      } _: { _ in
        .init(200, body: "hello")
      } test: { bench in
        let client = try await bench.connect()
        try await askUntilKnown(client, bound)
        bench.temporary.clock.advance(by: .milliseconds(1))
        #expect(try await ask(client, bound)["Cache-Status"]?.contains("; hit") == false)
        await client.close()
      }
    }

    @Test(arguments: [0, 1])
    func `an answer is kept at the moment that it was made at, or not at all`(
      milliseconds: Int
    ) async throws {
      try await withKnown { (bench, _) async throws in
        let clock = bench.temporary.clock
        var options = GatewayOptions()
        options.origin = bench.server.url("")
        options.http.clock = clock
        let core = try GatewayCore(options, bench.temporary.store)
        let known = try #require(try request(Self.words, by: core.reading))
        let read = known.read(from: known.peer)
        // Its memory has the copy from then on.
        _ = core.begin(read)
        let copy = try #require(core.copy(of: known, read))
        guard case .answer(let plan, let content, .hit) = core.begin(read) else {
          Issue.record("the copy is gone")
          return
        }
        let answer = RenderedAnswer(
          plan, content, to: .http11, keepsConnection: true, date: core.date)
        clock.advance(by: .milliseconds(milliseconds))
        core.keep(answer, nil, of: known, read, from: copy)
        #expect((core.answer(toKnown: known) != nil) == (milliseconds == 0))
        // It was a millisecond old.
        clock.advance(by: .milliseconds(998 - milliseconds))
        #expect((core.answer(toKnown: known) != nil) == (milliseconds == 0))
        clock.advance(by: .milliseconds(1))
        #expect(core.answer(toKnown: known) == nil)
        await core.forwarder.close()
      }
    }

    @Test func `others who ask in the same words have the same answer`() async throws {
      try await withKnown { (bench, client) async throws in
        let other = try await bench.connect()
        let (theirs, ours) = (try await ask(other), try await ask(client))
        #expect(theirs.fields.map(\.name) == ours.fields.map(\.name))
        #expect(theirs.fields.map(\.value) == ours.fields.map(\.value))
        #expect(theirs.content == ours.content)
        await other.close()
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: ["key", "all", "remove", "unsafe"])
    func `what happens to a copy is heeded at once`(by way: String) async throws {
      try await withKnown { (bench, client) async throws in
        let (store, url) = (bench.temporary.store, bench.server.url("/a"))
        let records = try store.bytes("http")
        switch way {
        case "key": try await records.markStale(url)
        case "all": try await records.markAllStale()
        case "remove": try await records.remove(url)
        default: _ = try await ask(client, "Content-Length: 0\r\n", "POST")
        }
        let answer = try await ask(client)
        #expect(answer["Cache-Status"]?.contains("hit") == false)
        try await askUntilKnown(client)
        #expect(try await ask(client)["Age"] == "0")
      }
    }

    @Test func `what another process does is heeded at once`() async throws {
      try await withKnown { (bench, client) async throws in
        let other = try bench.temporary.another()
        try await other.bytes("http").markStale(bench.server.url("/a"))
        try await other.close()
        #expect(try await ask(client)["Cache-Status"]?.contains("fwd=stale") == true)
      }
    }

    @Test(arguments: [
      ("If-None-Match: \"1\"\r\n", 304, ""), ("Range: bytes=0-1\r\n", 206, "he"),
      ("Cache-Control: no-cache\r\n", 200, "hello GET"), ("X-A: 1\r\n", 200, "hello GET"),
    ])
    func `other words mean something else each time`(
      fields: String, status: Int, text: String
    ) async throws {
      try await withKnown { (bench, client) async throws in
        for _ in 0..<4 {
          let answer = try await ask(client, fields)
          #expect(answer.status == status)
          #expect(answer.text == text)
          #expect(try await ask(client).status == 200)
        }
        #expect(try await ask(client, "", "HEAD").text == "")
      }
    }

    // MARK: What is known

    private func request(
      _ text: String, from peer: String = "1.2.3.4", at port: Int? = 80,
      by reading: RequestReading? = nil, in room: StorageQuota = StorageQuota(limit: 1 << 20)
    ) throws -> KnownRequest? {
      let head = ByteBuffer(string: text)
      var decoder = RequestDecoder()
      decoder.append(head)
      guard case .head(let incoming)? = try decoder.next() else { return nil }
      let other = RequestReading(site: .origin(try HTTPAddress("http://origin.example/")))
      let read = try (reading ?? other).read(
        incoming, now: Timestamp(millisecondsSinceEpoch: 0), from: peer, at: port)
      return KnownRequest(head, from: peer, at: port, incoming, read, in: room)
    }

    private static let words = "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n"

    @Test
    func `a head is known from its second time on, at its port, and where that counts by its peer`()
      throws
    {
      let known = KnownRequests()
      let head = ByteBuffer(string: Self.words)
      func find(_ peer: String?, _ port: Int?) -> String {
        switch known.find(head, from: peer, at: port) {
        case .known: "known"
        case .seen: "seen"
        case .new: "new"
        }
      }
      #expect(find(nil, 80) == "new" && find(nil, 80) == "seen")
      known.add(try #require(try request(Self.words)))
      #expect(find(nil, 80) == "known" && find("1.2.3.4", 80) == "known")
      #expect(find("1.2.3.5", 80) == "seen" && find(nil, 81) == "seen" && find(nil, nil) == "seen")
    }

    @Test(arguments: [
      "POST /a HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET /a HTTP/1.0\r\nHost: a.example\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\n\r\n",
    ])
    func `what no copy answers, or is the last of its connection, is not kept`(
      words: String
    ) throws {
      #expect(try request(words) == nil)
      #expect(try request(Self.words) != nil)
    }

    @Test func `what is known takes no more room than there is, and gives it back`() throws {
      let known = KnownRequests(count: 1, room: 2000)
      let other = "GET /b HTTP/1.1\r\nHost: a.example\r\n\r\n"
      known.add(try #require(try request(Self.words, in: known.room)))
      #expect(try request(other, in: known.room) == nil)
      // Other words take its place.
      guard case .new = known.find(ByteBuffer(string: other), from: nil, at: 80) else {
        Issue.record("the words came for the first time")
        return
      }
      #expect(try request(other, in: known.room) != nil)
    }

    @Test func `what is known makes room for others once there is none`() throws {
      let known = KnownRequests(room: 2000)
      let (first, other) = (Self.words, "GET /b HTTP/1.1\r\nHost: a.example\r\n\r\n")
      for words in [first, other] {
        _ = known.find(ByteBuffer(string: words), from: nil, at: 80)
      }
      known.add(try #require(try request(first, in: known.room)))
      // As long as there is some, nothing is forgotten.
      known.makeRoom(for: 1)
      guard case .known = known.find(ByteBuffer(string: first), from: nil, at: 80) else {
        Issue.record("it is known")
        return
      }
      #expect(try request(other, in: known.room) == nil)
      known.makeRoom(for: KnownRequest.size(of: ByteBuffer(string: other)))
      known.add(try #require(try request(other, in: known.room)))
      guard case .known = known.find(ByteBuffer(string: other), from: nil, at: 80) else {
        Issue.record("it is not known")
        return
      }
    }

    @Test func `a request of another peer is told as theirs`() throws {
      let known = try #require(try request(Self.words))
      #expect(known.read(from: "1.2.3.4").client?.peer == "1.2.3.4")
      #expect(known.read(from: "9.9.9.9").client?.peer == "9.9.9.9")
    }
  }
#endif
