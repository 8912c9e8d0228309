import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Keys that are URLs, whose queries and user information are secret.
@Suite struct SecretKeyTests {
  @Test(arguments: [
    ("https://example.org/a?token=s", "https://example.org/a?…"),
    ("HTTP://example.org?s", "HTTP://example.org?…"),
    ("https://user:pass@example.org/a", "https://…@example.org/a"),
    ("https://a@b@example.org/x@y?s", "https://…@example.org/x@y?…"),
    ("https://example.org/@a", "https://example.org/@a"),
    ("https://example.org/a?\u{301}token=s", "https://example.org/a?…"),
    ("https://user:pass@\u{301}example.org/", "https://…@\u{301}example.org/"),
    ("https://\u{301}user:pass@example.org/?s", "https://…@example.org/?…"),
    ("ftp://h/f?token=s", "ftp://h/f?…"), ("jdbc:mysql://u:p@h/d?s", "jdbc:mysql://…@h/d?…"),
    ("what is http://h?s", "what is http://h?s"), ("://h?s", "://h?s"),
    ("what?", "what?"), ("mailto:a@b?c", "mailto:a@b?c"), ("", ""), ("https://", "https://"),
  ])
  func `a key that is a URL is shown without its potentially secret parts`(
    key: String, shown: String
  ) {
    #expect(KeyText.shown(key) == shown)
  }

  @Test func `neither an error nor an event contains the query of a key`() async throws {
    let log = EventLog()
    let key = "https://user:SECRET@example.org/a?token=SECRET"
    try await TemporaryStore.run(configure: {
      $0.reporter = log
      $0.maximumValueSize = 4
    }) { temporary in
      let bytes = try temporary.store.bytes("pages")
      _ = try await bytes.get(key) { _ in .value([1], FetchDetails(expiry: .immediately)) }
      let refused = await storeFailure { try await bytes.put([1, 2, 3, 4, 5], for: key) }
      let failed = await bytes.failure(key, from: ScriptedOrigin { _ in throw OriginFailure() })
      _ = try await bytes.write([1], for: key)
      _ = await bytes.push(try await temporary.store.dueWrites(limit: 1)) { _ in .refused("no") }

      let words = ["\(try #require(refused))", failed.map { "\($0)" } ?? ""]
      let figures = log.events.flatMap { $0.figures.values }
      #expect(!(words + figures).contains { $0.contains("SECRET") })
      #expect(figures.contains("https://…@example.org/a?…"))
    }
  }
}
