#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// The copies that a gateway prunes when they exceed its quota (`--max-store`).
  @Suite(.timeLimit(.minutes(1))) struct PrunedCopyTests {
    private static func page(_ size: Int) -> OriginServer.Handler {
      { _ in
        .init(
          200, ["Cache-Control": "max-age=600", "ETag": "\"1\""],
          body: String(repeating: "x", count: size))
      }
    }

    /// Asks for the addresses `/0` to `/3`, one a second, until each is stored, and for some of them again before the
    /// next.
    private func fill(_ bench: GatewayBench, askingAgainFor again: [Int] = []) async throws {
      for number in 0...3 {
        try await bench.ask("/\(number)")
        while try bench.temporary.store.list().count <= number { await Task.yield() }
        for old in again where old <= number { try await bench.askUntilHit("/\(old)") }
        bench.temporary.clock.advance(by: .seconds(1))
      }
    }

    /// Leaves room for two copies and a half, of four.
    private func prune(_ store: Store) async throws {
      var options = PruneOptions()
      options.maximumBytes = 0
      options.isDryRun = true
      options.maximumBytes = try await store.prune(options).bytes * 5 / 8
      options.isDryRun = false
      #expect(try await store.prune(options).removed == 2)
    }

    private func hits(_ bench: GatewayBench) async throws -> [Int] {
      var hits: [Int] = []
      for number in 0...3 {
        if try await bench.isHit("/\(number)") { hits.append(number) }
      }
      return hits
    }

    @Test(arguments: [100, 600_000])
    func `a copy that is asked for again and again stays where newer ones go`(size: Int)
      async throws
    {
      try await withGateway({ _ in }, Self.page(size)) { bench in
        try await fill(bench, askingAgainFor: [0])
        try await prune(bench.temporary.store)
        #expect(try await hits(bench) == [0, 3])
      }
    }

    @Test(arguments: [100, 600_000], ["", "If-None-Match: \"1\""])
    func `a copy that answers without its content is asked for again, too`(
      size: Int, condition: String
    ) async throws {
      let (method, status) = condition.isEmpty ? ("HEAD", 200) : ("GET", 304)
      try await withGateway({ _ in }, Self.page(size)) { bench in
        for number in 0...3 {
          try await bench.ask("/\(number)")
          while try bench.temporary.store.list().count <= number { await Task.yield() }
          let answer = try await bench.ask("/0", method, fields: condition)
          #expect(answer.status == status)
          bench.temporary.clock.advance(by: .seconds(1))
        }
        try await prune(bench.temporary.store)
        #expect(try await hits(bench) == [0, 3])
        #expect(bench.server.requests.count == 4)
      }
    }

    @Test(arguments: [100, 600_000], [[], [0, 1, 2, 3]] as [[Int]])
    func `where none was asked for again, or all were, the oldest go`(size: Int, again: [Int])
      async throws
    {
      try await withGateway({ _ in }, Self.page(size)) { bench in
        try await fill(bench, askingAgainFor: again)
        try await prune(bench.temporary.store)
        #expect(try await hits(bench) == [2, 3])
      }
    }

    @Test(arguments: [100_000, 600_000])
    func `that much was stored is told at once, and not of each answer`(size: Int) async throws {
      let told = Mutex(0)
      try await withGateway(
        { options in
          options.limits.contentOnDisk = 4 << 20
          options.makeRoom = { told.withLock { $0 += 1 } }
        }, Self.page(size)
      ) { (bench) async throws in
        let last = (1 << 20) / size
        for number in 0...last {
          let before = told.withLock { $0 }
          #expect(before == 0)
          try await bench.ask("/\(number)")
          while try bench.temporary.store.list().count <= number { await Task.yield() }
        }
        while told.withLock({ $0 }) == 0 { await Task.yield() }
        for _ in 1...3 { try await bench.askUntilHit("/\(last)") }
        let count = told.withLock { $0 }
        #expect(count == 1)
      }
    }

    @Test func `whoever prunes beside the gateway goes by age`() async throws {
      try await withGateway({ _ in }, Self.page(100)) { bench in
        try await fill(bench, askingAgainFor: [0])
        let other = try bench.temporary.another()
        try await prune(other)
        try await other.close()
        #expect(try await hits(bench) == [2, 3])
      }
    }
  }
#endif
