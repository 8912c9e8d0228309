#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Writes to an origin that holds something else.
  @Suite struct PushConflictTests: PushSuite {
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

    @Test(
      arguments: [
        (.replace, "one", ["GET", "PUT"]), (.replace, "zero", ["GET"]),
        (.delete, "one", ["GET", "DELETE"]), (.delete, "zero", ["GET"]),
      ] as [(WriteKind, String, [String])])
    func `a write upon a base that nobody has seen overwrites nothing else`(
      kind: WriteKind, base: String, methods: [String]
    ) async throws {
      let shelf = Shelf()
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        let pending = PendingWrite<[UInt8]>(
          key: "1", kind: kind, value: kind == .delete ? nil : Array("two".utf8),
          idempotencyKey: "k", base: Array(base.utf8), isBaseUnseen: true,
          contentType: "text/plain")
        let pushed = try await source.push(pending, to: origin.url("/1"))
        if methods.count == 1 {
          guard case .conflict(let current) = pushed else { throw Unexpected() }
          #expect(current.text == "one")
        } else {
          guard case .accepted = pushed else { throw Unexpected() }
          #expect(origin.requests.last?["If-Match"] == "\"1\"")
        }
        #expect(origin.requests.map(\.method) == methods)
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

    /// Requires a condition of each write.
    private static func require(
      _ request: OriginServer.Request, holding current: String?, tag: String?
    ) -> OriginServer.Response {
      if request.method == "GET" {
        let fields: KeyValuePairs<String, String> = if let tag { ["ETag": tag] } else { [:] }
        return current.map { .init(200, fields, body: $0) } ?? .init(404)
      }
      let isConditional = request["If-Match"] != nil || request["If-None-Match"] != nil
      return isConditional
        ? .init(204, ["ETag": "\"2\""]) : .init(428, [:], body: "state a condition")
    }

    @Test(arguments: [("one", "\"1\""), (nil, nil)] as [(String?, String?)])
    func `a write answered by 428 is sent again under a condition that its base allows`(
      current: String?, tag: String?
    ) async throws {
      try await withOrigin {
        Self.require($0, holding: current, tag: tag)
      } test: { origin, source in
        let pushed = try await source.push(
          Self.write(.replace, uponUnversioned: current), to: origin.url("/1"))
        guard case .accepted = pushed else { throw Unexpected() }
        #expect(origin.requests.map(\.method) == ["PUT", "GET", "PUT"])
        #expect(origin.requests.last?["If-Match"] == tag)
        #expect(origin.requests.last?["If-None-Match"] == (tag == nil ? "*" : nil))
      }
    }

    @Test(arguments: [nil, "zero"])
    func `a write answered by 428 is a conflict with a version that it was not based on`(
      base: String?
    ) async throws {
      try await withOrigin {
        Self.require($0, holding: "one", tag: "\"1\"")
      } test: { origin, source in
        let pushed = try await source.push(
          Self.write(.replace, uponUnversioned: base), to: origin.url("/1"))
        guard case .conflict(let current) = pushed else { throw Unexpected() }
        #expect(current.text == "one" && current.details.validators.entityTag == "\"1\"")
        #expect(origin.requests.map(\.method) == ["PUT", "GET"])
      }
    }

    @Test(arguments: [nil, "W/\"1\""])
    func `a write answered by 428 is refused where no condition can be stated`(
      tag: String?
    ) async throws {
      try await withOrigin {
        Self.require($0, holding: "one", tag: tag)
      } test: { origin, source in
        let pushed = try await source.push(
          Self.write(.replace, uponUnversioned: "one"), to: origin.url("/1"))
        guard case .refused(let refusal) = pushed else { throw Unexpected() }
        #expect(refusal.status == 428 && refusal.body == Array("state a condition".utf8))
        #expect(origin.requests.map(\.method) == ["PUT", "GET"])
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

    /// Answers writes by 409, and holds an object, or none.
    private static func refuse(
      _ request: OriginServer.Request, holding current: String?
    ) -> OriginServer.Response {
      guard request.method == "GET" else { return .init(409) }
      return current.map { .init(200, [:], body: $0) } ?? .init(404)
    }

    /// A write upon a value that came without a validator, or upon none.
    private static func write(
      _ kind: WriteKind, uponUnversioned base: String?
    ) -> PendingWrite<[UInt8]> {
      PendingWrite<[UInt8]>(
        key: "1", kind: kind, value: kind == .delete ? nil : Array("two".utf8),
        idempotencyKey: "k", base: base.map { Array($0.utf8) }, contentType: "text/plain")
    }

    @Test(
      arguments: [
        (WriteKind.create, nil, nil), (.replace, nil, nil), (.replace, "one", "one"),
        (.delete, "one", "one"),
      ] as [(WriteKind, String?, String?)])
    func `a write without a validator answered by 409 is retried while the object is unchanged`(
      kind: WriteKind, base: String?, current: String?
    ) async throws {
      try await withOrigin {
        Self.refuse($0, holding: current)
      } test: { origin, source in
        let pending = Self.write(kind, uponUnversioned: base)
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
      try await withOrigin {
        Self.refuse($0, holding: current)
      } test: { origin, source in
        let pending = Self.write(kind, uponUnversioned: base)
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

    private struct Unexpected: Error {}
  }
#endif
