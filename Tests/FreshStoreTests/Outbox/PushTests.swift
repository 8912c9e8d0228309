import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The effect of a source's answer to a local write.
@Suite struct PushTests: ArticleSuite {
  private static let tagged = FetchDetails(
    validators: Validators(entityTag: "\"2\""), tags: ["two"], metadata: "m2")

  @Test func `an accepted write leaves an ordinary record with the source's timestamps`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(tags: ["one"], source: "s"))
      try await articles.write("new", for: "1")
      temporary.clock.advance(by: .seconds(30))
      let end = temporary.clock.reading().wall
      let outcome = try await articles.drain { _ in .accepted(Self.tagged) }

      let explained = try articles.explain("1")
      #expect(outcome["1"]?.words == "accepted new")
      #expect(try temporary.store.outbox().isEmpty)
      #expect(explained.decision.cause.code != "pending-write")
      #expect(explained.decision.lastUpdate == end)
      #expect(explained.decision.expiry == .after(.seconds(300)))
      #expect(explained.validators.entityTag == "\"2\"")
      #expect(explained.tags == ["two"] && explained.source == "s")
      #expect(try articles.state("1") == .fresh)
      try await articles.put("mine", for: "1")
    }
  }

  @Test(arguments: [0, -3600, 3600])
  func `the value of a repeated write is as old as its first attempt`(_ step: Int) async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      try await articles.drain { _ in throw OriginFailure() }
      temporary.clock.advance(by: .seconds(100))
      temporary.clock.stepWall(by: .seconds(step))
      temporary.clock.advance(by: .seconds(100))
      try await articles.drain { _ in .accepted }

      #expect(try articles.read("1").decision.age == .seconds(200))
    }
  }

  @Test(arguments: [(Policy.AgeBase.request, 20), (Policy.AgeBase.response, 0)])
  func `the age of a pushed value counts as the policy says`(
    _ base: Policy.AgeBase, _ age: Int
  ) async throws {
    var policy = Policy()
    policy.ageBase = base
    try await withArticles(policy) { temporary, articles in
      try await articles.write("new", for: "1")
      try await articles.drain { _ in
        temporary.clock.advance(by: .seconds(20))
        return .accepted
      }

      #expect(try articles.read("1").decision.age == .seconds(age))
    }
  }

  @Test func `the expiry of an accepted write is jittered like that of a fetched value`()
    async throws
  {
    var policy = Policy()
    policy.jitter = 0.5
    try await withArticles(policy) { _, articles in
      try await articles.write("new", for: "1")
      try await articles.drain { _ in .accepted }
      #expect(try articles.explain("1").decision.expiry == .after(.seconds(225)))
    }
  }

  @Test func `a write's media type is the caller's, else the record's, else the codec's`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let (notes, bytes) = (
        try store.collection("notes", of: String.self), try store.bytes("bytes")
      )
      let seen = Recorder<String?>()
      for contentType in [nil, "text/x", nil, nil] {
        let options = WriteOptions(coalesces: contentType == nil, contentType: contentType)
        try await notes.write("a", for: "1", options: options)
        try await bytes.write([1], for: "1", options: options)
      }
      for _ in 1...4 {
        try await notes.drain { write in
          seen.add(write.contentType)
          return .accepted
        }
      }
      for _ in 1...4 {
        try await bytes.drain { write in
          seen.add(write.contentType)
          return .accepted
        }
      }
      #expect(seen.all == ["application/json", "text/x", nil, "text/x"])
      #expect(try notes.explain("1").contentType == "text/x")
    }
  }

  @Test func `the source's version replaces the written value`() async throws {
    try await withArticles { _, articles in
      try await articles.write("new", for: "1", options: WriteOptions(contentType: "text/x"))
      let outcome = try await articles.drain { _ in .acceptedAs("NEW", FetchDetails()) }

      #expect(outcome["1"]?.words == "accepted NEW")
      #expect(try articles.value("1") == "NEW")
      #expect(try articles.explain("1").contentType == "text/x")
    }
  }

  @Test func `the second write is based on the source's version of the first`() async throws {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await articles.put(
        "old", for: "1",
        details: FetchDetails(validators: Validators(entityTag: "\"1\""), metadata: "m1"))
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      for _ in 0..<2 {
        try await articles.drain { write in
          sent.add(write)
          return .acceptedAs(write.value!, Self.tagged)
        }
        if sent.all.count == 1 { #expect(try articles.value("1") == "b") }
      }

      #expect(sent.all.map(\.value) == ["a", "b"])
      #expect(sent.all.map(\.base) == ["old", "a"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(sent.all.map(\.metadata) == ["m1", "m2"])
      #expect(try articles.value("1") == "b")
      #expect(try articles.explain("1").tags == ["two"])
    }
  }

  @Test(arguments: [
    (Expiry?.some(.after(.seconds(60))), Decision.Outcome.absent, 1), (nil, .missing, 0),
  ])
  func `an accepted deletion leaves a negative entry, where the policy has them`(
    expiry: Expiry?, outcome: Decision.Outcome, records: Int
  ) async throws {
    var policy = Policy()
    policy.negativeExpiry = expiry
    try await withArticles(policy) { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.writeDeletion(of: "1")
      let outcomes = try await articles.drain { write in
        #expect(write.kind == .delete && write.value == nil && write.base == "old")
        return .accepted
      }

      #expect(outcomes["1"]?.words == "accepted nothing")
      #expect(try articles.state("1") == outcome)
      #expect(try temporary.store.list().count == records)
      temporary.clock.advance(by: .seconds(60))
      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `the source's expiry of a deletion takes precedence over the policy's`() async throws {
    var policy = Policy()
    policy.negativeExpiry = .after(.seconds(60))
    try await withArticles(policy) { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.writeDeletion(of: "1")
      try await articles.drain { _ in .accepted(FetchDetails(expiry: .after(.seconds(10)))) }
      #expect(try articles.state("1") == .absent)
      temporary.clock.advance(by: .seconds(10))
      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `a creation after an accepted deletion is based on nothing`() async throws {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await articles.put("old", for: "1")
      try await articles.writeDeletion(of: "1")
      try await articles.write("new", for: "1", as: .create)
      for _ in 0..<2 {
        try await articles.drain { write in
          sent.add(write)
          return .accepted
        }
      }
      #expect(sent.all.map(\.base) == ["old", nil])
      #expect(sent.all.map(\.kind) == [.delete, .create])
      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `a mark that comes while the write is pushed makes the accepted value stale`()
    async throws
  {
    let marks: [@Sendable (RecordCollection<String>) async throws -> Void] = [
      { _ = try await $0.markStale("1") }, { try await $0.markStale(prefix: "1") },
      { try await $0.store.markStale(tag: "news") }, { try await $0.markAllStale() },
    ]
    for mark in marks {
      try await withArticles { temporary, articles in
        try await articles.write("a", for: "1", options: WriteOptions(tags: ["news"]))
        // A mark that came before the push is answered by it.
        try await articles.markStale("1")
        try await articles.drain { _ in
          try await mark(articles)
          // A sweep must not forget the mark meanwhile.
          _ = try await temporary.store.sweep()
          return .accepted
        }
        #expect(try articles.state("1") == .stale)
        try await articles.write("b", for: "1")
        try await articles.drain { _ in .accepted }
        #expect(try articles.state("1") == .fresh)
      }
    }
  }

  @Test
  func `a fetch that began before the source accepted the write does not restore the old value`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      let (latch, began) = (Latch(isOpen: false), Signal())
      let fetching = Task {
        try await articles.refresh("1", policy: .sourceFirst) { _ in
          began.fire()
          try await latch.pass()
          return .value("old")
        }
      }
      await began.fired()
      try await articles.write("new", for: "1")
      try await articles.drain { _ in .accepted }
      latch.open()

      #expect(try await fetching.value.value == "old")
      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `a refused or unstorable answer leaves the written value, stale`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 10 }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self,
        admitting: Rule { value, findings in
          value.isEmpty ? findings.fail(Issue("empty")) : .passed
        })
      let tag = Validators(entityTag: "x")
      let answers: [Pushed<String>] = [
        .acceptedAs("", FetchDetails(validators: tag)),
        .acceptedAs("far too long", FetchDetails(validators: tag)),
        .accepted(FetchDetails(isStorable: false, validators: tag)),
      ]
      for answer in answers {
        try await articles.write("new", for: "1")
        let outcome = try await articles.drain { _ in answer }
        #expect(outcome["1"]?.words == "accepted new")
        #expect(try articles.state("1") == .stale)
        #expect(try articles.explain("1").validators.isEmpty)
      }
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a write of another version or format of the program waits, and is not lost`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let next = try temporary.store.collection(
        "articles", of: String.self, contentVersion: 2)
      let outcome = try await next.drain { _ in .accepted }

      #expect(
        outcome["1"]?.words.hasPrefix("deferred: it waits: it was written as json of") == true)
      try await temporary.store.retry(temporary.store.outbox().map(\.id))
      let bytes = try await temporary.store.bytes("articles").drain { _ in .accepted }
      #expect(bytes["1"]?.words.hasPrefix("deferred: it waits: it was written as json of") == true)
      try await temporary.store.retry(temporary.store.outbox().map(\.id))
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted new")
    }
  }

  @Test func `a write is kept in the format in which it was written`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let raw = try temporary.store.collection("articles", codec: AnyBytesCodec())
      try await raw.drain { _ in .accepted }

      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `a claim has one owner`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      try RawDatabase(temporary.path).execute("UPDATE outbox SET owner = 'another'")
      let outcomes = await articles.push(due) { _ in .accepted }

      #expect(try outcomes[due[0].entry.id]?.get().words == "superseded")
    }
  }

  @Test func `a mark during the first push applies to the record hidden by the second`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.writeDeletion(of: "1")
      try await articles.write("b", for: "1", as: .create)
      try await articles.drain { _ in
        try await articles.markAllStale()
        return .accepted(FetchDetails(expiry: .never))
      }
      try await articles.writeDeletion(of: "1", options: WriteOptions(coalesces: true))

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `the outcome of a write is reported`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      for key in ["1", "2", "3", "4"] { try await articles.write("new", for: key) }
      try await articles.drain(conflicts: .serverWins) { write in
        switch write.key {
        case "1": return .accepted
        case "2": return .refused("no")
        case "3": return .conflict(.gone)
        default: throw OriginFailure()
        }
      }
      let events = log.events.filter { $0.figures["write"] != nil }
      #expect(events.map(\.name) == ["pushed", "parked", "discarded", "deferred"])
      #expect(events.map { $0.figures["key"] } == ["1", "2", "3", "4"])
      #expect(events[1].figures["why"] == "no")
      #expect(events[2].figures["writes"] == events[2].figures["write"])
    }
  }

  @Test func `a write is held while its answer waits for a rule`() async throws {
    var policy = Policy.cacheFirst
    policy.hardTimeout = .seconds(100)
    try await withArticles(policy) { temporary, articles in
      let again = Recorder<Int>()
      let ruled = articles.admitting(
        awaiting: AsyncRule { _, _ in
          temporary.clock.advance(by: .seconds(90))
          do {
            again.add(try await temporary.store.dueWrites(limit: 1).count)
          } catch {
            Issue.record(error)
          }
          return .passed
        })
      try await articles.write("mine", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      _ = await ruled.push(due) { _ in
        temporary.clock.advance(by: .seconds(90))
        return .acceptedAs("theirs", FetchDetails())
      }
      #expect(again.all == [0])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}
