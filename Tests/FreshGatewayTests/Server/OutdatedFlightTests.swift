#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// A client that asks after a change gets the new state, although an older request is in flight.
  @Suite(.timeLimit(.minutes(1))) struct OutdatedFlightTests {
    /// An origin whose first page ends when the test allows it; later pages come at once. A request
    /// that changes a page names a group after its question mark.
    private final class SlowPage: Sendable {
      let rest = Gate()
      private let count = Mutex(0)

      var handler: OriginServer.Handler {
        { request in
          guard request.method == "GET" else {
            let group = request.target.split(separator: "?").last ?? ""
            return .init(200, ["Cache-Group-Invalidation": "\"\(group)\""], body: "done")
          }
          let number = self.count.withLock { count in
            count += 1
            return count
          }
          guard number == 1 else {
            return .init(
              200, ["Cache-Control": "max-age=60", "Cache-Groups": "\"page\""], body: "new")
          }
          return .init(
            200,
            ["Cache-Control": "max-age=60", "Cache-Groups": "\"page\"", "Content-Length": "3"],
            steps: [.send("o"), .wait(self.rest), .send("ld")])
        }
      }
    }

    /// A client that has the header section of a page, and waits for the rest.
    private struct Reading {
      let client: RawClient
      let answer: RawClient.Answer

      var isCollapsed: Bool { answer["Cache-Status"]?.contains("collapsed") == true }

      /// All of its content.
      func text() async -> String {
        var answer = answer
        await client.readContent(of: &answer)
        await client.close()
        return answer.text
      }
    }

    private func read(_ bench: GatewayBench, _ fields: String = "") async throws -> Reading {
      let client = try await bench.connect()
      let line = fields.isEmpty ? "" : "\(fields)\r\n"
      try await client.send("GET /page HTTP/1.1\r\nHost: gateway\r\n\(line)\r\n")
      return Reading(client: client, answer: try #require(await client.head()))
    }

    /// Begins to read a page, makes a change, and reads again. The second reader gets the same page
    /// only when `isCollapsed` is true.
    private func expect(
      isCollapsed: Bool, with fields: String = "",
      after change: (GatewayBench) async throws -> Void
    ) async throws {
      let page = SlowPage()
      try await withGateway({ _ in }, page.handler) { (bench) async throws in
        let first = try await read(bench)
        try await change(bench)
        let second = try await read(bench, fields)
        #expect(second.isCollapsed == isCollapsed)
        if !isCollapsed { #expect(await second.text() == "new") }
        page.rest.open()
        #expect(await first.text() == "old")
        if isCollapsed { #expect(await second.text() == "old") }
      }
    }

    @Test(arguments: [("page", false), ("other", true)])
    func `RFC 9875 3: an answer of the group that is on its way is not for later requests`(
      group: String, isCollapsed: Bool
    ) async throws {
      try await expect(isCollapsed: isCollapsed) { (bench) async throws in
        #expect(try await bench.ask("/change?\(group)", "POST", content: "x").status == 200)
      }
    }

    @Test(
      arguments: [
        ("Cache-Control: no-cache", false), ("Pragma: no-cache", false),
        ("Cache-Control: max-age=2", false), ("Cache-Control: max-age=5", true),
        ("Cache-Control: min-fresh=58", false), ("", true),
      ])
    func `RFC 9111 5.2.1.4: whoever asks with no-cache joins no answer that has begun`(
      fields: String, isCollapsed: Bool
    ) async throws {
      try await expect(isCollapsed: isCollapsed, with: fields) { bench in
        bench.temporary.clock.advance(by: .seconds(3))
      }
    }

    /// A change that another process makes to the file.
    enum Change: CaseIterable {
      case key, prefix, tag, collection, removal, wipe
      case otherKey, otherPrefix, otherTag, otherRemoval

      var isOfPage: Bool {
        switch self {
        case .key, .prefix, .tag, .collection, .removal, .wipe: true
        case .otherKey, .otherPrefix, .otherTag, .otherRemoval: false
        }
      }

      func make(in store: Store, of origin: String) async throws {
        let copies = try store.bytes("http")
        switch self {
        case .key: #expect(try await copies.markStale("\(origin)/page"))
        case .prefix: try await copies.markStale(prefix: "\(origin)/p")
        case .tag: try await store.markStale(tag: CacheGroups.tag("page", origin: origin))
        case .collection: try await store.markStale(collection: "http")
        case .removal: try await copies.remove("\(origin)/page")
        case .wipe: try await store.wipe()
        case .otherKey: try await copies.markStale("\(origin)/pag")
        case .otherPrefix: try await copies.markStale(prefix: "\(origin)/page/")
        case .otherTag: try await store.markStale(tag: CacheGroups.tag("other", origin: origin))
        case .otherRemoval: try await copies.remove("\(origin)/other")
        }
      }
    }

    @Test(arguments: Change.allCases)
    func `a change by another process is known to whoever asks after it`(change: Change)
      async throws
    {
      try await expect(isCollapsed: !change.isOfPage) { bench in
        let store = try bench.temporary.another()
        try await change.make(in: store, of: bench.server.url(""))
        try await store.close()
      }
    }

    @Test func `an unsafe request through another gateway is known to whoever asks after it`()
      async throws
    {
      try await expect(isCollapsed: false) { bench in
        let store = try bench.temporary.another()
        let other = try await start(store, bench.temporary.clock, bench.server)
        let second = GatewayBench(
          gateway: other, server: bench.server, temporary: bench.temporary)
        #expect(try await second.ask("/page", "POST", content: "x").text == "done")
        await other.close()
        try await store.close()
      }
    }

    @Test func `a mark of any group counts as long as the groups of the answer are not known`()
      async throws
    {
      let gate = Gate()
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 1 { await gate.wait() }
        return .init(200, ["Cache-Control": "max-age=60"], body: "\(number)")
      } test: { (bench) async throws in
        async let old = bench.ask("/page")
        while bench.asked.isEmpty { await Task.yield() }
        let store = try bench.temporary.another()
        try await store.markStale(tag: "\(bench.server.url("")) any")
        try await store.close()
        #expect(try await bench.ask("/page").text == "2")
        gate.open()
        #expect(try await old.text == "1")
      }
    }

    /// While another program holds the lock, the gateway asks the origin without a lease in the
    /// file.
    @Test func `a mark counts, too, for what was asked while the file could not be written`()
      async throws
    {
      let gate = Gate()
      let count = Mutex(0)
      try await withLockableStore { _ in
      } _: { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 1 { await gate.wait() }
        return .init(200, ["Cache-Control": "no-cache"], body: "\(number)")
      } test: { (bench, other) async throws in
        try other.execute("BEGIN IMMEDIATE")
        async let old = bench.ask("/page")
        while bench.asked.isEmpty { await Task.yield() }
        try other.execute("COMMIT")
        let store = try bench.temporary.another()
        try await store.markStale(collection: "http")
        try await store.close()
        #expect(try await bench.ask("/page").text == "2")
        gate.open()
        #expect(try await old.text == "1")
      }
    }

    @Test func `RFC 9110 9.3.3: the answer to a POST that is a copy answers a GET`() async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Location": "/page"], body: request.method)
      } test: { (bench) async throws in
        let answer = try await bench.ask("/page", "POST", content: "x")
        #expect(answer.text == "POST")
        #expect(answer["Cache-Status"]?.contains("stored") == true)
        let url = bench.server.url("/page")
        // It is stored a moment later.
        while try bench.temporary.store.countRecords(collection: "http", prefix: url) == 0 {
          await Task.yield()
        }
        #expect(try await bench.askUntilHit("/page").text == "POST")
        #expect(bench.asked == ["POST /page"])
      }
    }

    @Test(arguments: ["POST", "PUT", "GET", "mark"])
    func `RFC 9110 9.3.3: the answer to a POST is no copy where something else came meanwhile`(
      change: String
    ) async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        if request["Slow"] != nil { await gate.wait() }
        return .init(
          200, ["Cache-Control": "max-age=60", "Content-Location": "/page"],
          body: request["Slow"] ?? "new")
      } test: { (bench) async throws in
        async let old = bench.ask("/page", "POST", fields: "Slow: old", content: "x")
        while bench.asked.isEmpty { await Task.yield() }
        if change == "mark" {
          let store = try bench.temporary.another()
          try await store.bytes("http").markStale(bench.server.url("/page"))
          try await store.close()
        } else {
          let content = change == "GET" ? "" : "y"
          #expect(try await bench.ask("/page", change, content: content).text == "new")
        }
        gate.open()
        let answer = try await old
        #expect(answer.text == "old")
        #expect(answer["Cache-Status"]?.contains("overtaken") == true)
        #expect(try await bench.ask("/page").text == "new")
      }
    }

    @Test func `all who reload while an answer goes on are one request`() async throws {
      let (page, gate) = (SlowPage(), Gate())
      let handler = page.handler
      let count = Mutex(0)
      try await withGateway { _ in
      } _: { request in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number > 1 { await gate.wait() }
        return await handler(request)
      } test: { (bench) async throws in
        let first = try await read(bench)
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 1...5 {
            group.addTask {
              try await bench.ask("/page", fields: "Cache-Control: no-cache").text
            }
          }
          while bench.gateway.waiting < 5 { await Task.yield() }
          gate.open()
          for try await text in group { #expect(text == "new") }
        }
        #expect(bench.asked.count == 2)
        page.rest.open()
        #expect(await first.text() == "old")
      }
    }
  }
#endif
