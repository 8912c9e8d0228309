import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

/// Local writes that conflict with another change at their source.
@Suite struct ConflictTests {
  private func withArticles(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("base", for: "1")
      try await body(temporary, articles)
    }
  }

  private static let theirs = Pushed<String>.conflict(
    .value("theirs", FetchDetails(validators: Validators(entityTag: "t"), tags: ["theirs"])))

  @Test func `the server wins: the writes of the key are dropped, and the record is the source's`()
    async throws
  {
    try await withArticles { temporary, articles in
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      try await articles.write("other", for: "2")
      let ids = try temporary.store.outbox(key: "1").map(\.id)
      let outcomes = try await articles.drain(conflicts: .serverWins) { write in
        write.key == "1" ? Self.theirs : .accepted
      }

      #expect(outcomes["1"]?.words == "discarded \(ids)")
      #expect(try temporary.store.outbox().isEmpty)
      #expect(try articles.value("1") == "theirs")
      #expect(try articles.state("1") == .fresh)
      #expect(try articles.explain("1").tags == ["theirs"])
      #expect(try articles.explain("1").validators.entityTag == "t")
      try await articles.put("mine", for: "1")
    }
  }

  @Test(arguments: [(Expiry?.none, 0), (.some(.after(.seconds(60))), 1)])
  func `the server wins with nothing: the object is gone`(
    expiry: Expiry?, records: Int
  ) async throws {
    try await withArticles { temporary, articles in
      var policy = Policy()
      policy.negativeExpiry = expiry
      try await articles.write("a", for: "1")
      try await articles.drain(policy: policy, conflicts: .serverWins) { _ in .conflict(.gone) }

      #expect(try articles.value("1") == nil)
      #expect(try temporary.store.list().count == records)
    }
  }

  @Test func `the client wins: one write replaces all, based on the source's version`()
    async throws
  {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      let before = try temporary.store.outbox()
      let outcomes = try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return sent.all.count == 1 ? Self.theirs : .accepted
      }

      #expect(outcomes["1"]?.words == "accepted b")
      #expect(sent.all.map(\.value) == ["a", "b"])
      #expect(sent.last?.kind == .replace)
      #expect(sent.last?.base == "theirs" && sent.last?.baseValidators.entityTag == "t")
      #expect(!before.map(\.idempotencyKey).contains(sent.last?.idempotencyKey ?? ""))
      #expect(try temporary.store.outbox().isEmpty)
      #expect(try articles.value("1") == "b")
    }
  }

  @Test func `the client wins over a deleted object by creating it anew, and by deleting it`()
    async throws
  {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await articles.write("a", for: "1")
      try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return sent.all.count == 1 ? .conflict(.gone) : .accepted
      }
      try await articles.writeDeletion(of: "1")
      try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return sent.all.count == 3 ? Self.theirs : .accepted
      }
      #expect(sent.all.map(\.kind) == [.replace, .create, .delete, .delete])
      #expect(try articles.state("1") == .absent)
    }
  }

  @Test func `an endless conflict is resolved again after growing pauses`() async throws {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      try await articles.write("a", for: "1")
      for (round, pause) in [1, 4, 16, 64, 150].enumerated() {
        let outcomes = try await articles.drain(conflicts: .clientWins) { write in
          sent.add(write)
          return .conflict(.value("theirs \(sent.all.count)"))
        }
        let now = temporary.clock.reading().wall
        #expect(outcomes["1"]?.until == now.advanced(by: .seconds(pause)))
        #expect(sent.all.count == 2 * (round + 1))
        #expect(try await temporary.store.dueWrites(limit: 1).isEmpty)
        temporary.clock.advance(by: .seconds(pause))
      }
      #expect(try temporary.store.outbox().map(\.state) == [.waiting])
      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a merge receives the base, the local value after all writes, and the source's`()
    async throws
  {
    try await withArticles { _, articles in
      let seen = Recorder<[String?]>()
      for value in ["a", "b"] {
        try await articles.write(value, for: "1", options: WriteOptions(contentType: "text/x"))
      }
      let merge = ConflictPolicy<String>.merge { conflict in
        seen.add([conflict.key, conflict.base, conflict.local, conflict.remote])
        return .merged("merged")
      }
      let outcomes = try await articles.drain(conflicts: merge) { write in
        #expect(write.contentType == "text/x")
        return write.value == "merged" ? .accepted : Self.theirs
      }
      #expect(seen.all == [["1", "base", "b", "theirs"]])
      #expect(outcomes["1"]?.words == "accepted merged")
      #expect(try articles.value("1") == "merged")
    }
  }

  @Test func `a merge that could not be sent is kept and sent later`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1")
      try await articles.drain(conflicts: .merge { _ in .merged("merged") }) { write in
        if write.value == "merged" { throw OriginFailure(retryAfter: .seconds(5)) }
        return Self.theirs
      }
      #expect(try articles.value("1") == "merged")
      temporary.clock.advance(by: .seconds(5))
      let outcomes = try await articles.drain { write in
        #expect(write.base == "theirs" && write.attempts == 1)
        return .accepted
      }
      #expect(outcomes["1"]?.words == "accepted merged")
    }
  }

  @Test func `a merge may park, and a merge that fails leaves the write waiting`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1")
      let failed = try await articles.drain(conflicts: .merge { _ in throw OriginFailure() }) { _ in
        Self.theirs
      }
      #expect(failed["1"]?.words.hasPrefix("deferred: the conflict was not resolved") == true)
      #expect(try articles.explain("1").originIsDownUntil == nil)
      temporary.clock.advance(by: .seconds(60))
      let parked = try await articles.drain { _ in Self.theirs }
      #expect(parked["1"]?.words == "parked: the source holds another change")
      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a write made during the resolution of a conflict is not lost`()
    async throws
  {
    for resolution in [Resolution<String>.remote, .merged("merged"), .deleted, .parked("no")] {
      try await withArticles { temporary, articles in
        try await articles.write("a", for: "1")
        let merge = ConflictPolicy<String>.merge { _ in
          try await articles.write("b", for: "1")
          return resolution
        }
        let outcomes = try await articles.drain(conflicts: merge) { _ in Self.theirs }

        let now = temporary.clock.reading().wall
        #expect(outcomes["1"]?.until == now.advanced(by: .milliseconds(500)))
        #expect(try temporary.store.outbox().map(\.state) == [.waiting, .waiting])
        #expect(try articles.value("1") == "b")
      }
    }
  }

  @Test func `a write that replaces another during the resolution is not lost`()
    async throws
  {
    for resolution in [Resolution<String>.remote, .merged("merged"), .deleted, .parked("no")] {
      try await withArticles { temporary, articles in
        let coalescing = WriteOptions(coalesces: true)
        try await articles.write("a", for: "1")
        let due = try await temporary.store.dueWrites(limit: 1)
        try await articles.write("b", for: "1", options: coalescing)
        let merge = ConflictPolicy<String>.merge { conflict in
          #expect(conflict.local == "b")
          try await articles.write("c", for: "1", options: coalescing)
          return resolution
        }
        let outcomes = await articles.push(due, conflicts: merge) { _ in Self.theirs }

        #expect(try outcomes[due[0].entry.id]?.get().words.contains("was written") == true)
        #expect(try temporary.store.outbox().map(\.state) == [.waiting, .waiting])
        #expect(try articles.value("1") == "c")
      }
    }
  }

  @Test(arguments: [true, false])
  func `a write that is corrected or dropped during the resolution is not overlooked`(
    isCorrected: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1")
      let middle = try await articles.write("b", for: "1")
      try await articles.write("c", for: "1")
      let store = temporary.store
      let merge = ConflictPolicy<String>.merge { _ in
        if isCorrected {
          try await articles.correct(middle, to: "b, corrected")
        } else {
          try await store.drop([middle.id])
        }
        return .merged("merged")
      }
      let outcomes = try await articles.drain(conflicts: merge) { _ in Self.theirs }

      #expect(outcomes["1"]?.words.contains("was written") == true)
      #expect(try store.outbox().map(\.size) == (isCorrected ? [3, 14, 3] : [3, 3]))
    }
  }

  @Test func `a source that holds exactly the written value has accepted the write`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1")
      try await articles.write("b", for: "1")
      let outcomes = try await articles.drain { _ in
        .conflict(.value("a", FetchDetails(validators: Validators(entityTag: "a"))))
      }
      #expect(outcomes["1"]?.words == "accepted a")
      #expect(try articles.value("1") == "b")
      try await articles.drain { write in
        #expect(write.base == "a" && write.baseValidators.entityTag == "a")
        return .accepted
      }
      try await articles.writeDeletion(of: "1")
      let deleted = try await articles.drain { _ in .conflict(.gone) }
      #expect(deleted["1"]?.words == "accepted nothing")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  private struct Note: Codable, Sendable, Equatable {
    var id = 1
    var words: Set<String> = []
    var counts: [String: Int] = [:]

    /// The order in which many models are encoded.
    static func == (one: Note, other: Note) -> Bool { one.id == other.id }
  }

  @Test(arguments: 1...40)
  func `a write that had arrived is no conflict, in whatever order its parts are encoded`(
    count: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let names = (1...count).map { "name \($0)" }
      let counts = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.count) })
      let note = Note(words: Set(names), counts: counts)
      // Built differently, the same elements have another order.
      var again = Note(words: Set(minimumCapacity: 500), counts: [:])
      again.counts.reserveCapacity(700)
      for name in names.reversed() { again.words.insert(name) }
      for name in names.reversed() { again.counts[name] = name.count }
      let theirs = again
      for codec in [JSONCodec<Note>() as any Codec<Note>, PropertyListCodec<Note>()] {
        let notes = try temporary.store.collection(codec.identifier, codec: codec)
        try await notes.write(note, for: "1")
        let outcomes = try await notes.drain { _ in .conflict(.value(theirs)) }
        #expect(outcomes["1"]?.words.hasPrefix("accepted") == true)
      }
    }
  }

  @Test func `a type with a lax equality, and texts equal to Swift alone, lead to a conflict`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: Note.self)
      try await notes.write(Note(words: ["mine"]), for: "1")
      let parked = try await notes.drain { _ in .conflict(.value(Note(words: ["theirs"]))) }
      #expect(parked["1"]?.words.hasPrefix("parked") == true)
      let texts = try temporary.store.collection("texts", of: String.self)
      try await texts.write("caf\u{e9}", for: "1")
      let other = try await texts.drain { _ in .conflict(.value("cafe\u{301}")) }
      #expect(other["1"]?.words.hasPrefix("parked") == true)
    }
  }

  @Test func `"not modified" is no answer to a write, and a refused value is none`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self,
        admitting: Rule { value, findings in
          value == "bad" ? findings.fail(Issue("bad")) : .passed
        })
      for answer in [Fetched<String>.notModified, .value("bad")] {
        try await articles.write("a", for: "1")
        let outcomes = try await articles.drain(conflicts: .serverWins) { _ in .conflict(answer) }
        #expect(outcomes["1"]?.words.hasPrefix("deferred") == true)
        #expect(try articles.value("1") == "a")
        try await temporary.store.drop(temporary.store.outbox().map(\.id))
      }
      try await articles.write("a", for: "1")
      let outcomes = try await articles.drain(conflicts: .merge { _ in .merged("bad") }) { _ in
        Self.theirs
      }
      #expect(outcomes["1"]?.words.hasPrefix("parked: the merged value cannot be stored") == true)
    }
  }
}
