#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// Long answers go into the file while they arrive, and out of it block by block.
  @Suite(.timeLimit(.minutes(3))) struct LongCopyTests {
    /// Content in which no two places look the same.
    private static func content(_ seed: UInt8, _ size: Int) -> [UInt8] {
      let pattern = (0..<65_521).map {
        UInt8(truncatingIfNeeded: ($0 >> 8) &* 31 &+ $0 &+ Int(seed))
      }
      var content: [UInt8] = []
      content.reserveCapacity(size)
      while content.count < size { content += pattern.prefix(size - content.count) }
      return content
    }

    private static func page(
      _ content: [UInt8], _ tag: String = "\"1\"", age: Int = 60
    ) -> OriginServer.Response {
      .init(200, ["Cache-Control": "max-age=\(age)", "ETag": tag], body: content)
    }

    private static func blocks(of bench: GatewayBench) throws -> Int {
      try RawDatabase(bench.temporary.path).integer("SELECT count(*) FROM content_block")
    }

    private static func collect(_ bench: GatewayBench) async throws {
      _ = try await bench.temporary.store.sweep()
      bench.temporary.clock.advance(by: .seconds(600))
      _ = try await bench.temporary.store.sweep()
    }

    @Test func `an answer of 50 MB is passed on, kept, and sent again as it came`() async throws {
      let content = Self.content(1, 50_000_000)
      try await withGateway { _ in
      } _: { _ in
        Self.page(content)
      } test: { bench in
        let first = try await bench.ask("/a")
        #expect(first["Cache-Status"]?.contains("stored") == true)
        #expect(first.content.elementsEqual(content))
        let hit = try await bench.askUntilHit("/a")
        #expect(hit["Content-Length"] == "50000000")
        #expect(hit.content.elementsEqual(content))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test(arguments: [
      (0, 1), (0, 262_144), (262_143, 262_145), (262_144, 524_288), (300_000, 999_999),
      (999_998, 1_000_000),
    ])
    func `a range is cut out of its blocks`(start: Int, end: Int) async throws {
      let content = Self.content(2, 1_000_000)
      try await withGateway { _ in
      } _: { _ in
        Self.page(content)
      } test: { bench in
        try await bench.askUntilHit("/a")
        let part = try await bench.ask("/a", fields: "Range: bytes=\(start)-\(end - 1)")
        #expect(part.status == 206)
        #expect(part["Content-Range"] == "bytes \(start)-\(end - 1)/1000000")
        #expect(part.content.elementsEqual(Array(content[start..<end])))
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `several ranges, a HEAD, and a client that has it already`() async throws {
      let content = Self.content(3, 1_000_000)
      try await withGateway { _ in
      } _: { _ in
        Self.page(content)
      } test: { bench in
        try await bench.askUntilHit("/a")
        let parts = try await bench.ask("/a", fields: "Range: bytes=0-9,262140-262149,999990-")
        #expect(parts.status == 206)
        #expect(parts.isWhole)
        for range in [0..<10, 262_140..<262_150, 999_990..<1_000_000] {
          #expect(parts.content.firstRange(of: content[range]) != nil)
        }
        let head = try await bench.ask("/a", "HEAD")
        #expect(head.status == 200 && head["Content-Length"] == "1000000")
        #expect(try await bench.ask("/a", fields: "If-None-Match: \"1\"").status == 304)
        #expect(bench.asked == ["GET /a"])
      }
    }

    @Test func `a copy that the origin confirms stays where it lies`() async throws {
      let content = Self.content(4, 1_000_000)
      try await withGateway { _ in
      } _: { request in
        request["If-None-Match"] == "\"1\""
          ? .init(304, ["Cache-Control": "max-age=60", "ETag": "\"1\""]) : Self.page(content)
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        let confirmed = try await bench.ask("/a")
        #expect(confirmed["Cache-Status"]?.contains("fwd-status=304") == true)
        #expect(confirmed.content.elementsEqual(content))
        #expect(try await bench.askUntilHit("/a").content == content)
        try await Self.collect(bench)
        #expect(try Self.blocks(of: bench) == 4)
        #expect(bench.asked.count == 2)
      }
    }

    @Test func `parts that are long together become a whole in the file`() async throws {
      let content = Self.content(5, 900_000)
      try await withGateway { _ in
      } _: { request in
        let (start, end) = request["Range"] == "bytes=0-499999" ? (0, 500_000) : (400_000, 900_000)
        return .init(
          206,
          [
            "Cache-Control": "max-age=60", "ETag": "\"1\"",
            "Content-Range": "bytes \(start)-\(end - 1)/900000",
          ], body: Array(content[start..<end]))
      } test: { bench in
        let first = try await bench.ask("/a", fields: "Range: bytes=0-499999")
        #expect(first.content.elementsEqual(Array(content[..<500_000])))
        // The origin is not asked twice. An abandoned request releases its blocks some time after
        // it ends.
        try await bench.askUntilHit(
          "/a", fields: "Range: bytes=0-499999\r\nCache-Control: only-if-cached")
        #expect(try await bench.ask("/a", fields: "Range: bytes=400000-899999").status == 206)
        let whole = try await bench.askUntilHit("/a", fields: "Cache-Control: only-if-cached")
        #expect(whole.content == content)
        #expect(bench.asked.count == 2)
        // The blocks of the parts are left over, and the collection removes them.
        try await Self.collect(bench)
        #expect(try Self.blocks(of: bench) == 4)
      }
    }

    /// An origin whose page can be replaced.
    private final class Origin: Sendable {
      private let page: Mutex<OriginServer.Response>

      init(_ page: OriginServer.Response) { self.page = Mutex(page) }

      var handler: OriginServer.Handler { { _ in self.page.withLock { $0 } } }

      func set(_ page: OriginServer.Response) { self.page.withLock { $0 = page } }
    }

    /// A client that has begun to read a long copy when another one takes its place.
    private func whileReading(
      _ content: [UInt8],
      _ test: (GatewayBench, RawClient, inout RawClient.Answer) async throws -> Void
    ) async throws {
      let origin = Origin(Self.page(content))
      try await withGateway(
        { _ in }, origin.handler,
        test: { bench in
          try await bench.askUntilHit("/a")
          let client = try await bench.connect()
          try await client.setPaused(true)
          try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
          client.takeSome()
          var answer = try #require(await client.head())
          origin.set(Self.page([1, 2, 3], "\"2\""))
          bench.temporary.clock.advance(by: .seconds(100))
          while try await bench.askUntilHit("/a").content != [1, 2, 3] {}
          try await test(bench, client, &answer)
          await client.close()
        })
    }

    @Test func `whoever reads a copy that is replaced meanwhile gets it to its end`() async throws {
      let content = Self.content(6, 40_000_000)
      try await whileReading(content) { bench, client, answer in
        _ = try await bench.temporary.store.sweep()
        try await client.setPaused(false)
        await client.readContent(of: &answer)
        #expect(answer.content.elementsEqual(content))
      }
    }

    @Test func `whoever reads it for too long gets less than it, and nothing else`() async throws {
      let content = Self.content(7, 40_000_000)
      try await whileReading(content) { bench, client, answer in
        try await Self.collect(bench)
        #expect(try Self.blocks(of: bench) == 0)
        try await client.setPaused(false)
        await client.readContent(of: &answer)
        #expect(!answer.isWhole)
        #expect(answer.content.elementsEqual(Array(content.prefix(answer.content.count))))
        #expect(try await bench.ask("/a").content == [1, 2, 3])
      }
    }

    @Test func `an answer that breaks off leaves nothing`() async throws {
      let content = Self.content(8, 3_000_000)
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "10000000"],
          steps: [.send(content), .close])
      } test: { bench in
        for count in 1...2 {
          let answer = try await bench.ask("/a")
          #expect(!answer.isWhole)
          // Bytes that have arrived and are not read yet may be lost with their connection.
          #expect(!answer.content.isEmpty && content.starts(with: answer.content))
          #expect(bench.asked.count == count)
        }
        try await Self.collect(bench)
        #expect(try Self.blocks(of: bench) == 0)
      }
    }

    @Test func `whoever asks while it arrives gets all of it`() async throws {
      let (content, gate) = (Self.content(9, 2_000_000), Gate())
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "2000000"],
          steps: [
            .send(Array(content[..<1_500_000])), .wait(gate), .send(Array(content[1_500_000...])),
          ])
      } test: { bench in
        let first = try await bench.connect()
        try await first.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        var one = try #require(await first.head())
        // Its beginning has left the memory.
        while try Self.blocks(of: bench) < 5 { await Task.yield() }
        let second = try await bench.connect()
        try await second.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        var other = try #require(await second.head())
        gate.open()
        await first.readContent(of: &one)
        await second.readContent(of: &other)
        #expect(one.content.elementsEqual(content))
        #expect(other.content.elementsEqual(content))
        #expect(other["Cache-Status"]?.contains("collapsed") == true)
        #expect(bench.asked == ["GET /a"])
        await first.close()
        await second.close()
      }
    }

    @Test func `what finds no room on the disk is passed on, and not kept`() async throws {
      let content = Self.content(10, 1_000_000)
      try await withGateway {
        $0.limits.contentOnDisk = 600_000
      } _: { request in
        request.path == "/stated"
          ? Self.page(content)
          : .init(
            200, ["Cache-Control": "max-age=60", "Transfer-Encoding": "chunked"],
            steps: [.send("f4240\r\n"), .send(content), .send("\r\n0\r\n\r\n")])
      } test: { bench in
        for path in ["/stated", "/chunked"] {
          for _ in 1...2 {
            let answer = try await bench.ask(path)
            #expect(answer.content.elementsEqual(content))
          }
        }
        #expect(bench.asked.count == 4)
        try await Self.collect(bench)
        #expect(try Self.blocks(of: bench) == 0)
      }
    }

    @Test(arguments: [0, 2])
    func `a copy whose blocks are damaged is asked for again`(block: Int) async throws {
      let content = Self.content(11, 1_000_000)
      try await withGateway { _ in
      } _: { _ in
        Self.page(content)
      } test: { bench in
        try await bench.askUntilHit("/a")
        try RawDatabase(bench.temporary.path).execute(
          "DELETE FROM content_block WHERE place & 1048575 = \(block)")
        // This one has the blocks in memory.
        let later = try await bench.another()
        // A client that has the beginning already cannot get another response.
        let answer = try await later.ask("/a")
        #expect(answer.isWhole == (block == 0))
        #expect(answer.content.elementsEqual(Array(content.prefix(answer.content.count))))
        #expect(try await later.ask("/a").content == content)
        #expect(bench.asked.count >= 2)
        await later.gateway.drain(within: .seconds(30))
        try await Self.collect(bench)
      }
    }

    @Test(arguments: [0, 2])
    func `damage of a copy that is validated each time costs one answer at the most`(
      block: Int
    ) async throws {
      let content = Self.content(12, 1_000_000)
      try await withGateway { _ in
      } _: { request in
        let fields: KeyValuePairs<String, String> = [
          "Cache-Control": "no-cache", "ETag": "\"1\"",
        ]
        return request["If-None-Match"] == "\"1\""
          ? .init(304, fields) : .init(200, fields, body: content)
      } test: { bench in
        // Until it is stored, there is nothing to validate.
        while try await bench.ask("/a")["Cache-Status"]?.contains("fwd-status=304") != true {}
        try RawDatabase(bench.temporary.path).execute(
          "DELETE FROM content_block WHERE place & 1048575 = \(block)")
        // This one has the blocks in memory.
        let later = try await bench.another()
        let answer = try await later.ask("/a")
        #expect(answer.isWhole == (block == 0))
        #expect(answer.content.elementsEqual(Array(content.prefix(answer.content.count))))
        #expect(later.gateway.figures.storeFailures == 1)
        #expect(try await later.ask("/a").content == content)
        // It is kept anew, and serves.
        while try await later.ask("/a")["Cache-Status"]?.contains("fwd-status=304") != true {}
        #expect(try await later.ask("/a").content == content)
        await later.gateway.drain(within: .seconds(30))
        try await Self.collect(bench)
      }
    }

    @Test(arguments: ["size = size + (1 << 40)", "size = 524288", "size_check = 0"])
    func `a wrong length of a copy costs no answer`(damage: String) async throws {
      let content = Self.content(13, 1_000_000)
      try await withGateway { _ in
      } _: { _ in
        Self.page(content)
      } test: { bench in
        try await bench.askUntilHit("/a")
        try RawDatabase(bench.temporary.path).execute("UPDATE content SET \(damage)")
        // This one has the copy in memory.
        let later = try await bench.another()
        #expect(try await later.ask("/a").content == content)
        #expect(bench.asked == ["GET /a"])
        await later.gateway.drain(within: .seconds(30))
        try await Self.collect(bench)
      }
    }

    @Test func `a file that cannot be read is not taken for one whose blocks are gone`()
      async throws
    {
      let temporary = try TemporaryStore()
      let reader = BlockReader(temporary.store)
      let content = ContentBytes(
        content: StoredContent([0..<10], of: 10),
        stored: .init(blocks: ContentReference(id: 1, size: 10), record: nil))
      func shortage() async throws -> StoredSlices.Shortage? {
        var slices = try #require(StoredSlices(.whole, of: content, reader))
        do throws(StoredSlices.Shortage) {
          _ = try await slices.next()
          return nil
        } catch {
          return error
        }
      }
      #expect(try await shortage() == .gone)
      try await temporary.store.close()
      #expect(try await shortage() == .unreadable)
    }
  }
#endif
