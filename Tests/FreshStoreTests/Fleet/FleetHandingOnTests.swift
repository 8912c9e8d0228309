import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The values and tags that a host hands on to its fleet.
@Suite struct FleetHandingOnTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1)), tags: ["news"]))
  }

  /// The scopes that cover the article 1.
  static let scopes: [Storage.Scope] = [
    .key("articles", "1"), .tag("news"), .prefix("articles", "1"), .collection("articles"), .all,
  ]

  @Test(arguments: scopes)
  func `holds nothing that a mark of this host alone has come to cover`(_ scope: Storage.Scope)
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let articles = try fleet.articles(0)
      try await articles.get("1", from: origin)
      let storage = articles.store.storage
      let record = try #require(try storage.record("articles", "1"))
      #expect(try storage.tagsToShare(of: record) == ["news"])

      _ = try storage.mark(scope, reason: "by another program", now: articles.store.now())

      #expect(try storage.tagsToShare(of: record) == nil)
    }
  }

  @Test func `is nothing, and ends its lease, where such a mark comes before the landing`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let articles = try fleet.articles(0)
      try await articles.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let store = articles.store
      let (member, now) = (try #require(store.fleet), store.now())
      let record = try #require(try store.storage.record("articles", "1"))
      let lease = SharedLease(key: SharedKey("articles", "1"), fence: 1, number: 1)
      _ = try store.storage.mark(.key("articles", "1"), reason: "by another program", now: now)

      await SharedLanding(
        store: store, fleet: member, landings: [(lease, record)], heard: now
      ).run()
      await fleet.tier.releases(atLeast: 1)

      #expect(fleet.tier.landed.count == 1)
    }
  }
}
