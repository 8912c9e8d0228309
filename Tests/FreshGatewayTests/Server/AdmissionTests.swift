#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// A response that breaks an operator's rules replaces no copy.
  @Suite(.timeLimit(.minutes(1))) struct AdmissionTests {
    /// An origin whose page can be changed.
    private final class Page: Sendable {
      private let text = Mutex("good 1")

      var handler: OriginServer.Handler {
        { request in
          let coding = request["Accept-Encoding"] ?? "none"
          return .init(
            200, ["Cache-Control": "max-age=60", "X-Coding": coding],
            body: self.text.withLock { $0 })
        }
      }

      func set(_ text: String) { self.text.withLock { $0 = text } }
    }

    /// Content under `/ruled` begins with "good".
    private static let admission = ContentAdmission(
      covers: { $0.contains("/ruled") },
      refusal: { _, _, bytes in
        bytes.starts(with: "good".utf8) ? nil : "it must be \"good\" (good)"
      })

    private func withRules(
      _ page: Page, size: Int = 1000, _ test: (GatewayBench) async throws -> Void
    ) async throws {
      try await withGateway(
        { options in
          options.admission = Self.admission
          options.limits.storedContent = size
        }, page.handler, test: test)
    }

    @Test func `the copy stands in for an answer that breaks the rules, until one keeps them`()
      async throws
    {
      let page = Page()
      try await withRules(page) { bench in
        try await bench.askUntilHit("/ruled")
        bench.temporary.clock.advance(by: .seconds(100))
        page.set("bad")
        for _ in 1...2 {
          let answer = try await bench.ask("/ruled")
          #expect(answer.status == 200)
          #expect(answer.text == "good 1")
          let status = try #require(answer["Cache-Status"])
          #expect(status.contains("fwd=stale; ttl=-40"), "\(status)")
          #expect(status.contains("breaks its rules: it must be ?good? (good)"), "\(status)")
        }
        page.set("good 2")
        #expect(try await bench.ask("/ruled").text == "good 2")
        #expect(try await bench.askUntilHit("/ruled").text == "good 2")
        #expect(bench.asked.count == 4)
      }
    }

    @Test func `without a copy it is passed on, and not kept`() async throws {
      let page = Page()
      page.set("bad")
      try await withRules(page) { bench in
        for _ in 1...2 {
          let answer = try await bench.ask("/ruled")
          #expect(answer.text == "bad")
          #expect(answer["Cache-Status"]?.contains("breaks its rules") == true)
          #expect(answer["Cache-Status"]?.contains("stored") == false)
        }
        #expect(bench.asked.count == 2)
        #expect(try bench.temporary.store.list().isEmpty)
      }
    }

    @Test func `who waits for an answer that breaks the rules, and may have no copy, gets it`()
      async throws
    {
      let (page, gate) = (Page(), Gate())
      let handler = page.handler
      try await withGateway { options in
        options.admission = Self.admission
      } _: { request in
        let answer = await handler(request)
        if request["X-Slow"] != nil { await gate.wait() }
        return answer
      } test: { (bench) async throws in
        try await bench.askUntilHit("/ruled")
        bench.temporary.clock.advance(by: .seconds(100))
        page.set("bad")
        async let sender = bench.ask("/ruled", fields: "X-Slow: 1")
        while bench.gateway.waiting < 1 { await Task.yield() }
        async let other = bench.ask("/ruled")
        async let reload = bench.ask("/ruled", fields: "Cache-Control: no-cache")
        while bench.gateway.waiting < 3 { await Task.yield() }
        gate.open()
        #expect(try await [sender.text, other.text] == ["good 1", "good 1"])
        #expect(try await reload.status == 200)
        #expect(try await reload.text == "bad")
        #expect(bench.asked.count == 3)
      }
    }

    @Test func `what is too large to be kept is passed on unchecked`() async throws {
      let page = Page()
      try await withRules(page, size: 10) { bench in
        try await bench.askUntilHit("/ruled")
        bench.temporary.clock.advance(by: .seconds(100))
        page.set("bad and too large")
        let answer = try await bench.ask("/ruled")
        #expect(answer.text == "bad and too large")
        #expect(answer.isWhole)
        // The copy is left as it is.
        page.set("bad")
        #expect(try await bench.ask("/ruled").text == "good 1")
      }
    }

    @Test func `other paths have no rules, and content with rules is asked for uncoded`()
      async throws
    {
      let page = Page()
      page.set("bad")
      try await withRules(page) { bench in
        let free = try await bench.askUntilHit("/free", fields: "Accept-Encoding: gzip")
        #expect(free.text == "bad")
        #expect(free["X-Coding"] == "gzip")
        let ruled = try await bench.ask("/ruled", fields: "Accept-Encoding: gzip")
        #expect(ruled["X-Coding"] == "identity")
      }
    }

    @Test func `several who ask at once are all answered from the copy`() async throws {
      let page = Page()
      try await withRules(page) { bench in
        try await bench.askUntilHit("/ruled")
        bench.temporary.clock.advance(by: .seconds(100))
        page.set("bad")
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 1...5 { group.addTask { try await bench.ask("/ruled").text } }
          for try await text in group { #expect(text == "good 1") }
        }
      }
    }

    @Test func `what an answer has changed counts, also where it breaks off before it is checked`()
      async throws
    {
      try await withGateway { options in
        options.admission = Self.admission
      } _: { request in
        guard request.method == "POST" else {
          return .init(200, ["Cache-Control": "max-age=600"], body: "good")
        }
        return .init(
          200,
          [
            "Cache-Control": "max-age=600", "Content-Location": "/ruled", "Content-Length": "10",
          ], steps: [.send("good"), .close])
      } test: { bench in
        try await bench.askUntilHit("/ruled")
        #expect(try await bench.ask("/ruled", "POST", content: "new").status == 502)
        #expect(try await !bench.isHit("/ruled"))
      }
    }

    @Test func `a long part, which cannot be checked, does not go into the file`() async throws {
      let part = [UInt8](repeating: 7, count: 1_000_000)
      try await withGateway { options in
        options.admission = Self.admission
      } _: { _ in
        .init(
          206,
          [
            "Cache-Control": "max-age=60", "ETag": "\"1\"",
            "Content-Range": "bytes 0-999999/2000000",
          ], body: part)
      } test: { (bench) async throws in
        let answer = try await bench.ask("/ruled", fields: "Range: bytes=0-999999")
        #expect(answer.content.elementsEqual(part))
        #expect(answer["Cache-Status"]?.contains("a part cannot be checked") == true)
        let file = try RawDatabase(bench.temporary.path)
        #expect(try file.integer("SELECT count(*) FROM content") == 0)
      }
    }
  }
#endif
