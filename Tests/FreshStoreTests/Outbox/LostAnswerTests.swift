import FreshStore
import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

/// A write whose answer was lost may have reached its source, whatever happens to the write.
@Suite struct LostAnswerTests: ArticleSuite {
  private struct NoAnswer: Error {}

  private static let never = FetchDetails(expiry: .never)

  /// The source reports an absence, which holds for ever.
  private func notePermanentAbsence(_ articles: RecordCollection<String>) async {
    await #expect(throws: GetError.self) { try await articles.get("1") { _ in .gone(Self.never) } }
  }

  @Test func `a write that may have arrived leaves doubt when all later writes are cancelled out`()
    async throws
  {
    try await withArticles { temporary, articles in
      await notePermanentAbsence(articles)
      let first = try await articles.write("a", for: "1")
      try await articles.drain { _ in throw NoAnswer() }
      try await articles.write("x", for: "1", as: .create)
      try await temporary.store.drop([first.id])
      try await articles.writeDeletion(of: "1", options: WriteOptions(coalesces: true))

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `the answer to a later write ends the doubt`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: Self.never)
      let first = try await articles.write("a", for: "1")
      try await articles.drain { _ in throw NoAnswer() }
      try await articles.write("b", for: "1")
      try await temporary.store.drop([first.id])
      try await articles.drain { _ in .accepted(Self.never) }

      #expect(try articles.value("1") == "b")
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a write that was certainly not sent leaves no doubt while others wait`() async throws
  {
    try await withArticles { temporary, articles in
      await notePermanentAbsence(articles)
      let first = try await articles.write("a", for: "1")
      try await articles.writeDeletion(of: "1")
      try await articles.write("b", for: "1", as: .create)
      try await temporary.store.drop([first.id, first.id + 1])
      try await articles.writeDeletion(of: "1", options: WriteOptions(coalesces: true))

      #expect(try articles.state("1") == .absent)
    }
  }

  @Test(arguments: [(WriteKind.replace, true), (.patch([1], contentType: "a/b"), false)])
  func `an accepted partial write does not end a mark on the whole record`(
    kind: WriteKind, isFresh: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: Self.never)
      try await articles.markStale("1")
      try await articles.write("a", for: "1", as: kind)
      try await articles.drain { _ in .accepted(Self.never) }

      #expect(try articles.value("1") == "a")
      #expect(try articles.state("1") == (isFresh ? .fresh : .stale))
    }
  }

  /// The outcome of the first attempt at a write.
  enum Attempt: CaseIterable {
    case lost, putOff, corrected
  }

  @Test(arguments: Attempt.allCases)
  func `a push is told whether its write may have arrived already`(attempt: Attempt) async throws {
    try await withArticles { temporary, articles in
      let entry = try await articles.write("a", for: "1")
      if attempt == .putOff { temporary.reachability.set(.offline("cut")) }
      let sent = Sent<String>()
      try await articles.drain { write in
        sent.add(write)
        throw NoAnswer()
      }
      if attempt == .corrected { try await articles.correct(entry, to: "b") }
      temporary.reachability.set(.online)
      try await temporary.store.retry([entry.id])
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(
        sent.all.map(\.mayHaveArrived)
          == (attempt == .putOff ? [false] : [false, attempt != .corrected]))
    }
  }

  // MARK: Recovery

  /// A file with a copy and a local write that was sent without an answer, and that is damaged.
  private func damagedStore(_ folder: TemporaryFolder) async throws -> String {
    let store = try Store(
      path: folder.file("store.db"), configuration: Configuration(reachability: .fixed(.online)))
    let articles = try store.collection("articles", of: String.self)
    try await articles.put("old", for: "1", details: Self.never)
    try await articles.write("new", for: "1")
    try await articles.drain { _ in throw NoAnswer() }
    try await store.close()
    try RawDatabase(store.path).execute("UPDATE outbox SET payload = x'00'")
    return store.path
  }

  @Test func `a recovery that accepts the loss of a write leaves its record in doubt`() async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder)
    var options = RecoveryOptions()
    options.acceptsLostWrites = true
    let result = try await Store.recover(path, to: folder.file("new.db"), options: options)
    let store = try Store(
      path: result.path, configuration: Configuration(reachability: .fixed(.online)))
    let articles = try store.collection("articles", of: String.self)

    #expect(result.lostWrites == 1 && result.staleRecords == 1)
    #expect(try articles.value("1") == "old")
    #expect(try articles.state("1") == .stale)
    #expect(try await store.due(limit: 9).map(\.key) == ["1"])
    try await store.close()
  }

  @Test func `where one write is lost, the records beneath the others are in doubt, too`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder)
    let damaged = try Store(
      path: path, configuration: Configuration(reachability: .fixed(.online)))
    let before = try damaged.collection("articles", of: String.self)
    try await before.write("newer", for: "1")
    try await damaged.close()
    var options = RecoveryOptions()
    options.acceptsLostWrites = true
    let result = try await Store.recover(path, to: folder.file("new.db"), options: options)
    let store = try Store(
      path: result.path, configuration: Configuration(reachability: .fixed(.online)))
    let articles = try store.collection("articles", of: String.self)
    try await store.drop(store.outbox().map(\.id))

    #expect(result.lostWrites == 1 && result.writes == 1)
    #expect(try articles.state("1") == .stale)
    try await store.close()
  }

  @Test(arguments: [(WriteKind.replace, true), (.patch([1], contentType: "a/b"), false)])
  func `an accepted partial write makes the rest no younger`(
    kind: WriteKind, isFresh: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let hour = FetchDetails(expiry: .after(.seconds(3600)))
      try await articles.put("old", for: "1", details: hour)
      temporary.clock.advance(by: .seconds(3000))
      try await articles.write("a", for: "1", as: kind)
      try await articles.write("b", for: "1", as: kind)
      try await articles.drain { _ in .accepted(hour) }
      try await articles.drain { _ in .accepted(hour) }
      #expect(try articles.state("1") == .fresh)
      temporary.clock.advance(by: .seconds(600))

      #expect(try articles.value("1") == "b")
      #expect(try articles.state("1") == (isFresh ? .fresh : .stale))
    }
  }

  @Test(arguments: [(WriteKind.create, true), (.patch([1], contentType: "a/b"), false)])
  func `a partial write of an unseen record is stale once its source has accepted it`(
    kind: WriteKind, isFresh: Bool
  ) async throws {
    try await withArticles { _, articles in
      try await articles.write("a", for: "1", as: kind)
      try await articles.drain { _ in .accepted(Self.never) }

      #expect(try articles.state("1") == (isFresh ? .fresh : .stale))
    }
  }

  @Test(arguments: [(WriteKind.replace, true), (.patch([1], contentType: "a/b"), false)])
  func `an accepted partial write does not extend the lifetime of the rest`(
    kind: WriteKind, isFresh: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put(
        "old", for: "1",
        details: FetchDetails(expiry: .after(.seconds(60)), mustRevalidate: true))
      temporary.clock.advance(by: .seconds(600))
      try await articles.write("a", for: "1", as: kind)
      try await articles.drain { _ in .accepted(FetchDetails(expiry: .after(.seconds(3600)))) }

      #expect(try articles.state("1") == (isFresh ? .fresh : .stale))
      #expect(try articles.explain("1").decision.mustRevalidate == !isFresh)
    }
  }
}
