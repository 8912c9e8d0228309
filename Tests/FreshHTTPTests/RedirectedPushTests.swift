#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Writes whose base was read at another address.
  @Suite struct RedirectedPushTests: PushSuite {
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

    private struct Unexpected: Error {}
  }
#endif
