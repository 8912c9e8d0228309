#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import NIOPosix
  internal import OriginServer
  internal import StoreSupport
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Invalidations by unsafe requests while the store accepts no marks.
  @Suite(.timeLimit(.minutes(1))) struct OwedInvalidationTests {
    /// Pages of the group that their path begins with; a POST to one makes that group invalid.
    private static let pages: OriginServer.Handler = { request in
      let group = "\"\(request.target.dropFirst().prefix(1))\""
      guard request.method == "GET" else {
        return .init(200, ["Cache-Group-Invalidation": group])
      }
      return .init(
        200, ["Cache-Control": "max-age=600, stale-if-error=600", "Cache-Groups": group],
        body: request.target)
    }

    /// Nothing is tried again by itself.
    private static func waitLong(_ options: inout GatewayOptions) {
      options.limits.storePause = .seconds(3600)
    }

    @Test
    func
      `RFC 9111 4.4: what is changed while the store takes no mark is not used before it is validated`()
      async throws
    {
      let edition = Mutex(1)
      try await withLockableStore { options in
        Self.waitLong(&options)
      } _: { request in
        let number = edition.withLock { edition in
          if request.method == "PUT" { edition += 1 }
          return edition
        }
        return .init(200, ["Cache-Control": "max-age=600"], body: "\(number)")
      } test: { bench, other in
        try await bench.askUntilHit("/a")
        try await bench.askUntilHit("/b")
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await bench.ask("/a", "PUT", content: "new").status == 200)
        for _ in 1...2 {
          let answer = try await bench.ask("/a")
          #expect(answer.text == "2")
          #expect(answer["Cache-Status"]?.contains("fwd=stale") == true)
        }
        #expect(try await bench.isHit("/b"))
        #expect(bench.gateway.owedInvalidations == 1)
        try other.execute("COMMIT")
        // The mark is made before this answer is asked for, and does not hit it.
        #expect(try await bench.ask("/a").text == "2")
        #expect(bench.gateway.owedInvalidations == 0)
        #expect(try await bench.askUntilHit("/a").text == "2")
        #expect(try await bench.isHitElsewhere("/a"))
      }
    }

    @Test func `a copy that was changed does not stand in for an origin that fails`() async throws {
      try await withLockableStore(Self.waitLong, Self.pages) { bench, other in
        try await bench.askUntilHit("/a")
        try other.execute("BEGIN IMMEDIATE")
        _ = try await bench.ask("/a", "PUT", content: "new")
        await bench.server.stop()
        #expect(try await bench.ask("/a").status == 504)
        try other.execute("COMMIT")
      }
    }

    @Test func `groups are remembered, too`() async throws {
      try await withLockableStore(Self.waitLong, Self.pages) { bench, other in
        for target in ["/a/1", "/a/2", "/b"] { try await bench.askUntilHit(target) }
        try other.execute("BEGIN IMMEDIATE")
        _ = try await bench.ask("/a", "POST", content: "new")
        #expect(try await !bench.isHit("/a/1"))
        #expect(try await !bench.isHit("/a/2"))
        #expect(try await bench.isHit("/b"))
        try other.execute("COMMIT")
      }
    }

    @Test func `the store is tried again until it takes the mark`() async throws {
      try await withLockableStore { options in
        options.limits.storePause = .milliseconds(5)
      } _: {
        await Self.pages($0)
      } test: { bench, other in
        try await bench.askUntilHit("/a")
        try other.execute("BEGIN IMMEDIATE")
        _ = try await bench.ask("/a", "DELETE")
        #expect(bench.gateway.owedInvalidations > 0)
        try other.execute("COMMIT")
        while bench.gateway.owedInvalidations > 0 { await Task.yield() }
        #expect(try await !bench.isHit("/a"))
        #expect(try await !bench.isHitElsewhere("/a"))
      }
    }

    private func withToldLines(
      _ test: (GatewayBench, RawDatabase, ToldLines) async throws -> Void
    ) async throws {
      let told = ToldLines()
      try await withLockableStore { options in
        Self.waitLong(&options)
        options.tell = { told.add($0) }
      } _: {
        await Self.pages($0)
      } test: { bench, other in
        try await test(bench, other, told)
      }
    }

    @Test func `a gateway that ends makes what it owes`() async throws {
      try await withToldLines { bench, other, told in
        try await bench.askUntilHit("/a")
        try other.execute("BEGIN IMMEDIATE")
        _ = try await bench.ask("/a", "DELETE")
        try other.execute("COMMIT")
        #expect(await bench.gateway.drain(within: .seconds(30)))
        #expect(bench.gateway.owedInvalidations == 0)
        #expect(!told.lines.contains { $0.contains("not marked") })
        #expect(try await !bench.isHitElsewhere("/a"))
      }
    }

    @Test func `what is lost with a gateway is named`() async throws {
      try await withToldLines { bench, other, told in
        try await bench.askUntilHit("/a?secret")
        try other.execute("BEGIN IMMEDIATE")
        _ = try await bench.ask("/a?secret", "DELETE")
        #expect(await bench.gateway.drain(within: .seconds(30)) == false)
        let last = try #require(told.lines.last)
        #expect(last.contains("may be served as it was before: "))
        let place = "--db '\(bench.temporary.path)' --collection http"
        let command = "freshstore mark \(place) --prefix '\(bench.server.url("/a"))?'"
        #expect(last.contains("; mark it by hand: \(command)"))
        #expect(!last.contains("secret"))
        try other.execute("COMMIT")
      }
    }

    /// Runs a test with an invalidation that waits for another program's lock as the loops end.
    private func withLostLoop(
      _ test: (GatewayCore, RawDatabase, ToldLines) async throws -> Void
    ) async throws {
      try await TemporaryStore.run(configure: { $0.busyTimeout = .seconds(1) }) { temporary in
        let other = try RawDatabase(temporary.path)
        let told = ToldLines()
        var options = GatewayOptions()
        options.origin = "http://origin.example"
        options.http.clock = temporary.clock
        options.tell = { told.add($0) }
        let core = try GatewayCore(options, temporary.store)
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var change = Invalidation.nothing
        change.keys = ["http://origin.example/a"]
        try other.execute("BEGIN IMMEDIATE")
        _ = LoopExecutor(loops.next()).run { [change] in await core.invalidate(change) }
        while core.owed.isEmpty, !core.owed.isMakingFirst { await Task.yield() }
        try await loops.shutdownGracefully()
        try await test(core, other, told)
        await core.forwarder.close()
      }
    }

    @Test func `what is being marked as the loops end is marked all the same`() async throws {
      try await withLostLoop { (core, other, _) async throws in
        try other.execute("COMMIT")
        #expect(await core.settleOwed())
        #expect(core.owed.isEmpty && !core.owed.isMakingFirst)
      }
    }

    @Test func `what cannot be marked as the loops end is named`() async throws {
      try await withLostLoop { (core, other, told) async throws in
        #expect(await core.settleOwed() == false)
        #expect(told.lines.last?.contains("may be served as it was before: ") == true)
        try other.execute("COMMIT")
      }
    }

    // MARK: What is remembered

    @Test func `what is begun is owed once nobody goes on with it, and not after its end`() {
      let owed = PendingInvalidations()
      let (first, second) = (owed.begin([.address(key)]), owed.begin([.tag(tag)]))
      #expect(owed.isEmpty && owed.isMakingFirst)
      owed.end(first)
      owed.takeOver()
      owed.end(second)
      #expect(owed.oldest(9).map { $0.mark } == [.tag(tag)])
      #expect(!owed.isMakingFirst)
    }

    private let key = CopyKey("http://origin.example/a")
    private let tag = "http://origin.example:80 g"

    @Test func `a mark covers its address, or its group at its origin, and nothing else`() throws {
      let owed = PendingInvalidations()
      #expect(owed.snapshot == nil)
      owed.add([.address(key)])
      let addresses = try #require(owed.snapshot)
      #expect(addresses.covers(key, groups: []))
      #expect(!addresses.covers(CopyKey("http://origin.example/ab"), groups: ["g"]))
      owed.remove(.address(key), try #require(owed.oldest(1).first).number)
      owed.add([.tag(tag)])
      let groups = try #require(owed.snapshot)
      #expect(groups.covers(key, groups: ["f", "g"]))
      #expect(!groups.covers(key, groups: ["f"]))
      #expect(!groups.covers(CopyKey("http://other.example/a"), groups: ["g"]))
    }

    @Test func `beyond its bound everything counts as changed`() throws {
      let owed = PendingInvalidations(capacity: 2)
      owed.add([.address(key), .tag(tag), .address(CopyKey("http://origin.example/b"))])
      #expect(owed.count == 1)
      #expect(try #require(owed.snapshot).covers(CopyKey("http://other.example/"), groups: []))
      owed.remove(.everything, try #require(owed.oldest(1).first).number)
      #expect(owed.isEmpty)
    }

    @Test func `what is changed again while its mark is made is owed once more`() throws {
      let owed = PendingInvalidations()
      owed.add([.address(key)])
      let first = try #require(owed.oldest(1).first)
      owed.add([.address(key)])
      owed.remove(first.mark, first.number)
      #expect(owed.count == 1)
    }

    @Test func `a key knows its origin, with the port`() {
      #expect(key.origin == "http://origin.example:80")
      #expect(CopyKey("https://a.example:8443/b/c?d=/").origin == "https://a.example:8443")
    }
  }
#endif
