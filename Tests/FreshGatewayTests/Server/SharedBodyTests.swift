#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import StoreSupport
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// A body goes to all clients that want it, and no client waits for the slowest one.
  @Suite(.timeLimit(.minutes(1))) struct SharedBodyTests {
    private let budget = StorageQuota(limit: 1 << 20)

    private func body(
      keeping length: Int?, window: Int64 = 10, keptWindow: Int64 = 1000, lag: Int64 = 30,
      endsInTime: Bool = false
    ) -> SharedBody {
      var limits = SharedBody.Limits()
      (limits.window, limits.keptWindow, limits.lag) = (window, keptWindow, lag)
      return SharedBody(keeping: length, endsInTime: endsInTime, budget, limits: limits)
    }

    private func text(_ part: SharedBody.Part) -> String {
      switch part {
      case .bytes(let bytes): String(buffer: bytes)
      case .end: "end"
      case .broken: "broken"
      }
    }

    @Test func `whoever joins late gets all of what is kept`() async throws {
      let body = body(keeping: 100)
      #expect(await body.append(ByteBuffer(string: "one")))
      let reader = try #require(body.join())
      #expect(await text(body.next(reader)) == "one")
      #expect(await body.append(ByteBuffer(string: "two")))
      body.end(isWhole: true)
      #expect(await text(body.next(reader)) == "two")
      #expect(await text(body.next(reader)) == "end")
      #expect(body.whole.map { String(buffer: $0) } == "onetwo")
      let late = try #require(body.join())
      #expect(await text(body.next(late)) == "one")
    }

    @Test func `the first part is had without a wait, with the end where nothing follows`()
      async throws
    {
      let body = body(keeping: 100)
      let (first, second) = (try #require(body.join()), try #require(body.join()))
      #expect(body.first(first, atMost: 10)?.isEnd == nil)
      #expect(await body.append(ByteBuffer(string: "one")))
      #expect(body.first(first, atMost: 2)?.isEnd == nil)
      let begun = try #require(body.first(first, atMost: 3))
      #expect(String(buffer: begun.bytes) == "one")
      #expect(!begun.isEnd)
      #expect(body.first(first, atMost: 10)?.isEnd == nil)
      body.end(isWhole: true)
      #expect(await text(body.next(first)) == "end")
      let all = try #require(body.first(second, atMost: 10))
      #expect(String(buffer: all.bytes) == "one")
      #expect(all.isEnd)
    }

    @Test(arguments: [true, false])
    func `a first part does not say the end of what breaks off, or has trailers`(
      isWhole: Bool
    ) async throws {
      let body = body(keeping: 100)
      let reader = try #require(body.join())
      #expect(await body.append(ByteBuffer(string: "one")))
      body.end(isWhole: isWhole, trailers: isWhole ? ["Digest": "x"] : [:])
      #expect(body.first(reader, atMost: 10)?.isEnd == false)
      #expect(await text(body.next(reader)) == (isWhole ? "end" : "broken"))
    }

    @Test func `what is longer than what is kept goes on, and is not stored`() async throws {
      let body = body(keeping: 4)
      let reader = try #require(body.join())
      #expect(await body.append(ByteBuffer(string: "one")))
      #expect(await body.append(ByteBuffer(string: "two")))
      #expect(body.whole == nil)
      #expect(await text(body.next(reader)) == "one")
      #expect(body.join() == nil)
    }

    @Test func `what finds no room in the budget is not stored`() async throws {
      let small = StorageQuota(limit: 4)
      let body = SharedBody(keeping: 100, small)
      let reader = try #require(body.join())
      #expect(await body.append(ByteBuffer(string: "one")))
      // Without room no more comes than is taken.
      async let isWanted = body.append(ByteBuffer(string: "two"))
      while body.length < 6 { await Task.yield() }
      #expect(body.whole == nil)
      #expect(await text(body.next(reader)) == "one")
      #expect(await text(body.next(reader)) == "two")
      #expect(await isWanted)
    }

    @Test func `the origin waits for the fastest reader of what is not kept`() async throws {
      let body = body(keeping: nil)
      let reader = try #require(body.join())
      async let isWanted = body.append(ByteBuffer(string: "longer than the window"))
      #expect(await text(body.next(reader)) == "longer than the window")
      #expect(await isWanted)
    }

    @Test func `where too many of a client are slow the origin waits for it no longer`()
      async throws
    {
      let clients = SlowClients(atMost: 1, patience: .zero)
      var limits = SharedBody.Limits()
      limits.window = 10
      func body() -> SharedBody {
        SharedBody(
          keeping: nil, budget, pace: ClientPace(clients, at: "origin"), limits: limits)
      }
      let (first, second, shared) = (body(), body(), body())
      let reader = try #require(first.join(for: "a"))
      async let isWanted = first.append(ByteBuffer(string: "longer than the window"))
      while clients.count == 0 { await Task.yield() }
      let other = try #require(second.join(for: "a"))
      #expect(await second.append(ByteBuffer(string: "longer than the window")) == false)
      #expect(await text(second.next(other)) == "broken")
      #expect(second.slowClient == "a")
      #expect(second.join(for: "b") == nil)
      // A client is not disconnected because another client reads the same body.
      let (slow, fast) = (try #require(shared.join(for: "a")), try #require(shared.join(for: "b")))
      async let isShared = shared.append(ByteBuffer(string: "longer than the window"))
      #expect(await text(shared.next(fast)) == "longer than the window")
      #expect(await isShared)
      shared.leave(slow)
      #expect(await text(first.next(reader)) == "longer than the window")
      #expect(await isWanted)
      first.end(isWhole: true)
      #expect(clients.count == 0)
    }

    @Test func `what is kept goes on without a client of which too many are slow`() async throws {
      let clients = SlowClients(atMost: 0, patience: .zero)
      var limits = SharedBody.Limits()
      limits.keptWindow = 10
      let body = SharedBody(
        keeping: 100, budget, pace: ClientPace(clients, at: "origin"), limits: limits)
      let reader = try #require(body.join(for: "a"))
      for _ in 1...2 { #expect(await body.append(ByteBuffer(string: "longer than the window"))) }
      body.end(isWhole: true)
      #expect(await text(body.next(reader)) == "broken")
      #expect(body.whole?.readableBytes == 44)
    }

    @Test func `who joins while the origin waits for a client is not cut off with that`()
      async throws
    {
      let time = ManualTime()
      let clients = SlowClients(atMost: 1) { time.now }
      var limits = SharedBody.Limits()
      limits.keptWindow = 10
      let body = SharedBody(
        keeping: 100, budget, pace: ClientPace(clients, at: "origin"), limits: limits)
      let slow = try #require(body.join(for: "a"))
      async let isWanted = body.append(ByteBuffer(string: "longer than the window"))
      while clients.awaited == 0 { await Task.yield() }
      time.pass(clients.patience)
      let other = try #require(body.join(for: "b"))
      // Others of the first client have taken all that it may have by now.
      let place = SlowClients.Place(client: "a", origin: "origin")
      #expect(clients.take(place))
      clients.look()
      #expect(body.slowClient == nil)
      #expect(await text(body.next(other)) == "longer than the window")
      #expect(await isWanted)
      body.leave(slow)
      body.end(isWhole: true)
      #expect(await text(body.next(other)) == "end")
      #expect(clients.count == 1)
    }

    @Test func `a client that leaves what another one reads is not the one that is waited for`()
      async throws
    {
      let clients = SlowClients(atMost: 1, patience: .zero)
      var limits = SharedBody.Limits()
      limits.keptWindow = 10
      let body = SharedBody(
        keeping: 100, budget, pace: ClientPace(clients, at: "origin"), limits: limits)
      let (a, b) = (
        SlowClients.Place(client: "a", origin: "origin"),
        SlowClients.Place(client: "b", origin: "origin")
      )
      let first = try #require(body.join(for: "a"))
      async let isWanted = body.append(ByteBuffer(string: "longer than the window"))
      while !clients.isFull(a) { await Task.yield() }
      let second = try #require(body.join(for: "b"))
      body.leave(first)
      while !clients.isFull(b) { await Task.yield() }
      #expect(!clients.isFull(a))
      #expect(await text(body.next(second)) == "longer than the window")
      #expect(await isWanted)
      body.leave(second)
      #expect(clients.count == 0)
      body.end(isWhole: true)
    }

    @Test func `a reader that falls too far behind is cut off, and holds nobody`() async throws {
      let body = body(keeping: nil)
      let (fast, slow) = (try #require(body.join()), try #require(body.join()))
      for _ in 0..<5 {
        #expect(await body.append(ByteBuffer(string: "0123456789")))
        #expect(await text(body.next(fast)) == "0123456789")
      }
      #expect(await text(body.next(slow)) == "broken")
    }

    @Test func `the origin waits for nobody where only those are left who were cut off`()
      async throws
    {
      let body = body(keeping: nil)
      let (fast, slow) = (try #require(body.join()), try #require(body.join()))
      for _ in 0..<5 {
        #expect(await body.append(ByteBuffer(string: "0123456789")))
        #expect(await text(body.next(fast)) == "0123456789")
      }
      body.leave(fast)
      #expect(await !body.append(ByteBuffer(string: "longer than the window")))
      #expect(await text(body.next(slow)) == "broken")
    }

    @Test func `the fastest reader is not cut off, however far the origin was read ahead`()
      async throws
    {
      let body = body(keeping: 40)
      let reader = try #require(body.join())
      for _ in 1...4 { #expect(await body.append(ByteBuffer(string: "0123456789"))) }
      async let isWanted = body.append(ByteBuffer(string: "too much.."))
      while body.length < 50 { await Task.yield() }
      #expect(body.whole == nil)
      for _ in 1...4 { #expect(await text(body.next(reader)) == "0123456789") }
      #expect(await text(body.next(reader)) == "too much..")
      #expect(await isWanted)
    }

    @Test func `what is kept no longer gives its room back as it is taken`() async throws {
      let small = StorageQuota(limit: 20)
      let body = SharedBody(keeping: 100, small)
      let reader = try #require(body.join())
      for _ in 1...2 { #expect(await body.append(ByteBuffer(string: "0123456789"))) }
      async let isWanted = body.append(ByteBuffer(string: "0123456789"))
      while body.length < 30 { await Task.yield() }
      #expect(!small.take(1))
      for _ in 1...3 { #expect(await text(body.next(reader)) == "0123456789") }
      #expect(await isWanted)
      #expect(small.take(20))
      small.giveBack(20)
    }

    @Test func `what is kept is read ahead without bounds only where its end is known`()
      async throws
    {
      let known = body(keeping: 100, keptWindow: 5, endsInTime: true)
      _ = known.join()
      for _ in 1...3 { #expect(await known.append(ByteBuffer(string: "0123456789"))) }
      let unknown = body(keeping: 100, keptWindow: 5)
      let reader = try #require(unknown.join())
      async let isWanted = unknown.append(ByteBuffer(string: "0123456789"))
      #expect(await text(unknown.next(reader)) == "0123456789")
      #expect(await isWanted)
    }

    @Test func `what is long goes into the file, and whoever is behind reads it there`()
      async throws
    {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let (memory, disk) = (StorageQuota(limit: 700_000), StorageQuota(limit: 3_000_000))
        let body = SharedBody(
          keeping: 10_000_000, endsInTime: true, memory, spill: shelf.spill(disk, for: nil))
        let slow = try #require(body.join())
        for number in 1...30 {
          let part = ByteBuffer(repeating: UInt8(number), count: 100_000)
          #expect(await body.append(part))
        }
        body.end(isWhole: true)
        #expect(body.whole == nil)
        let late = try #require(body.join())
        for reader in [slow, late] {
          var bytes: [UInt8] = []
          while case .bytes(let part) = await body.next(reader) { bytes += part.readableBytesView }
          #expect(bytes.count == 3_000_000)
          #expect(bytes[99_999] == 1 && bytes[100_000] == 2 && bytes[2_999_999] == 30)
        }
        guard case .blocks(let blocks)? = await body.arrived() else {
          Issue.record("it is not kept")
          return
        }
        #expect(blocks.size == 3_000_000)
        await body.giveUp()
      }
    }

    private static func read(_ body: SharedBody, _ reader: Int) async -> Int {
      var length = 0
      while case .bytes(let part) = await body.next(reader) { length += part.readableBytes }
      return length
    }

    @Test func `what finds no room in the file is not stored`() async throws {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let body = SharedBody(
          keeping: 10_000_000, endsInTime: true, StorageQuota(limit: .max),
          spill: shelf.spill(StorageQuota(limit: 1_000_000), for: nil))
        let reader = try #require(body.join())
        async let length = Self.read(body, reader)
        for _ in 1...20 {
          #expect(await body.append(ByteBuffer(repeating: 1, count: 100_000)))
        }
        // A body that is not to be stored has only blocks with a removal time.
        let file = try RawDatabase(temporary.path)
        #expect(try file.integer("SELECT count(*) FROM content WHERE goes_at IS NULL") == 0)
        body.end(isWhole: true)
        #expect(await body.arrived() == nil)
        #expect(await length == 2_000_000)
        await body.giveUp()
      }
    }

    @Test func `what finds no room goes once nobody has to read it from the file`() async throws {
      try await TemporaryStore.run { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        var limits = SharedBody.Limits()
        limits.window = 10_000_000
        let body = SharedBody(
          keeping: 10_000_000, endsInTime: true, StorageQuota(limit: .max),
          spill: shelf.spill(StorageQuota(limit: 1_000_000), for: nil), limits: limits)
        let reader = try #require(body.join())
        for _ in 1...11 {
          #expect(await body.append(ByteBuffer(repeating: 1, count: 100_000)))
        }
        let file = try RawDatabase(temporary.path)
        let now = temporary.clock.reading().wall.millisecondsSinceEpoch
        func left(_ comparison: String) throws -> Int {
          try file.integer("SELECT count(*) FROM content WHERE goes_at \(comparison) \(now)")
        }
        #expect(try left(">") == 1)
        body.end(isWhole: true)
        #expect(await Self.read(body, reader) == 1_100_000)
        await body.giveUp()
        #expect(try left("<=") == 1)
      }
    }

    private final class Failures: Sendable {
      let count = Mutex(0)
    }

    @Test func `what a full file does not take is a failure of the store, and goes at once`()
      async throws
    {
      try await TemporaryStore.run(configure: { $0.maximumSize = 1 << 20 }) { temporary in
        let shelf = try CopyShelf(temporary.store, collection: "http", GatewayPolicy())
        let failures = Failures()
        var limits = SharedBody.Limits()
        limits.window = 10_000_000
        let spill = shelf.spill(StorageQuota(limit: .max), for: nil) { _ in
          failures.count.withLock { $0 += 1 }
        }
        let body = SharedBody(
          keeping: 10_000_000, endsInTime: true, StorageQuota(limit: .max), spill: spill,
          limits: limits)
        for _ in 1...20 {
          #expect(await body.append(ByteBuffer(repeating: 1, count: 100_000)))
        }
        #expect(failures.count.withLock { $0 } == 1)
        let file = try RawDatabase(temporary.path)
        #expect(try file.integer("SELECT count(*) FROM content_block") == 0)
        #expect(try file.integer("SELECT count(*) FROM content") == 0)
        body.end(isWhole: true)
        #expect(await body.arrived() == nil)
        await body.giveUp()
      }
    }

    @Test func `what is put together takes of the room on the disk, and gives it back`()
      async throws
    {
      try await TemporaryStore.run { temporary in
        let room = StorageQuota(limit: 1_000_000)
        var writers = ContentWriters(for: nil, room)
        let first = writers.next(600_000, in: temporary.store)
        #expect(first != nil)
        let second = writers.next(600_000, in: temporary.store)
        #expect(second == nil)
        await writers.giveUp()
        #expect(room.take(1_000_000))
        room.giveBack(1_000_000)
      }
    }

    @Test func `nobody joins what nobody wants any more`() {
      let body = body(keeping: nil)
      #expect(body.stopAwaitingReaders())
      #expect(body.join() == nil)
      let kept = self.body(keeping: 100)
      #expect(!kept.stopAwaitingReaders())
      #expect(kept.join() != nil)
    }

    @Test func `content that nobody wants any more comes to its end`() async throws {
      let body = body(keeping: nil)
      let reader = try #require(body.join())
      body.stopAwaitingReaders()
      body.leave(reader)
      #expect(await !body.append(ByteBuffer(string: "more")))
    }

    @Test func `content that breaks off is not taken for whole`() async throws {
      let body = body(keeping: 100)
      let reader = try #require(body.join())
      #expect(await body.append(ByteBuffer(string: "one")))
      body.end(isWhole: false)
      #expect(await text(body.next(reader)) == "one")
      #expect(await text(body.next(reader)) == "broken")
    }
  }
#endif
