#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Many who ask for the same are one request to the origin, where its answer is for all of them.
  @Suite(.timeLimit(.minutes(1))) struct CollapsingTests {
    /// The answers to as many requests over connections of their own, to gateways in turn.
    private func answers(
      _ count: Int, from ports: [Int], _ target: String = "/a"
    ) async throws -> [String] {
      try await withThrowingTaskGroup(of: String.self) { group in
        for place in 0..<count {
          let port = ports[place % ports.count]
          group.addTask {
            let client = try await RawClient.connect(port)
            try await client.send("GET \(target) HTTP/1.1\r\nHost: gateway\r\n\r\n")
            let answer = await client.answer()
            await client.close()
            return answer?.text ?? "none"
          }
        }
        var answers: [String] = []
        for try await answer in group { answers.append(answer) }
        return answers
      }
    }

    @Test func `a hundred requests for a missing copy are one to the origin`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "once")
      } test: { bench in
        let answers = try await self.answers(100, from: [bench.gateway.port])
        #expect(answers == [String](repeating: "once", count: 100))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `all who have waited long for somebody's answer ask once more together`()
      async throws
    {
      let gate = Gate()
      try await withGateway { options in
        options.limits.joinTime = .milliseconds(500)
      } _: { request in
        if request["X-Slow"] != nil { await gate.wait() }
        return .init(200, ["Cache-Control": "max-age=60"], body: request["X-Slow"] ?? "quick")
      } test: { (bench) async throws in
        async let slow = bench.ask("/a", fields: "X-Slow: slow")
        while bench.asked.isEmpty { await Task.yield() }
        let others = try await self.answers(20, from: [bench.gateway.port])
        #expect(others == [String](repeating: "quick", count: 20))
        // Those who come later than others may be late once more.
        #expect((2...4).contains(bench.asked.count))
        gate.open()
        #expect(try await slow.text == "slow")
      }
    }

    @Test func `an origin that is slow for all is not asked by each`() async throws {
      let gate = Gate()
      try await withGateway { options in
        options.limits.joinTime = .milliseconds(500)
      } _: { _ in
        await gate.wait()
        return .init(200, ["Cache-Control": "max-age=60"], body: "late")
      } test: { (bench) async throws in
        async let others = self.answers(20, from: [bench.gateway.port])
        // The first, and one of those who have waited for it.
        while bench.asked.count < 2 { await Task.yield() }
        while bench.gateway.waiting + bench.asked.count < 20 { await Task.yield() }
        gate.open()
        #expect(try await others == [String](repeating: "late", count: 20))
        #expect((2...4).contains(bench.asked.count))
      }
    }

    @Test(arguments: ["private=\"X-User\"", "no-cache=\"x-user\""])
    func `a trailer that is for one request alone is sent to nobody where others share the answer`(
      control: String
    ) async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60, \(control)", "Transfer-Encoding": "chunked"],
          steps: [
            .send("4\r\nlong\r\n"), .wait(gate), .send("0\r\nX-Sum: 1\r\nX-User: a\r\n\r\n"),
          ])
      } test: { (bench) async throws in
        async let sender = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        async let other = bench.ask("/a")
        while bench.gateway.figures.openConnections < 2 { await Task.yield() }
        gate.open()
        #expect(try await sender.trailers == ["X-Sum: 1"])
        #expect(try await other.text == "long")
        let trailers = try await other.trailers
        #expect(!trailers.contains("X-User: a"))
      }
    }

    @Test func `a storm of revalidations is one to the origin`() async throws {
      try await withGateway { _ in
      } _: { request in
        request["If-None-Match"] == nil
          ? .init(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "same")
          : .init(304, ["Cache-Control": "max-age=60", "ETag": "\"1\""])
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        let answers = try await self.answers(50, from: [bench.gateway.port])
        #expect(answers == [String](repeating: "same", count: 50))
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `a hundred requests for what is not there are one, where an operator has it kept`()
      async throws
    {
      try await withGateway { options in
        options.lifetimes.absent = [.init(nil, .seconds(10))]
      } _: { _ in
        .init(404, body: "none")
      } test: { bench in
        let answers = try await self.answers(100, from: [bench.gateway.port])
        #expect(answers == [String](repeating: "none", count: 100))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `two gateways on one file ask once`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "once")
      } test: { bench in
        let store = try bench.temporary.another()
        let other = try await start(store, bench.temporary.clock, bench.server)
        let answers = try await self.answers(40, from: [bench.gateway.port, other.port])
        #expect(answers == [String](repeating: "once", count: 40))
        #expect(bench.asked == ["GET /a"])
        await other.close()
        try await store.close()
      }
    }

    @Test func `an answer that is for one alone sends the others on at once`() async throws {
      let (first, others) = (Gate(), Gate())
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 1 {
          await first.wait()
        } else {
          // They come together, or none is answered.
          if number == 5 { others.open() }
          await others.wait()
        }
        return .init(200, ["Cache-Control": "private, max-age=60"], body: "\(number)")
      } test: { bench in
        async let answers = self.answers(5, from: [bench.gateway.port])
        while bench.asked.isEmpty { await Task.yield() }
        first.open()
        let texts = try await answers
        #expect(Set(texts) == ["1", "2", "3", "4", "5"])
      }
    }

    @Test func `who asks after an unsafe request waits for nothing that was asked before`()
      async throws
    {
      let gate = Gate()
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { request in
        guard request.method == "GET" else { return .init(200, body: "done") }
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 1 { await gate.wait() }
        return .init(200, ["Cache-Control": "max-age=60"], body: "\(number)")
      } test: { (bench) async throws in
        async let old = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        #expect(try await bench.ask("/a", "POST", content: "x").text == "done")
        #expect(try await bench.ask("/a").text == "2")
        #expect(try await bench.askUntilHit("/a").text == "2")
        gate.open()
        #expect(try await old.text == "1")
        #expect(bench.asked == ["GET /a", "POST /a", "GET /a"])
      }
    }

    @Test func `a copy that came meanwhile stands in for all who wait for an origin that fails`()
      async throws
    {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        // A request for a part asks for itself; its answer is all there is.
        request["Range"] != nil
          ? .init(200, ["Cache-Control": "max-age=60"], body: "copy")
          : .init(raw: [.wait(gate), .close])
      } test: { (bench) async throws in
        async let sender = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        async let one = bench.ask("/a")
        async let two = bench.ask("/a")
        while bench.gateway.figures.openConnections < 3 { await Task.yield() }
        #expect(try await bench.ask("/a", fields: "Range: bytes=0-").text == "copy")
        while bench.gateway.figures.stored == 0 { await Task.yield() }
        gate.open()
        #expect(try await [sender.text, one.text, two.text] == ["copy", "copy", "copy"])
      }
    }

    @Test(arguments: ["max-age=60", "no-store"])
    func
      `a copy stands in for those who wait, where whoever has asked takes none and gets an error`(
        control: String
      ) async throws
    {
      let gate = Gate()
      let isFirst = Mutex(true)
      try await withGateway { _ in
      } _: { _ in
        let wasFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if wasFirst {
          return .init(200, ["Cache-Control": "max-age=60, stale-if-error=600"], body: "copy")
        }
        await gate.wait()
        return .init(503, ["Cache-Control": control], body: "error")
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        async let sender = bench.ask("/a", fields: "Cache-Control: no-cache")
        while bench.gateway.waiting < 1 { await Task.yield() }
        async let one = bench.ask("/a")
        async let two = bench.ask("/a")
        while bench.gateway.waiting < 3 { await Task.yield() }
        gate.open()
        #expect(try await sender.status == 503)
        for answer in try await [one, two] {
          #expect(answer.status == 200)
          #expect(answer.text == "copy")
          #expect(answer["Cache-Status"]?.contains("detail=\"stale-if-error\"") == true)
        }
        #expect(bench.asked.count == 2)
      }
    }

    @Test
    func
      `a copy that came meanwhile, and is renewed behind, stands in for a HEAD without its content`()
      async throws
    {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        request.method == "HEAD"
          ? .init(raw: [.wait(gate), .close])
          : .init(
            200, ["Cache-Control": "max-age=1, stale-while-revalidate=60"], body: "copy")
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send("HEAD /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        while bench.asked.isEmpty { await Task.yield() }
        #expect(try await bench.ask("/a").text == "copy")
        while bench.gateway.figures.stored == 0 { await Task.yield() }
        bench.temporary.clock.advance(by: .seconds(5))
        gate.open()
        let head = try #require(await client.answer(isHead: true))
        #expect(head.status == 200)
        #expect(head["Content-Length"] == "4")
        // Whatever follows the head would be taken for the next answer.
        try await client.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        let next = try #require(await client.answer())
        #expect(next.status == 200)
        #expect(next.text == "copy")
        await client.close()
      }
    }

    @Test func `a client that goes away in the middle ends nothing for others`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "6"],
          steps: [.send("abc"), .wait(gate), .send("def")])
      } test: { bench in
        let (leaving, staying) = (try await bench.connect(), try await bench.connect())
        try await leaving.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        #expect(await leaving.head()?.status == 200)
        try await staying.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        var answer = try #require(await staying.head())
        #expect(answer["Cache-Status"]?.contains("collapsed") == true)
        await leaving.close()
        gate.open()
        await staying.readContent(of: &answer)
        #expect(answer.text == "abcdef")
        await staying.close()
        try await bench.askUntilHit("/a")
        #expect(bench.asked.count == 1)
      }
    }

    @Test func `an answer that is to be stored comes to its end without any client`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "6"],
          steps: [.send("abc"), .wait(gate), .send("def")])
      } test: { bench in
        let leaving = try await bench.connect()
        try await leaving.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
        #expect(await leaving.head()?.status == 200)
        await leaving.close()
        gate.open()
        #expect(try await bench.askUntilHit("/a").text == "abcdef")
        #expect(bench.asked.count == 1)
      }
    }
  }
#endif
