#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import Strategies
  internal import Testing

  @testable import FreshHTTP

  /// Two users of one store: the copies of each answer nobody else.
  @Suite(.timeLimit(.minutes(1))) struct SeparateCopiesTests {
    private static let url = "https://example.org/1"

    /// A source of one user, whose answers are fresh for a minute.
    private func web(_ user: String, _ clock: ManualClock) throws -> HTTPSource {
      let credentials = Credentials(account: user) { _ in ["Authorization": "Bearer \(user)"] }
      return try HTTPSource(HTTPConfiguration(credentials: credentials, clock: clock)) { request in
        HTTPSource.Response(
          headers: ["Cache-Control": "max-age=60"],
          text: "\"\(request.headers["Authorization"] ?? "nobody")\"")
      }
    }

    @Test func `a source of records asks for what another user's source has fetched`() async throws
    {
      try await TemporaryStore.run { temporary in
        let notes = try temporary.store.collection("notes", of: String.self)
        func source(of user: String) throws -> HTTPRecordSource<String> {
          try HTTPRecordSource(web(user, temporary.clock), at: "https://example.org")
        }
        let (anna, bob) = (try source(of: "anna"), try source(of: "bob"))
        #expect(try await notes.get("1", from: anna).value == "Bearer anna")
        #expect(try await notes.get("1", from: anna).freshness == .fresh)

        #expect(try await notes.get("1", from: bob).value == "Bearer bob")
        #expect(try await notes.get("1", from: bob).freshness == .fresh)
      }
    }

    @Test func `a policy from a source serves the copies of its user alone`() async throws {
      try await TemporaryStore.run { temporary in
        let (anna, bob) = (try web("anna", temporary.clock), try web("bob", temporary.clock))
        func pages(of web: HTTPSource) throws -> RecordCollection<[UInt8]> {
          try temporary.store.bytes("pages", policy: .cacheFirst.from(web))
        }
        func get(by web: HTTPSource) async throws -> Answer<[UInt8]> {
          try await pages(of: web).get(Self.url) { try await web.fetch(Self.url, previous: $0) }
        }
        #expect(try await get(by: anna).freshness == .fetched)
        #expect(try await get(by: anna).freshness == .fresh)
        #expect(try pages(of: bob).read(Self.url).copy == nil)

        let his = try await get(by: bob)
        #expect(his.freshness == .fetched && his.value == Array("\"Bearer bob\"".utf8))
      }
    }
  }
#endif
