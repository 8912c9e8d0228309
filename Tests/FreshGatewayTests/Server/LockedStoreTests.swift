#if Gateway
  internal import FreshStore
  internal import OriginServer
  internal import StoreSupport
  internal import Testing

  @testable import FreshGateway

  /// Clients and the lock of another program on the file.
  @Suite(.timeLimit(.minutes(1))) struct LockedStoreTests {
    private static let page: OriginServer.Handler = { request in
      .init(200, ["Cache-Control": "max-age=600"], body: "\(request.method) \(request.target)")
    }

    @Test func `one client waits for the lock of another program, and all others for nothing`()
      async throws
    {
      let lines = ToldLines()
      // If each waited for it, they would take minutes.
      try await withLockableStore(patience: .seconds(2)) { options in
        options.tell = { lines.add($0) }
      } _: {
        await Self.page($0)
      } test: { bench, other in
        try await bench.askUntilHit("/kept")
        try other.execute("BEGIN IMMEDIATE")
        for number in 1...40 {
          let target = "/\(number)"
          let answer = try await bench.ask(target)
          #expect(answer.text == "GET \(target)")
          #expect(answer["Cache-Status"]?.contains("detail=\"not-kept\"") == true)
          #expect(try await bench.ask(target, "POST", content: "x").text == "POST \(target)")
        }
        #expect(try await bench.isHit("/kept"))
        #expect(lines.lines.count == 1)
        #expect(bench.gateway.owedInvalidations == 40)
        try other.execute("COMMIT")
        // The first request that finds it free has what is owed marked, and is kept.
        try await bench.askUntilHit("/free")
        #expect(bench.gateway.owedInvalidations == 0)
      }
    }

    @Test func `who needs nothing of the store waits for no lock`() async throws {
      try await withLockableStore(patience: .seconds(600)) { _ in
      } _: { request in
        .init(request.method == "GET" ? 200 : 404, ["ETag": "\"1\""], body: request.method)
      } test: { bench, other in
        try other.execute("BEGIN IMMEDIATE")
        for _ in 1...2 {
          let answer = try await bench.ask("/a", fields: "Cache-Control: no-store")
          #expect(answer.text == "GET")
          #expect(answer["Cache-Status"]?.contains("request-no-store") == true)
        }
        // It has changed nothing.
        #expect(try await bench.ask("/a", "POST", content: "x").text == "POST")
        try other.execute("COMMIT")
      }
    }

    @Test func `those who ask at the same time wait for the lock together`() async throws {
      try await withLockableStore(patience: .seconds(2)) { _ in
      } _: {
        await Self.page($0)
      } test: { (bench, other) async throws in
        try other.execute("BEGIN IMMEDIATE")
        try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 1...40 {
            group.addTask { try await bench.ask("/\(number)").text == "GET /\(number)" }
          }
          for try await isRight in group { #expect(isRight) }
        }
        try other.execute("COMMIT")
      }
    }

    @Test func `what was asked for as the file was locked is no lease that others wait for`()
      async throws
    {
      let gate = Gate()
      let lines = ToldLines()
      try await withLockableStore { options in
        options.tell = { lines.add($0) }
      } _: { request in
        await gate.wait()
        return await Self.page(request)
      } test: { (bench, other) async throws in
        async let first = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        try other.execute("BEGIN IMMEDIATE")
        gate.open()
        #expect(try await first.text == "GET /a")
        while lines.lines.isEmpty { await Task.yield() }
        try other.execute("COMMIT")
        try await bench.askUntilHit("/a")
      }
    }

    @Test func `a purge that the file does not take is 503, at once once that is known`()
      async throws
    {
      let token = "0123456789abcdef0123"
      try await withLockableStore(patience: .seconds(2)) { options in
        options.operatorTokens = OperatorTokens([token])
      } _: {
        await Self.page($0)
      } test: { bench, other in
        try await bench.askUntilHit("/a")
        try other.execute("BEGIN IMMEDIATE")
        for _ in 1...40 {
          let answer = try await bench.ask("/a", "PURGE", fields: "Authorization: Bearer \(token)")
          #expect(answer.status == 503)
          #expect(answer.text.contains("nothing was purged, or not all: "))
          #expect(answer.text.contains("; send the purge again"))
        }
        try other.execute("COMMIT")
        // Nothing is remembered: who was told so has to say it again.
        #expect(bench.gateway.owedInvalidations == 0)
        let answer = try await bench.ask("/a", "PURGE", fields: "Authorization: Bearer \(token)")
        #expect(answer.status == 200)
      }
    }
  }
#endif
