import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The order in which local writes of different keys are handed out.
@Suite struct WriteOrderTests: ArticleSuite {
  private func dueKeys(_ store: Store) async throws -> [String] {
    let due = try await store.dueWrites(limit: 100)
    try await store.giveBack(due)
    return due.map(\.entry.key)
  }

  /// Sends the next write, which meets a conflict; this side wins, and fails with what it then sends.
  private func sendNext(
    of articles: RecordCollection<String>
  ) async throws -> (first: OutboxEntry.ID, sent: Sent<String>) {
    let due = try await articles.store.dueWrites(limit: 1)
    let first = try #require(due.first)
    let sent = Sent<String>()
    _ = await articles.push(due, conflicts: .clientWins) { write in
      sent.add(write)
      if sent.all.count == 1 { return .conflict(.value("theirs")) }
      throw OriginFailure()
    }
    return (first.entry.id, sent)
  }

  @Test func `a higher priority goes first, then the older one`() async throws {
    try await withArticles { temporary, articles in
      for (key, priority) in [("a", 0), ("b", 5), ("c", -1), ("d", 5)] {
        try await articles.write(key, for: key, options: WriteOptions(priority: priority))
      }
      #expect(try await dueKeys(temporary.store) == ["b", "d", "a", "c"])
      #expect(try temporary.store.outbox().map(\.priority) == [0, 5, -1, 5])
    }
  }

  @Test func `a write that has failed goes behind those that are due by the end of its pause`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("failed", for: "failed")
      try await articles.write("urgent", for: "urgent", options: WriteOptions(priority: 9))
      try await articles.drain { _ in throw OriginFailure() }
      try await articles.write("before", for: "before")
      temporary.clock.advance(by: .seconds(3600))
      try await articles.write("after", for: "after")
      #expect(
        try await dueKeys(temporary.store) == ["urgent", "before", "failed", "after"])
    }
  }

  @Test(arguments: [false, true])
  func `a write whose pause was ended by hand goes behind those that are due by then`(
    _ isRetried: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      let failed = try await articles.write("failed", for: "failed")
      try await articles.drain { _ in throw OriginFailure(retryAfter: .seconds(3600)) }
      temporary.clock.advance(by: .seconds(1))
      try await articles.write("before", for: "before")
      temporary.clock.advance(by: .seconds(1))
      if isRetried { try await store.retry([failed.id]) } else { try await store.endPauses() }
      temporary.clock.advance(by: .seconds(1))
      try await articles.write("after", for: "after")
      #expect(try await dueKeys(store) == ["before", "failed", "after"])
    }
  }

  @Test func `a write whose worker has died goes behind those that have not been tried since`()
    async throws
  {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.write("deadly", for: "deadly")
      temporary.clock.advance(by: .seconds(1))
      try await articles.write("other", for: "other")
      temporary.clock.advance(by: .seconds(1))
      let now = temporary.clock.reading()
      let due = try await store.dueWrites(limit: 1)
      let claim = try #require(due.first?.claim)
      _ = try await store.pushCommits.run { (connection) throws(SQLiteError) in
        try store.storage.beginPush(
          claim, for: .seconds(20), unless: nil, now: now, connection)
      }
      temporary.clock.advance(by: .seconds(3600))
      #expect(try await dueKeys(store) == ["other", "deadly"])
    }
  }

  @Test func `a step of the clock changes nothing in the order`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("first", for: "first")
      temporary.clock.stepWall(by: .seconds(-86_400))
      try await articles.write("second", for: "second")
      #expect(try await dueKeys(temporary.store) == ["first", "second"])
    }
  }

  @Test func `a write that coalesces keeps the place of the one before it`() async throws {
    try await withArticles { temporary, articles in
      for key in ["a", "b", "a"] {
        try await articles.write(key, for: key, options: WriteOptions(coalesces: true))
        temporary.clock.advance(by: .seconds(1))
      }
      #expect(try await dueKeys(temporary.store) == ["a", "b"])
    }
  }

  @Test func `a write that keeps failing rests for a while, also where its policy has no pause`()
    async throws
  {
    try await withArticles(Policy.cacheFirst.retryPause(.zero)) { temporary, articles in
      let poison = try await articles.write(
        "poison", for: "poison", options: WriteOptions(priority: 9))
      var pauses: [Duration] = []
      for _ in 0..<6 {
        try await articles.drain { _ in throw OriginFailure(retryAfter: .zero) }
        let end = try #require(try temporary.store.outbox(after: poison.id - 1).first?.nextAttempt)
        pauses.append(end.duration(since: temporary.clock.reading().wall))
        #expect(try await dueKeys(temporary.store).isEmpty)
        temporary.clock.advance(by: .seconds(1))
      }
      #expect(pauses == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }
  }

  @Test func `a write is sent after the one that it comes after, of any collection`() async throws {
    try await withArticles { temporary, articles in
      let photos = try temporary.store.bytes("photos")
      let report = try await articles.write("report", for: "1")
      let photo = try await photos.write(
        [1], for: "p", options: WriteOptions(priority: 9, after: report.id))
      #expect(photo.after == report.id)
      #expect(try await dueKeys(temporary.store) == ["1"])
      #expect(try temporary.store.nextWriteDue(collection: "photos") == nil)

      try await articles.drain { _ in .accepted }
      #expect(try await dueKeys(temporary.store) == ["p"])
    }
  }

  @Test func `while the one before is parked it waits; when that is dropped it goes`() async throws
  {
    try await withArticles { temporary, articles in
      let first = try await articles.write("a", for: "a")
      try await articles.write("b", for: "b", options: WriteOptions(after: first.id))
      try await articles.drain { _ in .refused("no") }
      #expect(try await dueKeys(temporary.store).isEmpty)
      let unsent = try temporary.store.unsentWrites { collection, _ in collection }
      #expect(unsent.first.isEmpty && unsent.behindParked == 1)

      try await temporary.store.drop([first.id])
      #expect(try await dueKeys(temporary.store) == ["b"])
    }
  }

  @Test func `a conflict that is resolved keeps the place of its write, and those after it wait`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "a")
      let first = try await articles.write("a", for: "a")
      try await articles.write("b", for: "b", options: WriteOptions(after: first.id))
      // The merged write goes to another address than the one that met the conflict, so that it waits.
      try await articles.write("a2", for: "a", options: WriteOptions(address: "https://other/"))
      try await articles.drain(conflicts: .clientWins) { _ in .conflict(.value("theirs")) }

      #expect(try temporary.store.outbox().map(\.id) == [first.id, 2])
      #expect(try temporary.store.outbox(key: "a").first?.size == 4)
      #expect(try await dueKeys(temporary.store) == ["a"])
    }
  }

  @Test func `observers hear that a write need not wait any more`() async throws {
    try await withArticles { temporary, articles in
      let photos = try temporary.store.bytes("photos")
      let other = try temporary.another()
      let first = try await articles.write("a", for: "a")
      try await photos.write([1], for: "p", options: WriteOptions(after: first.id))
      let (own, others) = (temporary.store.changes(), other.changes())
      try await articles.drain { _ in .accepted }
      for changes in [own, others] {
        var kinds: [Change.Kind] = []
        for await change in changes {
          kinds.append(change.kind)
          if change.kind == .resumed {
            #expect(change.collection == "photos" && change.key == "p")
            break
          }
        }
        #expect(Set(kinds) == [.pushing, .pushed, .resumed])
      }
      try await other.close()
    }
  }

  @Test(arguments: [true, false])
  func `observers hear that the write before was dropped, or has cancelled out with its deletion`(
    isDropped: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let photos = try temporary.store.bytes("photos")
      let other = try temporary.another()
      let first = try await articles.write("a", for: "a", as: .create)
      try await photos.write([1], for: "p", options: WriteOptions(after: first.id))
      let (own, others) = (temporary.store.changes(), other.changes())
      if isDropped {
        try await temporary.store.drop([first.id])
      } else {
        try await articles.writeDeletion(of: "a", options: WriteOptions(coalesces: true))
      }
      for changes in [own, others] {
        var heard: [Change] = []
        for await change in changes {
          heard.append(change)
          if heard.count == 2 { break }
        }
        #expect(heard.map(\.kind) == [.restored, .resumed])
        #expect(heard.map(\.key) == ["a", "p"])
        #expect(heard.map(\.write?.id) == [first.id, nil])
      }
      try await other.close()
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 2, 1_000_000, .max])
  func `a write cannot come after one that never was`(number: Int64) async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "a")
      await #expect(throws: StoreError.self) {
        try await articles.write("b", for: "b", options: WriteOptions(after: number))
      }
      #expect(try temporary.store.outbox().count == 1)
    }
  }

  @Test func `a write that coalesces does not come after a later one`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "a")
      let second = try await articles.write("b", for: "b")
      try await articles.write(
        "a2", for: "a", options: WriteOptions(coalesces: true, after: second.id))
      #expect(try temporary.store.outbox().map(\.key) == ["a", "b", "a"])
    }
  }

  @Test func `no number in a file makes writes wait for each other in a circle`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "a")
      try await articles.write("b", for: "b")
      try temporary.store.storage.database.write(.outbox) { (connection) throws(SQLiteError) in
        try connection.run(SQL("UPDATE outbox SET after = 3 - id"))
      }
      #expect(try await dueKeys(temporary.store) == ["a"])
    }
  }

  @Test func `a merge keeps what its parts came after, and what came after them`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "a")
      try await articles.write("one", for: "a")
      let photo = try await articles.write("photo", for: "p")
      try await articles.write("two", for: "a", options: WriteOptions(after: photo.id))
      let four = try await articles.write("four", for: "a")
      try await articles.write("report", for: "r", options: WriteOptions(after: four.id))
      let sent = try await sendNext(of: articles).sent
      #expect(sent.all.map(\.value) == ["one", "one"])
      #expect(try await dueKeys(temporary.store) == ["p"])
    }
  }

  @Test func `what came after a merged write comes after the merge`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "a")
      try await articles.write("one", for: "a")
      let two = try await articles.write("two", for: "a")
      try await articles.write("report", for: "r", options: WriteOptions(after: two.id))
      let sent = try await sendNext(of: articles).sent
      #expect(sent.all.map(\.value) == ["one", "two"])
      #expect(try await dueKeys(temporary.store).isEmpty)
      temporary.clock.advance(by: .seconds(3600))
      #expect(try await dueKeys(temporary.store) == ["a"])
    }
  }

  @Test(arguments: [false, true])
  func `what comes after a write that was merged before comes after the merge`(
    isReopened: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "a")
      try await articles.write("one", for: "a")
      let two = try await articles.write("two", for: "a")
      let first = try await sendNext(of: articles).first
      let store = try isReopened ? temporary.another() : temporary.store
      let photos = try store.bytes("photos")
      let photo = try await photos.write([1], for: "p", options: WriteOptions(after: two.id))
      #expect(photo.after == first)
      #expect(try await dueKeys(store).isEmpty)

      temporary.clock.advance(by: .seconds(3600))
      #expect(try await dueKeys(store) == ["a"])
      try await articles.drain { _ in .accepted }
      #expect(try await dueKeys(store) == ["p"])
      if isReopened { try await store.close() }
    }
  }

  @Test func `writes that come after two different ones do not become one`() async throws {
    try await withArticles { temporary, articles in
      let (first, second) = (
        try await articles.write("1", for: "1"), try await articles.write("2", for: "2")
      )
      try await articles.write("a", for: "a", options: WriteOptions(priority: 4, after: first.id))
      try await articles.write(
        "b", for: "a", options: WriteOptions(coalesces: true, after: second.id))
      #expect(try temporary.store.outbox(key: "a").map(\.after) == [first.id, second.id])
    }
  }
}
