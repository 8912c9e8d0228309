#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Concurrent requests that need a validation share one request to the origin. Every client that
  /// arrives before the answer has waited for it.
  @Suite(.timeLimit(.minutes(2))) struct ValidationCollapsingTests {
    /// An origin of one page, whose answers the test can hold up.
    private final class Page: Sendable {
      let gate = Gate()
      private let terms: String
      private let hasTag: Bool
      private let isHeld = Mutex(false)

      init(_ terms: String, hasTag: Bool = true) { (self.terms, self.hasTag) = (terms, hasTag) }

      /// From now on a GET waits for the gate.
      func hold() { isHeld.withLock { $0 = true } }

      var handler: OriginServer.Handler {
        { request in
          if request.method == "GET", self.isHeld.withLock({ $0 }) { await self.gate.wait() }
          guard self.hasTag else {
            return .init(200, ["Cache-Control": self.terms], body: "page")
          }
          let fields: KeyValuePairs<String, String> = [
            "Cache-Control": self.terms, "ETag": "\"1\"",
          ]
          return request["If-None-Match"]?.contains("\"1\"") == true
            ? .init(304, fields) : .init(200, fields, body: "page")
        }
      }
    }

    /// The fields of the page and of the requests, and the number of clients.
    struct Case: Sendable, CustomTestStringConvertible {
      var terms: String
      var asked = ""
      var hasTag: Bool
      /// True where there is a copy before, as far as one is kept.
      var isAgain = true
      var clients: Int

      var testDescription: String {
        "\(terms), \(hasTag ? "a" : "no") tag, \(clients)\(isAgain ? " again" : ""), \(asked)"
      }

      static let all: [Case] = {
        var cases: [Case] = []
        for (count, hasTag) in [
          (2, true), (5, true), (30, true), (2, false), (5, false), (30, false),
        ] {
          for terms in ["no-cache", "max-age=0", "max-age=0, must-revalidate", "public, max-age=0"]
          {
            for isAgain in count == 5 ? [true, false] : [true] {
              cases.append(
                Case(terms: terms, hasTag: hasTag, isAgain: isAgain, clients: count))
            }
          }
          for asked in ["Cache-Control: max-age=0", "Cache-Control: no-cache"] {
            cases.append(
              Case(terms: "max-age=600", asked: asked, hasTag: hasTag, clients: count))
          }
        }
        return cases
      }()
    }

    /// Asks until there is a copy that can be validated.
    private func askUntilValidated(_ bench: GatewayBench, fields: String = "") async throws {
      while try await bench.ask("/page", fields: fields)["Cache-Status"]?
        .contains("fwd-status=304") != true
      {}
    }

    private func untilWaiting(_ count: Int, _ bench: GatewayBench) async {
      while bench.gateway.waiting < count { await Task.yield() }
    }

    @Test(arguments: Case.all)
    func `all who were there before the answer are one request`(the: Case) async throws {
      let page = Page(the.terms, hasTag: the.hasTag)
      try await withGateway({ _ in }, page.handler) { bench in
        if the.isAgain {
          if the.terms == "max-age=600" {
            try await bench.askUntilHit("/page")
          } else if the.hasTag {
            try await askUntilValidated(bench)
          } else {
            try await bench.ask("/page")
          }
        }
        bench.temporary.clock.advance(by: .seconds(10))
        let before = bench.asked.count
        page.hold()
        try await withThrowingTaskGroup(of: RawClient.Answer.self) { group in
          for _ in 1...the.clients {
            group.addTask { try await bench.ask("/page", fields: the.asked) }
          }
          await untilWaiting(the.clients, bench)
          page.gate.open()
          var collapsed = 0
          for try await answer in group {
            #expect(answer.status == 200)
            #expect(answer.text == "page")
            if answer["Cache-Status"]?.contains("collapsed") == true { collapsed += 1 }
          }
          #expect(collapsed == the.clients - 1)
        }
        #expect(bench.asked.count == before + 1)
      }
    }

    @Test(arguments: ["no-cache", "max-age=0", "max-age=0, must-revalidate"], [true, false])
    func `all who come once the answer has begun are another one`(
      terms: String, hasTag: Bool
    ) async throws {
      let (rest, gate) = (Gate(), Gate())
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        let name = hasTag ? "ETag" : "X-Tag"
        if number > 1 {
          await gate.wait()
          return .init(200, ["Cache-Control": terms, name: "\"\(number)\""], body: "new")
        }
        return .init(
          200, ["Cache-Control": terms, name: "\"\(number)\"", "Content-Length": "3"],
          steps: [.send("o"), .wait(rest), .send("ld")])
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send("GET /page HTTP/1.1\r\nHost: gateway\r\n\r\n")
        var first = try #require(await client.head())
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 1...5 { group.addTask { try await bench.ask("/page").text } }
          await untilWaiting(5, bench)
          gate.open()
          for try await text in group { #expect(text == "new") }
        }
        #expect(bench.asked.count == 2)
        rest.open()
        await client.readContent(of: &first)
        #expect(first.text == "old")
        await client.close()
      }
    }

    @Test
    func `whoever comes after a 304 has a validation of their own, and no 304 is thrown away`()
      async throws
    {
      try await withGateway({ _ in }, Page("no-cache").handler) { bench in
        try await askUntilValidated(bench)
        let before = bench.server.requests.count
        // Each request comes while the last renewal may still be written to the file.
        for _ in 1...30 {
          bench.temporary.clock.advance(by: .seconds(1))
          let answer = try await bench.ask("/page")
          #expect(answer.status == 200 && answer.text == "page")
          #expect(answer["Cache-Status"]?.contains("fwd-status=304") == true)
        }
        let later = bench.server.requests.dropFirst(before)
        #expect(later.count == 30)
        #expect(later.allSatisfy { $0["If-None-Match"] == "\"1\"" })
      }
    }

    @Test func `a 304 counts for a copy that another request has renewed meanwhile`() async throws {
      let page = Page("no-cache")
      try await withGateway({ _ in }, page.handler) { (bench) async throws in
        try await askUntilValidated(bench)
        page.hold()
        let before = bench.asked.count
        async let one = bench.ask("/page")
        while bench.asked.count == before { await Task.yield() }
        async let two = bench.ask("/page")
        await untilWaiting(2, bench)
        bench.temporary.clock.advance(by: .seconds(1))
        let stored = bench.gateway.figures.stored
        #expect(try await bench.ask("/page", "HEAD").status == 200)
        while bench.gateway.figures.stored == stored { await Task.yield() }
        page.gate.open()
        #expect(try await [one.text, two.text] == ["page", "page"])
        #expect(Array(bench.asked.dropFirst(before)) == ["GET /page", "HEAD /page"])
      }
    }

    @Test func `who waits for content gets it, where whoever has asked wants none`() async throws {
      let page = Page("no-cache")
      try await withGateway({ _ in }, page.handler) { (bench) async throws in
        try await askUntilValidated(bench)
        page.hold()
        bench.temporary.clock.advance(by: .seconds(1))
        let before = bench.asked.count
        async let sender = bench.ask("/page", fields: "If-None-Match: \"1\"")
        await untilWaiting(1, bench)
        async let one = bench.ask("/page")
        async let two = bench.ask("/page", fields: "If-None-Match: \"1\"")
        await untilWaiting(3, bench)
        page.gate.open()
        #expect(try await [sender.status, two.status] == [304, 304])
        #expect(try await one.text == "page")
        #expect(bench.asked.count == before + 1)
      }
    }

    @Test(arguments: [
      ("no-cache", "User: a", 1), ("no-cache", "User: b", 2), ("no-cache", "", 2),
      ("max-age=0, must-revalidate", "User: b", 2), ("public, max-age=0", "User: b", 1),
      ("private, no-cache", "User: a", 2),
    ])
    func `what may be one client's own is for nobody who looks another one to the origin`(
      terms: String, asked: String, requests: Int
    ) async throws {
      for name in ["Cookie", "X-Api-Key"] {
        let gate = Gate()
        try await withGateway { _ in
        } _: { request in
          await gate.wait()
          let user = request[name] ?? "nobody"
          return .init(200, ["Cache-Control": terms, "ETag": "\"\(user)\""], body: user)
        } test: { (bench) async throws in
          async let first = bench.ask("/page", fields: "\(name): a")
          await untilWaiting(1, bench)
          async let second = bench.ask("/page", fields: asked.replacing("User", with: name))
          await untilWaiting(2, bench)
          gate.open()
          #expect(try await first.text == "a")
          let own = asked.isEmpty ? "nobody" : String(asked.suffix(1))
          #expect(try await second.text == (requests == 1 ? "a" : own))
          #expect(bench.asked.count == requests)
        }
      }
    }

    @Test func `each variant that is validated each time is one request`() async throws {
      let gate = Gate()
      let isHeld = Mutex(false)
      try await withGateway { _ in
      } _: { request in
        if isHeld.withLock({ $0 }) { await gate.wait() }
        let language = request["Accept-Language"] ?? "none"
        let fields: KeyValuePairs<String, String> = [
          "Cache-Control": "no-cache", "Vary": "Accept-Language", "ETag": "\"\(language)\"",
        ]
        return request["If-None-Match"]?.contains("\"\(language)\"") == true
          ? .init(304, fields) : .init(200, fields, body: language)
      } test: { bench in
        let languages = ["de", "en", "fr"]
        for language in languages {
          try await askUntilValidated(bench, fields: "Accept-Language: \(language)")
        }
        bench.temporary.clock.advance(by: .seconds(1))
        isHeld.withLock { $0 = true }
        let before = bench.asked.count
        try await withThrowingTaskGroup(of: (asked: String, got: String).self) { group in
          for place in 0..<30 {
            let language = languages[place % languages.count]
            group.addTask {
              (language, try await bench.ask("/page", fields: "Accept-Language: \(language)").text)
            }
          }
          await untilWaiting(30, bench)
          gate.open()
          for try await answer in group { #expect(answer.got == answer.asked) }
        }
        #expect(bench.asked.count == before + 3)
      }
    }
  }
#endif
