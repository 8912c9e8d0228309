import FreshStoreTesting

@testable import FreshStore

/// Tests of local writes to a collection of articles.
protocol ArticleSuite {}

extension ArticleSuite {
  func withArticles(
    _ policy: Policy = .cacheFirst,
    configure: @escaping @Sendable (inout Configuration) -> Void = { $0.random = { 0.5 } },
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: configure) { temporary in
      try await body(
        temporary, temporary.store.collection("articles", of: String.self, policy: policy))
    }
  }
}
