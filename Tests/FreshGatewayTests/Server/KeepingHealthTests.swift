#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// A gateway whose store can keep nothing says so.
  @Suite(.timeLimit(.minutes(1))) struct KeepingHealthTests {
    private static let page: OriginServer.Handler = { _ in
      .init(200, ["Cache-Control": "max-age=600"], body: "hello")
    }

    @Test
    func `a store that cannot be written is told of once, at the start, and again when it can`()
      async throws
    {
      let lines = ToldLines()
      try await withLockableStore(isLocked: true) { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.tell = { lines.add($0) }
      } _: {
        await Self.page($0)
      } test: { bench, other in
        #expect(lines.lines.count == 1)
        #expect(lines.lines.first?.hasPrefix("answers are not kept: cannot ") == true)
        #expect(lines.lines.first?.hasSuffix("; end what holds it, or try again later") == true)
        for _ in 1...3 { #expect(try await bench.ask("/a").text == "hello") }
        #expect(lines.lines.count == 1)
        let health = try await bench.told("/healthz")
        #expect(health.hasPrefix("ok\nstore: answers are not kept since "))
        #expect(
          try await bench.told("/status").contains("\"store\":\"answers are not kept since "))
        #expect(try await bench.told("/metrics").contains("\nfreshstore_store_keeps 0\n"))

        try other.execute("COMMIT")
        try await bench.askUntilHit("/b")
        // That one was kept is seen at once. That all are is not told yet: some may find room between others.
        #expect(lines.lines.count == 1)
        #expect(try await bench.told("/healthz") == "ok\n")
        #expect(try await bench.told("/metrics").contains("\nfreshstore_store_keeps 1\n"))
        bench.temporary.clock.advance(by: .seconds(10))
        try await bench.askUntilHit("/c")
        while lines.lines.count < 2 { await Task.yield() }
        #expect(lines.lines.last == "answers are kept again")
        #expect(try await bench.told("/healthz") == "ok\n")
        #expect(try await bench.told("/status").contains("\"store\":\"ok\""))
        #expect(try await bench.told("/metrics").contains("\nfreshstore_store_keeps 1\n"))
      }
    }

    @Test func `a copy that is confirmed while nothing can be kept is not said to be stored`()
      async throws
    {
      try await withLockableStore { _ in
      } _: { request in
        let fields: KeyValuePairs<String, String> = [
          "Cache-Control": "max-age=60", "ETag": "\"1\"",
        ]
        if request["If-None-Match"] == "\"1\"" { return .init(304, fields) }
        return .init(200, fields, body: "hello")
      } test: { bench, other in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        try other.execute("BEGIN IMMEDIATE")
        let answer = try await bench.ask("/a")
        #expect(answer.text == "hello")
        let status = try #require(answer["Cache-Status"])
        #expect(status.contains("fwd=stale; fwd-status=304; ttl=60; detail=\"not-kept\""))
        try other.execute("COMMIT")
      }
    }

    @Test func `a store that takes answers again is found out where all are hits`() async throws {
      let lines = ToldLines()
      try await withLockableStore { options in
        options.tell = { lines.add($0) }
      } _: {
        await Self.page($0)
      } test: { bench, other in
        try await bench.askUntilHit("/a")
        await bench.gateway.retryStore()
        #expect(lines.lines.isEmpty)
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await bench.ask("/b").text == "hello")
        while lines.lines.isEmpty { await Task.yield() }
        bench.temporary.clock.advance(by: .seconds(10))
        await bench.gateway.retryStore()
        try other.execute("COMMIT")
        // That attempt has failed, too.
        await bench.gateway.retryStore()
        #expect(lines.lines.count == 1)
        bench.temporary.clock.advance(by: .seconds(10))
        #expect(try await bench.isHit("/a"))
        #expect(lines.lines.count == 1)
        await bench.gateway.retryStore()
        #expect(lines.lines.dropFirst() == ["answers are kept again"])
      }
    }

    @Test func `a disk that has no room for long answers is told of, and so is when it has`()
      async throws
    {
      let lines = ToldLines()
      try await TemporaryStore.run { temporary in
        var options = GatewayOptions()
        options.origin = "http://origin.example"
        options.http.clock = temporary.clock
        options.tell = { lines.add($0) }
        let core = try GatewayCore(options, temporary.store)
        for _ in 1...3 { core.noteFullFile(StoreError(.full, .complete)) }
        // Short ones find room.
        core.noteKept(100, isLong: false)
        #expect(lines.lines.count == 1)
        let words = "answers of more than 256 KiB are not kept"
        #expect(lines.lines.first?.hasPrefix("\(words): ") == true)
        let status = GatewayStatus(core)
        #expect(status.keeping == nil)
        #expect(status.keepingLong?.words.hasPrefix("\(words) since ") == true)
        #expect(status.json.contains("\"store\":\"\(words) since "))
        #expect(status.metrics.contains("\nfreshstore_store_keeps 1\n"))
        #expect(status.metrics.contains("\nfreshstore_store_keeps_long 0\n"))
        // Nobody asks for a long one meanwhile.
        temporary.clock.advance(by: .seconds(60))
        await core.retryStore()
        #expect(lines.lines.dropFirst() == ["answers of more than 256 KiB are kept again"])
        #expect(GatewayStatus(core).keepingLong == nil)
        #expect(try temporary.store.statistics().leftBytes == 0)
        await core.forwarder.close()
      }
    }

    @Test
    func `what is kept again is seen at once, and told when nothing has failed for a while`() {
      let lines = ToldLines()
      let health = KeepingHealth { lines.add($0) }
      let clock = ManualClock()
      health.note(StoreError(.full, .put), at: clock.reading())
      let since = health.failure?.since
      health.noteSuccess(at: clock.reading())
      #expect(health.failure == nil && health.isTold)
      clock.advance(by: .seconds(5))
      health.note(StoreError(.full, .put), at: clock.reading())
      #expect(health.failure?.since == since)
      clock.advance(by: .seconds(10))
      #expect(lines.lines.count == 1)
      health.noteSuccess(at: clock.reading())
      #expect(health.failure == nil && !health.isTold)
      #expect(lines.lines.dropFirst() == ["answers are kept again"])
    }

    @Test func `a failure that is not the file's says nothing of the store`() throws {
      let lines = ToldLines()
      let health = KeepingHealth { lines.add($0) }
      let now = ManualClock().reading()
      for code in [StoreError.Code.superseded, .closed, .cancelled, .invalidKey] {
        health.note(StoreError(code, .put), at: now)
      }
      #expect(health.failure == nil)
      health.note(StoreError(.full, .put), at: now)
      health.note(StoreError(.inputOutput, .put), at: now)
      #expect(health.failure?.reason.contains("the file system failed") == true)
      #expect(lines.lines.count == 1)
    }
  }
#endif
