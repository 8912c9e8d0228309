#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Real writes to a real origin that holds one object.
  @Suite struct PushTests: PushSuite {
    @Test func `a value replaces the one that it was based on`() async throws {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let pushed = try await source.push(
          write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted(let details) = pushed else { throw Unexpected() }
        #expect(details.validators.entityTag == "\"2\"")
        #expect(shelf.state.withLock { $0.body } == "two")
        let request = try #require(origin.requests.first)
        #expect(request.method == "PUT")
        #expect(request["Content-Type"] == "text/plain")
        #expect(request["Idempotency-Key"] == "\"k\"")
      }
    }

    /// An origin that reveals the tag of its one object only to reads.
    private func silent(
      _ shelf: Shelf, _ request: OriginServer.Request
    ) -> OriginServer.Response {
      let answer = shelf.answer(request)
      return request.method == "GET" || answer.status >= 300 ? answer : .init(answer.status)
    }

    @Test(arguments: [false, true])
    func `a write after one without a returned tag detects another client's write`(
      isNew: Bool
    ) async throws {
      let shelf = Shelf()
      if isNew { shelf.state.withLock { $0.body = nil } }
      try await withOrigin {
        self.silent(shelf, $0)
      } test: { origin, source in
        let first = try await source.push(
          write(isNew ? .create : .replace, "two", tag: isNew ? nil : "\"1\""), to: origin.url("/1")
        )
        guard case .acceptedAs(let value, let details) = first else { throw Unexpected() }
        #expect(value == Array("two".utf8))
        #expect(details.contentType == "text/plain")
        shelf.state.withLock { $0 = ($0.version + 1, "theirs") }
        let second = try await source.push(
          write(.replace, "three", tag: details.validators.entityTag), to: origin.url("/1"))
        guard case .conflict(let found) = second else { throw Unexpected() }
        #expect(found.text == "theirs")
        #expect(shelf.state.withLock { $0.body } == "theirs")
      }
    }

    @Test func `a failed read-back does not undo the write`() async throws {
      let shelf = Shelf()
      try await withOrigin {
        $0.method == "GET" ? .init(500) : self.silent(shelf, $0)
      } test: { origin, source in
        let pushed = try await source.push(
          write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted(let details) = pushed else { throw Unexpected() }
        #expect(details.expiry == .immediately)
        #expect(details.validators.isEmpty)
      }
    }

    @Test(arguments: [false, true])
    func `a write after one that was not seen is sent upon what the source holds`(
      isChanged: Bool
    ) async throws {
      let shelf = Shelf()
      let isBlind = Mutex(true)
      try await withOrigin { request in
        if request.method == "GET", isBlind.withLock({ $0 }) { return .init(500) }
        return self.silent(shelf, request)
      } test: { origin, source in
        let first = try await source.push(
          write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted(let details) = first else { throw Unexpected() }
        isBlind.withLock { $0 = false }
        if isChanged { shelf.state.withLock { $0 = ($0.version + 1, "theirs") } }
        let second = try await source.push(
          write(.replace, "three", upon: "two", details), to: origin.url("/1"))

        if isChanged {
          guard case .conflict(let found) = second else { throw Unexpected() }
          #expect(found.text == "theirs")
          #expect(shelf.state.withLock { $0.body } == "theirs")
        } else {
          guard case .acceptedAs(let value, _) = second else { throw Unexpected() }
          #expect(value == Array("three".utf8))
          #expect(origin.requests.last { $0.method == "PUT" }?["If-Match"] == "\"2\"")
        }
      }
    }

    @Test(
      arguments: [
        (202, false, "two", "\"1\""), (202, true, "two", "\"2\""), (202, true, "theirs", nil),
        (303, false, "two", "\"1\""), (303, true, "two", "\"2\""), (303, true, "theirs", nil),
      ] as [(Int, Bool, String, String?)])
    func `a write after a promised one is sent upon that one or upon the version before it`(
      status: Int, isDone: Bool, body: String, match: String?
    ) async throws {
      let shelf = Shelf()
      let isPromising = Mutex(true)
      try await withOrigin { request in
        guard request.method == "PUT", isPromising.withLock({ $0 }) else {
          return shelf.answer(request)
        }
        if isDone { _ = shelf.answer(request) }
        return .init(status)
      } test: { origin, source in
        let first = try await source.push(
          write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted(let details) = first else { throw Unexpected() }
        isPromising.withLock { $0 = false }
        if isDone { shelf.state.withLock { $0.body = body } }
        let second = try await source.push(
          write(.replace, "three", upon: "two", details), to: origin.url("/1"))

        if let match {
          guard case .accepted = second else { throw Unexpected() }
          #expect(origin.requests.last { $0.method == "PUT" }?["If-Match"] == match)
        } else {
          guard case .conflict(let found) = second else { throw Unexpected() }
          #expect(found.text == body)
        }
        #expect(shelf.state.withLock { $0.body } == (match == nil ? "theirs" : "three"))
      }
    }

    @Test(
      arguments: [WriteKind.patch(Array("!".utf8), contentType: "text/plain"), .delete], [202, 303])
    func `a patch or a deletion after a promised write waits until that is carried out`(
      kind: WriteKind, status: Int
    ) async throws {
      let (shelf, isNew) = (Shelf(), kind == .delete)
      if isNew { shelf.state.withLock { $0.body = nil } }
      let promise = Mutex<OriginServer.Request?>(nil)
      try await withOrigin { request in
        guard request.method == "PUT" else { return shelf.answer(request) }
        promise.withLock { $0 = request }
        return .init(status)
      } test: { origin, source in
        let first = try await source.push(
          write(isNew ? .create : .replace, "two", tag: isNew ? nil : "\"1\""),
          to: origin.url("/1"))
        guard case .accepted(let details) = first else { throw Unexpected() }
        let second = write(kind, "two!", upon: "two", details)
        await #expect(throws: HTTPFetchError.promised(origin.url("/1"))) {
          try await source.push(second, to: origin.url("/1"))
        }
        #expect(origin.requests.map(\.method) == ["PUT", "GET"])

        // The promise is kept.
        _ = shelf.answer(try #require(promise.withLock { $0 }))
        switch try await source.push(second, to: origin.url("/1")) {
        case .accepted, .acceptedAs: break
        case .conflict, .refused: throw Unexpected()
        }
        #expect(shelf.state.withLock { $0.body } == (kind == .delete ? nil : "!"))
      }
    }

    @Test func `a write to a source without validators is sent without a look before`() async throws
    {
      try await withOrigin { request in
        request.method == "GET" ? .init(200, [:], body: "one") : .init(204)
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/1")).details
        for (base, value) in [("one", "two"), ("two", "three")] {
          let pushed = try await source.push(
            write(.replace, value, upon: base, details), to: origin.url("/1"))
          guard case .accepted = pushed else { throw Unexpected() }
        }
        #expect(origin.requests.map(\.method) == ["GET", "PUT", "PUT"])
      }
    }

    @Test func `a timed-out read-back does not undo the write`() async throws {
      let shelf = Shelf()
      let clock = ManualClock()
      try await withOrigin(HTTPConfiguration(timeout: .seconds(30), clock: clock)) { request in
        guard request.method == "GET" else { return self.silent(shelf, request) }
        clock.advance(by: .seconds(30))
        return .init(raw: [.wait(Gate())])
      } test: { origin, source in
        let pushed = try await source.push(
          write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted(let details) = pushed else { throw Unexpected() }
        #expect(details.validators.isEmpty)
      }
    }

    @Test func `an object is deleted`() async throws {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let pushed = try await source.push(write(.delete, nil, tag: "\"1\""), to: origin.url("/1"))
        guard case .accepted = pushed else { throw Unexpected() }
        #expect(shelf.state.withLock { $0.body } == nil)
        #expect(origin.requests.first?.body == [])
      }
    }

    @Test func `a push without an answer in time ends`() async throws {
      let gate = Gate()
      try await withOrigin(HTTPConfiguration(timeout: .milliseconds(200))) { _ in
        .init(raw: [.wait(gate)])
      } test: { origin, source in
        await #expect(throws: HTTPFetchError.timedOut(origin.url("/1"), after: .milliseconds(200)))
        {
          try await source.push(write(.replace, "x"), to: origin.url("/1"))
        }
        gate.open()
      }
    }

    // MARK: Refusals

    /// The body of a refusal, in no text encoding, with a token in it.
    private static func words(_ count: Int, _ token: String) -> [UInt8] {
      let parts = [[0xFF, 0xC3], Array(token.utf8), [0x0A]] as [[UInt8]]
      return [UInt8](repeating: 0x61, count: count - 3 - token.utf8.count) + parts.joined()
    }

    @Test(arguments: [1023, 1025, 5000, Refusal.bodyLimit, Refusal.bodyLimit + 1, 300_000])
    func `the body of a refusal is kept to its last byte, up to the limit`(count: Int) async throws
    {
      let body = Self.words(count, "token")
      try await withOrigin { _ in
        .init(422, body: body)
      } test: { origin, source in
        let pushed = try await source.push(write(.replace, "x"), to: origin.url("/1"))
        guard case .refused(let refusal) = pushed else { throw Unexpected() }
        #expect(refusal.body == Array(body.prefix(Refusal.bodyLimit)))
        #expect(refusal.reason.utf8.count < 1000)
      }
    }

    @Test func `a refusal of a write with credentials is kept without them, byte for byte`()
      async throws
    {
      let credentials = Credentials(account: "anna") { _ in ["Authorization": "Bearer token-1"] }
      try await withOrigin(HTTPConfiguration(credentials: credentials, timeout: .seconds(600))) {
        _ in
        .init(422, body: Self.words(5000, "token-1"))
      } test: { origin, source in
        let pushed = try await source.push(write(.replace, "x"), to: origin.url("/1"))
        guard case .refused(let refusal) = pushed else { throw Unexpected() }
        let clean = Array(Self.words(5000, "token-1").dropLast(8)) + Array("…\n".utf8)
        #expect(refusal.body == clean)
      }
    }

    @Test func `the body of a refusal has the time of the push`() async throws {
      let (clock, gate) = (ManualClock(), Gate())
      let configuration = HTTPConfiguration(timeout: .seconds(30), clock: clock)
      try await withOrigin(configuration) { _ in
        .init(
          422, ["Content-Length": "8"], steps: [.send("too "), .wait(gate), .send("much")])
      } test: { (origin, source) async throws in
        async let pushed = source.push(write(.replace, "x"), to: origin.url("/1"))
        while origin.requests.isEmpty { await Task.yield() }
        for _ in 0..<20 {
          clock.advance(by: .seconds(1))
          await Task.yield()
        }
        gate.open()
        guard case .refused(let refusal) = try await pushed else { throw Unexpected() }
        #expect(refusal.body == Array("too much".utf8))
      }
    }

    @Test(arguments: [409, 412, 429, 503])
    func `of an answer that is no refusal only words are waited for`(status: Int) throws {
      let plan = try PushPlan(
        write(.replace, "x", tag: "\"1\""), to: HTTPAddress("https://example.org/1"),
        HTTPConfiguration())
      #expect(!plan.isRefusal(status) && plan.isRefusal(422) && !plan.isRefusal(404))
    }

    @Test(arguments: ["ftp://example.org/", "no address", ""])
    func `a write without an address to send it to is refused`(url: String) async throws {
      let source = try HTTPSource()
      let pushed = try await source.push(write(.delete, nil), to: url)
      guard case .refused = pushed else { throw Unexpected() }
      await source.close()
    }

    @Test func `a replacement is sent without a condition that its source does not implement`()
      async throws
    {
      try await withOrigin { request in
        request["If-None-Match"] == nil ? .init(204, ["ETag": "\"1\""]) : .init(501)
      } test: { origin, source in
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .replace, value: [1], idempotencyKey: "k", isBaseAbsent: true),
          to: origin.url("/1"))
        guard case .accepted = pushed else { throw Unexpected() }
        #expect(origin.requests.map { $0["If-None-Match"] } == ["*", nil])
      }
    }

    @Test func `a write with an invalid media type is refused`() async throws {
      try await withOrigin { _ in
        .init(204)
      } test: { origin, source in
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .replace, value: [1], idempotencyKey: "k",
            contentType: "text/plain\r\nX-Evil: 1"),
          to: origin.url("/1"))
        guard case .refused(let refusal) = pushed else { throw Unexpected() }
        #expect(refusal.reason.contains("media type") && origin.requests.isEmpty)
      }
    }

    private struct Unexpected: Error {}
  }
#endif
