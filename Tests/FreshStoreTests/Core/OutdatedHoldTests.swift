import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A user signs in, or everything is wiped, through another store on the file while a request is in
/// flight. The request then finds nobody signed in.
@Suite struct OutdatedHoldTests {
  private static let origin: Origin = "https://example.org:443"

  /// The events that come while the request is in flight.
  enum News: CaseIterable {
    case wipe, release, releaseOfAll

    func happen(in store: Store) async throws {
      switch self {
      case .wipe: try await store.wipe()
      case .release: try await store.endPause(origin: origin)
      case .releaseOfAll: try await store.endPauses()
      }
    }
  }

  /// The requests that may find nobody signed in.
  enum Request: CaseIterable {
    case get, passingGet, list, push

    /// Runs one that finds nobody, and what happens meanwhile.
    func find(
      nobodyFor key: String, of articles: RecordCollection<String>,
      _ meanwhile: @escaping @Sendable () async throws -> Void = {}
    ) async throws {
      let nobody = OriginFailure(blamesOrigin: false, wasAnswered: false, needsSignIn: true)
      let source = ScriptedOrigin<String> { _ in
        try await meanwhile()
        throw nobody
      }
      switch self {
      case .get: _ = await articles.failure(key, from: source)
      case .passingGet:
        _ = await articles.failure(key, Policy(mode: .bypass).origin(origin), from: source)
      case .list:
        await #expect(throws: GetError.self) {
          try await articles.follow(key) { _ in
            try await meanwhile()
            throw nobody
          }
        }
      case .push:
        try await articles.write("written", for: key)
        try await articles.drain { _ in
          try await meanwhile()
          throw nobody
        }
      }
    }
  }

  @Test(arguments: Request.allCases, News.allCases)
  func `a request from before holds nothing, and the next one does`(
    _ request: Request, _ news: News
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: .offlineFirst.origin(Self.origin))

      try await request.find(nobodyFor: "1", of: articles) { try await news.happen(in: other) }
      let after = try [temporary.store, other].map { try $0.holds().count }
      try await request.find(nobodyFor: "2", of: articles)
      let next = try [temporary.store, other].map { try $0.holds().count }

      #expect(after == [0, 0] && next == [1, 1])
      try await other.close()
    }
  }
}
