#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Concurrent requests for variants share one request to the origin for each variant.
  @Suite(.timeLimit(.minutes(1))) struct VariantCollapsingTests {
    private static let languages = ["de", "en", "fr"]

    /// A page in the language that is asked for; as long as it has not changed, 304.
    private static let page: OriginServer.Handler = { request in
      let language = request["Accept-Language"] ?? "none"
      let fields: KeyValuePairs<String, String> = [
        "Cache-Control": "max-age=60", "Vary": "Accept-Language", "ETag": "\"\(language)\"",
      ]
      let isKnown = request["If-None-Match"]?.contains("\"\(language)\"") == true
      return isKnown ? .init(304, fields) : .init(200, fields, body: language)
    }

    /// Sends this number of requests, each over its own connection, in the languages and at the
    /// gateways in turn. Expects each answer in its language.
    private func ask(_ count: Int, at ports: [Int]) async throws {
      try await withThrowingTaskGroup(of: (asked: String, got: String).self) { group in
        for place in 0..<count {
          let language = Self.languages[place % Self.languages.count]
          let port = ports[place % ports.count]
          group.addTask {
            let client = try await RawClient.connect(port)
            try await client.send(
              "GET /a HTTP/1.1\r\nHost: gateway\r\nAccept-Language: \(language)\r\n\r\n")
            let answer = await client.answer()
            await client.close()
            return (language, answer?.text ?? "none")
          }
        }
        for try await answer in group { #expect(answer.got == answer.asked) }
      }
    }

    @Test func `sixty requests for three missing variants are one for each, and one to find out`()
      async throws
    {
      try await withGateway({ _ in }, Self.page) { bench in
        try await ask(60, at: [bench.gateway.port])
        #expect(bench.asked.count <= 4)
      }
    }

    @Test func `sixty requests for three expired variants are one for each`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        for language in Self.languages {
          try await bench.askUntilHit("/a", fields: "Accept-Language: \(language)")
        }
        #expect(bench.asked.count == 3)
        bench.temporary.clock.advance(by: .seconds(100))
        try await ask(60, at: [bench.gateway.port])
        #expect(bench.asked.count == 6)
      }
    }

    @Test func `two gateways on one file ask once for each variant`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        let store = try bench.temporary.another()
        let other = try await start(store, bench.temporary.clock, bench.server)
        try await ask(60, at: [bench.gateway.port, other.port])
        #expect(bench.asked.count <= 4)
        for language in Self.languages {
          try await bench.askUntilHit("/a", fields: "Accept-Language: \(language)")
        }
        bench.temporary.clock.advance(by: .seconds(100))
        let before = bench.asked.count
        try await ask(60, at: [bench.gateway.port, other.port])
        #expect(bench.asked.count == before + 3)
        await other.close()
        try await store.close()
      }
    }

    @Test func `of variants that come all at once none outlives a change, and those too many go`()
      async throws
    {
      let gate = Gate()
      let edition = Mutex(1)
      try await withGateway { _ in
      } _: { request in
        guard request.method == "GET" else {
          edition.withLock { $0 += 1 }
          return .init(200, body: "done")
        }
        let name = request["X-Name"] ?? "none"
        let text = edition.withLock { "\(name) in edition \($0)" }
        if name != "first" { await gate.wait() }
        return .init(200, ["Cache-Control": "max-age=600", "Vary": "X-Name"], body: text)
      } test: { (bench) async throws in
        // It is known to vary from then on.
        try await bench.askUntilHit("/a", fields: "X-Name: first")
        let port = bench.gateway.port
        try await withThrowingTaskGroup(of: Void.self) { group in
          for name in 1...60 {
            group.addTask {
              let client = try await RawClient.connect(port)
              try await client.send(
                "GET /a HTTP/1.1\r\nHost: gateway\r\nX-Name: \(name)\r\n\r\n")
              #expect(await client.answer()?.text == "\(name) in edition 1")
              await client.close()
            }
          }
          while bench.asked.count < 61 { await Task.yield() }
          gate.open()
          try await group.waitForAll()
        }
        while bench.gateway.figures.stored < 61 { await Task.yield() }
        #expect(try await bench.ask("/a", "POST", content: "x").text == "done")
        for _ in 1...2 {
          for name in 1...60 {
            let answer = try await bench.ask("/a", fields: "X-Name: \(name)")
            #expect(answer.text == "\(name) in edition 2")
          }
        }
        await bench.gateway.drain(within: .seconds(30))
        // 31, and the copies that were being stored during the last requests.
        #expect(try bench.temporary.store.list(collection: "http").count < 40)
      }
    }

    @Test func `those of a variant that is for one alone go on at once, and wait for nobody else`()
      async throws
    {
      // Each answer in English is for one client. The second one waits until a third is in flight.
      let (first, others) = (Gate(), Gate())
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { request in
        guard request["Accept-Language"] == "en" else {
          await first.wait()
          return await Self.page(request)
        }
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number > 1 {
          if number == 3 { others.open() }
          await others.wait()
        }
        return .init(
          200, ["Cache-Control": "private, max-age=60", "Vary": "Accept-Language"], body: "en")
      } test: { (bench) async throws in
        async let german = bench.ask("/a", fields: "Accept-Language: de")
        while bench.asked.isEmpty { await Task.yield() }
        async let one = bench.ask("/a", fields: "Accept-Language: en")
        async let two = bench.ask("/a", fields: "Accept-Language: en")
        async let three = bench.ask("/a", fields: "Accept-Language: en")
        first.open()
        #expect(try await [one.text, two.text, three.text] == ["en", "en", "en"])
        #expect(try await german.text == "de")
        #expect(bench.asked.count == 4)
      }
    }
  }
#endif
