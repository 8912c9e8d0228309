import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Tests of an origin whose breaker opens after two failures.
protocol GuardedSuite {}

extension GuardedSuite {
  static var origin: Origin { "https://example.org:443" }
  static var down: OriginFailure { OriginFailure() }
  /// A failure of the requested record alone.
  static var broken: OriginFailure { OriginFailure(blamesOrigin: false) }

  static var guarded: Policy {
    var policy = Policy()
    policy.origin = origin
    policy.retryPause = .seconds(20)
    return policy
  }

  func withStore(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    let policy = Self.guarded
    try await TemporaryStore.run(configure: { configuration in
      configuration.breaker = BreakerPolicy(
        threshold: 2, minimumPause: .seconds(10), maximumPause: .seconds(60))
      configuration.random = { 0.5 }
    }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      try await body(temporary, articles)
    }
  }

  /// A store whose breaker has just opened.
  func withOpenBreaker(
    _ failure: OriginFailure = Self.down,
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw failure }
      try await articles.put("old", for: "stale", details: FetchDetails(expiry: .immediately))
      for key in ["1", "2"] { _ = await articles.failure(key, from: origin) }
      try await body(temporary, articles, origin)
    }
  }
}
