#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Writes that are sent again, as their answers were lost, to an origin that changes what it stores.
  @Suite struct LostPushAnswerTests: PushSuite {
    /// The one object of an origin that adds a stamp to what it is told.
    private final class StampingShelf: Sendable {
      let state = Mutex<(version: Int, body: String, taken: Set<String>)>((1, "one", []))
      let isWeak: Bool
      let knowsKeys: Bool

      init(isWeak: Bool, knowsKeys: Bool) {
        (self.isWeak, self.knowsKeys) = (isWeak, knowsKeys)
      }

      func tag(_ version: Int) -> String { isWeak ? "W/\"\(version)\"" : "\"\(version)\"" }

      func answer(_ request: OriginServer.Request) -> OriginServer.Response {
        state.withLock { shelf in
          guard request.method != "GET" else {
            return .init(200, ["ETag": tag(shelf.version)], body: shelf.body)
          }
          let key = request["Idempotency-Key"] ?? ""
          if knowsKeys, shelf.taken.contains(key) { return .init(204) }
          // A weak tag matches nothing.
          if let match = request["If-Match"], isWeak || match != tag(shelf.version) {
            return .init(412)
          }
          shelf.version += 1
          shelf.body = String(decoding: request.body, as: UTF8.self) + ", stamped"
          shelf.taken.insert(key)
          return .init(204)
        }
      }
    }

    /// A write that looks before it is sent: its base has a weak tag, or was never seen.
    private func write(isWeak: Bool, mayHaveArrived: Bool) -> PendingWrite<[UInt8]> {
      PendingWrite(
        key: "1", kind: .replace, value: Array("two".utf8), idempotencyKey: "k",
        base: Array("one".utf8),
        baseValidators: Validators(entityTag: isWeak ? "W/\"1\"" : nil), isBaseUnseen: !isWeak,
        contentType: "text/plain", mayHaveArrived: mayHaveArrived)
    }

    @Test(arguments: [true, false])
    func `a write that finds its own effect after a lost answer is told so by its key`(
      knowsKeys: Bool
    ) async throws {
      let (shelf, isWeak) = (StampingShelf(isWeak: false, knowsKeys: knowsKeys), false)
      try await withOrigin {
        shelf.answer($0)
      } test: { origin, source in
        // Nobody hears this answer.
        _ = try await source.push(
          write(isWeak: isWeak, mayHaveArrived: false), to: origin.url("/1"))
        let first = origin.requests.count
        let pushed = try await source.push(
          write(isWeak: isWeak, mayHaveArrived: true), to: origin.url("/1"))

        #expect(origin.requests.dropFirst(first).map(\.method) == ["GET", "PUT", "GET"])
        #expect(shelf.state.withLock { $0.version } == 2)
        switch pushed {
        case .acceptedAs(let value, let details) where knowsKeys:
          #expect(value == Array("two, stamped".utf8))
          #expect(details.validators.entityTag == shelf.tag(2))
        case .conflict(let found) where !knowsKeys: #expect(found.text == "two, stamped")
        default: throw Unexpected()
        }
      }
    }

    @Test func `a source with weak tags is not told of a write once more`() async throws {
      let body = Mutex("theirs")
      try await withOrigin { request in
        if request.method == "GET" {
          return .init(200, ["ETag": "W/\"2\""], body: body.withLock { $0 })
        }
        body.withLock { $0 = String(decoding: request.body, as: UTF8.self) }
        return .init(204)
      } test: { origin, source in
        let pushed = try await source.push(
          write(isWeak: true, mayHaveArrived: true), to: origin.url("/1"))
        guard case .conflict(let found) = pushed else { throw Unexpected() }
        #expect(found.text == "theirs")
        #expect(body.withLock { $0 } == "theirs")
      }
    }

    @Test func `a source without versions is not told of a write once more where it holds another`()
      async throws
    {
      try await withOrigin { request in
        request.method == "GET" ? .init(200, [:], body: "theirs") : .init(204)
      } test: { origin, source in
        let pushed = try await source.push(
          write(isWeak: false, mayHaveArrived: true), to: origin.url("/1"))
        guard case .conflict(let found) = pushed else { throw Unexpected() }
        #expect(found.text == "theirs")
        #expect(origin.requests.map(\.method) == ["GET"])
      }
    }

    private struct Unexpected: Error {}
  }
#endif
