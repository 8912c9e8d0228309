import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Values and local writes of an earlier version of the program.
@Suite struct ContentMigrationTests: ArticleSuite {
  private struct Unknown: Error {}

  private func later(
    _ store: Store,
    _ migration: RecordCollection<Int>.Migration? = { bytes, version in
      guard version == 0,
        let number = Int(String(decoding: bytes.filter { $0 != 34 }, as: UTF8.self))
      else { throw Unknown() }
      return number * 100
    }
  ) throws -> RecordCollection<Int> {
    try store.collection("articles", of: Int.self, contentVersion: 1, migrating: migration)
  }

  @Test func `a value of an earlier version is migrated at each read, and stays fresh`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("7", for: "1", details: FetchDetails(expiry: .after(.seconds(60))))
      let later = try later(temporary.store)
      #expect(try later.state("1") == .fresh && later.value("1") == 700)
      #expect(try later.read(["1"])["1"]?.copy?.value == 700)
      #expect(try later.servableValue("1") == 700)

      temporary.clock.advance(by: .seconds(61))
      let origin = ScriptedOrigin<Int> { _ in .notModified }
      let answer = try await later.get("1", from: origin)
      #expect(answer.value == 700 && answer.freshness == .revalidated)
      #expect(try later.value("1") == 700)
      try await later.put(8, for: "1")
      #expect(try later.value("1") == 8)
    }
  }

  @Test func `a value that the migration does not know is fetched anew`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("seven", for: "1")
      let later = try later(temporary.store)
      #expect(try later.state("1") == .unusable)
      let origin = ScriptedOrigin<Int> { _ in .value(7) }
      #expect(try await later.get("1", from: origin).value == 7)
    }
  }

  @Test func `a value of a later version is left alone`() async throws {
    try await withArticles { temporary, articles in
      let later = try later(temporary.store)
      try await later.put(7, for: "1")
      let earlier = try temporary.store.collection(
        "articles", of: String.self, migrating: { _, _ in "migrated" })
      #expect(try earlier.state("1") == .unusable)
    }
  }

  @Test func `a waiting write of an earlier version is migrated and sent`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("1", for: "1")
      try await articles.write("7", for: "1")
      let later = try later(temporary.store)
      #expect(try later.value("1") == 700)
      let sent = Sent<Int>()
      try await later.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.value) == [700] && sent.all.map(\.base) == [100])
      #expect(try later.state("1") == .fresh && later.value("1") == 700)
      #expect(try articles.value("1") == "7")
    }
  }

  @Test
  func `a waiting patch of an earlier version is sent as a replacement by the migrated value`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put(
        "1", for: "1", details: FetchDetails(validators: Validators(entityTag: "\"1\"")))
      try await articles.write("7", for: "1", as: .patch([9], contentType: "a/b"))
      let later = try later(temporary.store)
      let sent = Sent<Int>()
      try await later.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.kind) == [.replace] && sent.all.map(\.value) == [700])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\""])
      #expect(try later.state("1") == .fresh && later.value("1") == 700)
    }
  }

  @Test func `a migrated patch behind one that the source has changed is merged`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("1", for: "1")
      for value in ["8", "9"] {
        try await articles.write(value, for: "1", as: .patch([9], contentType: "a/b"))
      }
      let later = try later(temporary.store)
      let (sent, asked) = (Sent<Int>(), Recorder<[Int?]>())
      let merge = ConflictPolicy<Int>.merge { conflict in
        asked.add([conflict.base, conflict.local, conflict.remote])
        return .merged(5)
      }
      for _ in 1...2 {
        try await later.drain(conflicts: merge) { write in
          sent.add(write)
          return sent.all.count == 1 ? .acceptedAs(3, FetchDetails()) : .accepted
        }
      }
      #expect(asked.all == [[800, 900, 3]])
      #expect(sent.all.map(\.kind) == [.replace, .replace])
      #expect(sent.all.map(\.value) == [800, 5])
    }
  }

  @Test func `a waiting patch of an earlier version replaces nothing unknown`() async throws {
    try await withArticles { temporary, articles in
      let patch = try await articles.write("7", for: "1", as: .patch([9], contentType: "a/b"))
      let later = try later(temporary.store)
      let sent = Sent<Int>()
      for _ in 1...2 {
        try await later.drain { write in
          sent.add(write)
          return .accepted
        }
        if sent.all.isEmpty {
          #expect(try temporary.store.outbox().map(\.state) == [.parked])
          try await later.correct(patch, to: 8, patch: [8])
        }
      }
      #expect(sent.all.map(\.kind) == [.patch([8], contentType: "a/b")])
    }
  }

  @Test func `without a migration it waits, visibly, and is sent by the version that wrote it`()
    async throws
  {
    var policy = Policy()
    policy.maximumRetryPause = .seconds(60)
    try await withArticles(policy) { temporary, articles in
      try await articles.write("7", for: "1")
      var later = try later(temporary.store, nil)
      later.policy = policy
      let outcome = try await later.drain { _ in .accepted }
      #expect(outcome["1"]?.words.contains("of content version 0") == true)
      let entry = try #require(try temporary.store.outbox().first)
      #expect(entry.state == .waiting && entry.failure?.contains("content version 0") == true)

      temporary.clock.advance(by: .seconds(61))
      let sent = Sent<String>()
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.value) == ["7"])
    }
  }

  @Test
  func `a program that cannot read a write neither counts an attempt nor holds up one that can`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("7", for: "1")
      let other = try temporary.another()
      let later = try later(other, nil)
      for _ in 1...3 {
        try await later.drain { _ in .accepted }
        temporary.clock.advance(by: .minutes(10))
      }
      let found = try await temporary.store.pushCommits.run { (connection) throws(SQLiteError) in
        try Storage.write(1, connection)
      }
      let stored = try #require(found)
      #expect(stored.attempts == 0 && stored.asked == nil && stored.askedAt == nil)
      #expect(stored.nextAttempt == nil && stored.isUntouched)

      try await later.drain { _ in .accepted }
      #expect(try await other.dueWrites(limit: 1).isEmpty)
      let sent = Sent<String>()
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.value) == ["7"] && sent.all.map(\.attempts) == [0])
      try await other.close()
    }
  }

  @Test func `a program that cannot read a write leaves it alone until its pause or a retry`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("7", for: "1")
      let later = try later(temporary.store, nil)
      let (store, clock) = (temporary.store, temporary.clock)
      let waiting = { () throws(StoreError) -> WritePage in
        try store.waitingWrites(limit: 9, perOrigin: 9, largeFrom: .max) { name, _ in name }
      }
      try await later.drain { _ in .accepted }
      let page = try waiting()
      #expect(page.writes.isEmpty)
      #expect(
        page.next == clock.reading().wall.advanced(by: later.policy.maximumRetryPause))
      clock.advance(by: later.policy.maximumRetryPause)
      #expect(try waiting().writes.count == 1)

      try await later.drain { _ in .accepted }
      try await store.retry([1])
      #expect(try waiting().writes.count == 1)
      try await later.drain { _ in .accepted }
      store.noteReaders()
      #expect(try waiting().writes.count == 1)
    }
  }

  @Test func `everybody hears that a write waits for a program that can read it`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("7", for: "1")
      let other = try temporary.another()
      let (own, others) = (temporary.store.changes(), other.changes())
      try await later(temporary.store, nil).drain { _ in .accepted }
      for changes in [own, others] {
        let change = await changes.first { $0.kind == .deferred }
        #expect(change?.write?.until == nil)
        #expect(change?.write?.reason?.contains("content version 0") == true)
      }
      try await other.close()
    }
  }

  @Test func `a conflict in front of a write of another version waits with it`() async throws {
    try await withArticles { temporary, articles in
      let later = try later(temporary.store, nil)
      try await later.write(7, for: "1")
      try await articles.write("8", for: "1")
      let outcome = try await later.drain(conflicts: .clientWins) { _ in .conflict(.value(9)) }
      #expect(outcome["1"]?.words.contains("deferred") == true)
      #expect(try temporary.store.outbox().map(\.state) == [.waiting, .waiting])
      #expect(try temporary.store.outbox().map(\.attempts) == [0, 0])
      #expect(try temporary.store.outbox().map(\.nextAttempt) == [nil, nil])
    }
  }
}
