#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Real writes to a real origin that holds one object.
  @Suite struct PushTests {
    /// The one object of an origin: its versions are its tags.
    private final class Shelf: Sendable {
      let state = Mutex<(version: Int, body: String?)>((1, "one"))

      func answer(_ request: OriginServer.Request) -> OriginServer.Response {
        state.withLock { shelf in
          let tag = "\"\(shelf.version)\""
          if request.method == "GET" {
            return shelf.body.map { .init(200, ["ETag": tag], body: $0) } ?? .init(404)
          }
          if request["If-None-Match"] == "*", shelf.body != nil { return .init(412) }
          if let match = request["If-Match"], shelf.body == nil || match != tag {
            return .init(412)
          }
          shelf.version += 1
          shelf.body =
            request.method == "DELETE" ? nil : String(decoding: request.body, as: UTF8.self)
          return .init(204, ["ETag": "\"\(shelf.version)\""])
        }
      }
    }

    private func write(_ kind: WriteKind, _ text: String?, tag: String? = nil) -> PendingWrite<
      [UInt8]
    > {
      PendingWrite(
        key: "1", kind: kind, value: text.map { Array($0.utf8) }, idempotencyKey: "k",
        baseValidators: Validators(entityTag: tag), contentType: "text/plain")
    }

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

    /// An origin whose object is read behind a redirect, under another tag than the one used for writes.
    private final class RedirectedShelf: Sendable {
      let state = Mutex<(version: Int, body: String)>((1, "one"))

      func answer(_ request: OriginServer.Request) -> OriginServer.Response {
        state.withLock { shelf in
          let tag = "\"copy \(shelf.version)\""
          switch (request.method, request.path) {
          case ("GET", "/1"): return .init(302, ["Location": "/copies/1"])
          case ("GET", "/copies/1"):
            return request["If-None-Match"] == tag
              ? .init(304, ["ETag": tag]) : .init(200, ["ETag": tag], body: shelf.body)
          case ("PUT", _) where request["If-Match"] == nil:
            shelf = (shelf.version + 1, String(decoding: request.body, as: UTF8.self))
            return .init(204)
          default: return .init(412)
          }
        }
      }
    }

    @Test(arguments: [false, true])
    func `a write based on a redirect's target is sent if the target is unchanged`(
      isChanged: Bool
    ) async throws {
      let shelf = RedirectedShelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/1")).details
        if isChanged { shelf.state.withLock { $0 = (7, "theirs") } }
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .replace, value: Array("two".utf8), idempotencyKey: "k",
            baseValidators: details.validators, metadata: details.metadata),
          to: origin.url("/1"))
        switch pushed {
        case .acceptedAs(let value, _): #expect(!isChanged && value == Array("two".utf8))
        case .conflict(let found): #expect(isChanged && found.text == "theirs")
        default: Issue.record("\(pushed)")
        }
        #expect(shelf.state.withLock { $0.body } == (isChanged ? "theirs" : "two"))
      }
    }

    /// An origin whose object is a revision behind a redirect, until the test removes it.
    private final class Revisions: Sendable {
      let newest = Mutex<Int?>(1)

      func answer(_ request: OriginServer.Request) -> OriginServer.Response {
        newest.withLock { newest in
          guard request.method == "GET" else {
            newest = 9
            return .init(204)
          }
          guard let revision = newest else { return .init(404) }
          let path = "/revisions/\(revision)"
          return request.path == path
            ? .init(200, ["ETag": "\"\(revision)\""], body: "revision \(revision)")
            : .init(302, ["Location": path])
        }
      }
    }

    @Test(arguments: [Int?.some(1), 2, nil])
    func `a write based on a revision conflicts with the next revision`(newest: Int?) async throws {
      let revisions = Revisions()
      try await withOrigin {
        revisions.answer($0)
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/1")).details
        revisions.newest.withLock { $0 = newest }
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .replace, value: Array("mine".utf8), idempotencyKey: "k",
            baseValidators: details.validators, metadata: details.metadata),
          to: origin.url("/1"))
        if case .conflict(let found) = pushed {
          #expect(found.text == newest.map { "revision \($0)" } && newest != 1)
        } else {
          #expect(newest == 1)
        }
      }
    }

    @Test func `a write to another address than its base came from is sent without a condition`()
      async throws
    {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let ground = StoredFields(
          address: try HTTPAddress(origin.url("/other")), response: HeaderFields())
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .patch([1], contentType: "a/b"), value: [1], idempotencyKey: "k",
            baseValidators: Validators(entityTag: "\"other\""), metadata: ground.encoded),
          to: origin.url("/1"))
        guard case .acceptedAs = pushed else { throw Unexpected() }
        #expect(origin.requests.map(\.method) == ["GET", "PATCH", "GET"])
      }
    }

    @Test func `a lost update is detected, and the source's current value is returned`()
      async throws
    {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let pushed = try await source.push(
          write(.replace, "two", tag: "\"0\""), to: origin.url("/1"))
        guard case .conflict(let current) = pushed else { throw Unexpected() }
        #expect(current.text == "one")
        #expect(current.details.validators.entityTag == "\"1\"")
        #expect(shelf.state.withLock { $0.body } == "one")
      }
    }

    @Test func `an existing object is not overwritten by a creation`() async throws {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        guard
          case .conflict(let current) = try await source.push(
            write(.create, "new"), to: origin.url("/1"))
        else { throw Unexpected() }
        #expect(current.text == "one")
      }
    }

    @Test func `a conditional write to a vanished object is a conflict with an absence`()
      async throws
    {
      let shelf = Shelf()
      shelf.state.withLock { $0 = (5, nil) }
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        guard
          case .conflict(let current) = try await source.push(
            write(.replace, "x", tag: "\"1\""), to: origin.url("/1"))
        else { throw Unexpected() }
        #expect(current.isGone)
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

    @Test func `a write answered by 409 is retried while the object is unchanged`() async throws {
      try await withOrigin { request in
        request.method == "GET" ? .init(200, ["ETag": "\"1\""], body: "one") : .init(409)
      } test: { origin, source in
        await #expect(throws: HTTPFetchError.self) {
          try await source.push(write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        }
        guard
          case .conflict = try await source.push(
            write(.replace, "two", tag: "\"0\""), to: origin.url("/1")),
          case .conflict = try await source.push(write(.replace, "two"), to: origin.url("/1"))
        else { throw Unexpected() }
      }
    }

    @Test(
      arguments: [
        (WriteKind.create, nil, nil), (.replace, nil, nil), (.replace, "one", "one"),
        (.delete, "one", "one"),
      ] as [(WriteKind, String?, String?)])
    func `a write without a validator answered by 409 is retried while the object is unchanged`(
      kind: WriteKind, base: String?, current: String?
    ) async throws {
      try await withOrigin { request in
        guard request.method == "GET" else { return .init(409) }
        return current.map { .init(200, [:], body: $0) } ?? .init(404)
      } test: { origin, source in
        let pending = PendingWrite<[UInt8]>(
          key: "1", kind: kind, value: kind == .delete ? nil : Array("two".utf8),
          idempotencyKey: "k", base: base.map { Array($0.utf8) }, contentType: "text/plain")
        await #expect(throws: HTTPFetchError.self) {
          try await source.push(pending, to: origin.url("/1"))
        }
      }
    }

    @Test(
      arguments: [
        (WriteKind.create, nil, "one"), (.replace, "one", "three"), (.replace, "one", nil),
        (.delete, nil, nil),
      ] as [(WriteKind, String?, String?)])
    func `a write without a validator answered by 409 is a conflict once the object has changed`(
      kind: WriteKind, base: String?, current: String?
    ) async throws {
      try await withOrigin { request in
        guard request.method == "GET" else { return .init(409) }
        return current.map { .init(200, [:], body: $0) } ?? .init(404)
      } test: { origin, source in
        let pending = PendingWrite<[UInt8]>(
          key: "1", kind: kind, value: kind == .delete ? nil : Array("two".utf8),
          idempotencyKey: "k", base: base.map { Array($0.utf8) }, contentType: "text/plain")
        guard case .conflict = try await source.push(pending, to: origin.url("/1")) else {
          throw Unexpected()
        }
      }
    }

    @Test func `a write answered by 409 is a conflict where its base object is gone`()
      async throws
    {
      try await withOrigin {
        .init($0.method == "GET" ? 404 : 409)
      } test: { origin, source in
        guard
          case .conflict(.gone) = try await source.push(
            write(.replace, "two", tag: "\"1\""), to: origin.url("/1"))
        else { throw Unexpected() }
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

    @Test func `a redirect to another node with the same content is no conflict`() async throws {
      let count = Mutex(0)
      try await withOrigin { request in
        let node = count.withLock { count in
          count += request.path == "/1" ? 1 : 0
          return count
        }
        guard request.method == "GET" else { return .init(204) }
        return request.path == "/1"
          ? .init(302, ["Location": "/nodes/\(node)"])
          : .init(200, ["ETag": "\"\(node)\""], body: "one")
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/1")).details
        let pushed = try await source.push(
          PendingWrite(
            key: "1", kind: .replace, value: Array("two".utf8), idempotencyKey: "k",
            base: Array("one".utf8), baseValidators: details.validators,
            metadata: details.metadata),
          to: origin.url("/1"))
        if case .conflict = pushed { throw Unexpected() }
        #expect(origin.requests.contains { $0.method == "PUT" })
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
