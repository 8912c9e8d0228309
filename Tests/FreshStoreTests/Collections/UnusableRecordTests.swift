import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

/// Unusable stored bytes: never a crash, never silence, always fetched again.
@Suite struct UnusableRecordTests {
  struct Article: Codable, Sendable, Equatable {
    var title: String
  }

  /// Reads a record after `spoil`, then gets it anew; returns the reason why it was unusable.
  private func cause(
    reading: (Store) throws -> RecordCollection<Article>,
    spoil: (TemporaryStore) async throws -> Void
  ) async throws -> Decision.Cause? {
    try await TemporaryStore.run { temporary in
      let first = try temporary.store.collection("articles", of: Article.self)
      try await first.put(Article(title: "one"), for: "1")
      try await spoil(temporary)
      let articles = try reading(temporary.store)
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: "new")) }

      let found = try articles.read("1")
      let answer = try await articles.get("1", from: origin)

      #expect(found.copy == nil && found.decision.outcome == .unusable)
      #expect(answer.value.title == "new" && answer.freshness == .fetched)
      #expect(origin.requests.map(\.validators) == [Validators()])
      #expect(try articles.state("1") == .fresh)
      return found.decision.cause
    }
  }

  private func plain(_ store: Store) throws -> RecordCollection<Article> {
    try store.collection("articles")
  }

  @Test func `bytes that no longer decode`() async throws {
    let cause = try await cause(reading: plain) { temporary in
      let raw = try temporary.store.collection("articles", codec: MislabelledBytes())
      try await raw.put(Array("{\"headline\":1}".utf8), for: "1")
    }
    guard case .undecodable = cause else {
      Issue.record("\(String(describing: cause))")
      return
    }
  }

  /// Bytes under the name of JSON.
  struct MislabelledBytes: Codec {
    let identifier = "json"
    func encode(_ value: [UInt8]) -> [UInt8] { value }
    func decode(_ bytes: [UInt8]) -> [UInt8] { bytes }
  }

  @Test func `bytes of another codec`() async throws {
    let cause = try await cause(
      reading: { try $0.collection("articles", codec: PropertyListCodec<Article>()) },
      spoil: { _ in })
    #expect(cause == .undecodable("written as json, read as plist"))
  }

  @Test func `a value of another version of the program's content`() async throws {
    let cause = try await cause(
      reading: { try $0.collection("articles", contentVersion: 2) }, spoil: { _ in })
    #expect(cause == .otherVersion(found: 0, required: 2))
  }

  @Test func `a value that breaks a rule of today`() async throws {
    let rule = Rule<Article>(code: "other", message: "another title") { $0.title == "new" }
    let cause = try await cause(
      reading: { try $0.collection("articles", admitting: rule) }, spoil: { _ in })
    guard case .refused(let report) = cause else {
      Issue.record("\(String(describing: cause))")
      return
    }
    #expect(report.issues.map(\.code) == ["other"])
  }

  @Test(arguments: [
    "value = CAST('{\"title\":\"two\"}' AS BLOB)", "expiry = expiry + 1", "last_update = 1",
    "flags = flags | 1", "flags = flags | 4", "flags = flags | 8", "flags = flags | 32",
    "flags = flags | 64", "flags = flags | 1 << 40", "epoch = epoch + 1", "codec = 'x'",
    "stale_at = 1, stale_reason = '', stale_epoch = 0", "value = NULL", "details = x'0400'",
    "content_checksum = content_checksum + 1", "checksum = checksum + 1",
    "boot_stamp = boot_stamp + 1", "content_version = 1",
  ]) func `a row whose bytes changed on the disk`(_ change: String) async throws {
    let cause = try await cause(reading: plain) { temporary in
      try RawDatabase(temporary.path).execute("UPDATE record SET \(change)")
    }
    #expect(cause == .damaged)
  }

  @Test func `past its hard end`() async throws {
    let cause = try await cause(reading: plain) { temporary in
      let articles = try plain(temporary.store)
      try await articles.put(
        Article(title: "one"), for: "1", details: FetchDetails(hardEnd: .seconds(10)))
      temporary.clock.advance(by: .seconds(10))
    }
    #expect(cause == .pastHardEnd(age: .seconds(10), hardEnd: .seconds(10)))
  }

  @Test func `no unusable record is served while offline`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try plain(temporary.store)
      try await articles.put(Article(title: "one"), for: "1")
      try RawDatabase(temporary.path).execute("UPDATE record SET epoch = 7")
      temporary.reachability.set(.offline("no route"))
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: "new")) }

      let failure = await articles.failure("1", from: origin)
      try await articles.remove("1")

      #expect(failure?.code == .offline && failure?.decision?.cause == .damaged)
    }
  }

  @Test func `a damaged row is found by the check and named`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try plain(temporary.store)
      try await articles.put(["1": Article(title: "one"), "2": Article(title: "two")])
      try RawDatabase(temporary.path).execute("UPDATE record SET epoch = 7 WHERE key = '2'")

      let check = try await temporary.store.check()
      try await articles.remove("2")

      #expect(!check.isSound && check.problems.isEmpty)
      #expect(
        check.findings == ["articles/2: its columns do not match their checksum"])
      #expect(check.records == 2)
    }
  }

  @Test func `the damage of a row is still noticed after a mark, a sweep and a pin`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try plain(temporary.store)
      try await articles.put(
        Article(title: "one"), for: "1",
        details: FetchDetails(expiry: .after(.seconds(1)), tags: ["news"]))
      try RawDatabase(temporary.path).execute("UPDATE record SET epoch = 7")

      try await articles.markStale("1")
      try await temporary.store.markStale(tag: "news")
      temporary.clock.advance(by: .seconds(2))
      _ = try await temporary.store.sweep()
      try await articles.setPinned(true, for: "1")
      let cause = try articles.read("1").decision.cause
      try await articles.remove("1")

      #expect(cause == .damaged)
    }
  }
}
