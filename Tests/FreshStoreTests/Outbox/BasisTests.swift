import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes that say what they were made from.
@Suite struct BasisTests: BasisSuite {
  @Test func `a draft that was kept is based on what it was opened with`() async throws {
    try await withArticles { temporary, articles in
      let opened = try await form(in: articles, replacedBy: "two")
      let kept = try JSONDecoder().decode(
        Basis<String>.self, from: try JSONEncoder().encode(opened))
      try await articles.write("mine", for: "1", basedOn: kept)
      let sent = Sent<String>()
      let outcomes = try await drain(articles, into: sent, conflicts: .parks)
      #expect(outcomes["1"]?.words == "parked: the source holds another change")
      #expect(kept.key == "1" && kept.value == "one")
      #expect(kept.validators == opened.validators && kept.written == opened.written)
    }
  }

  @Test func `a form opened on an earlier version never overwrites a later one unseen`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      let outcome = try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all == [["one", "mine", "two"]])
      #expect(sent.all.map(\.value) == ["mine and two"])
      #expect(sent.all.map(\.base) == ["two"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"2\""])
      #expect(outcome["1"]?.words == "accepted mine and two")
      #expect(try articles.value("1") == "mine and two")
    }
  }

  @Test(arguments: [
    (
      ConflictPolicy<String>.parks, "parked: the source holds another change", "mine", [String?]()
    ),
    (.serverWins, "discarded [1]", "two", []), (.clientWins, "accepted mine", "mine", ["two"]),
  ])
  func `a conflict that is known already is ended without a request`(
    conflicts: ConflictPolicy<String>, outcome: String, value: String, bases: [String?]
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      let outcomes = try await drain(articles, into: sent, conflicts: conflicts)

      #expect(outcomes["1"]?.words == outcome)
      #expect(try articles.value("1") == value)
      #expect(sent.all.map(\.base) == bases)
      if value == "two" {
        #expect(try articles.state("1") == .fresh)
        #expect(try articles.explain("1").validators.entityTag == "\"2\"")
        #expect(try temporary.store.outbox().isEmpty)
      }
    }
  }

  @Test func `a conflict that is known counts no attempt, unless its resolution fails`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      let entry = try await articles.write("mine", for: "1", basedOn: form).entry
      let sent = Sent<String>()
      let found = { () async throws in
        try await temporary.store.pushCommits.run { (connection) throws(SQLiteError) in
          try Storage.write(entry.id, connection)
        }
      }
      // Something is written while it is resolved.
      try await drain(
        articles, into: sent,
        conflicts: .merge { _ in
          try await articles.write("later", for: "1")
          return .merged("both")
        })
      let outdated = try #require(try await found())
      #expect(outdated.attempts == 0 && outdated.asked == nil && outdated.conflicts == 1)

      temporary.clock.advance(by: .minutes(10))
      try await drain(articles, into: sent, conflicts: .merge { _ in throw OriginFailure() })
      let failed = try #require(try await found())
      #expect(failed.attempts == 1 && failed.asked == nil && failed.askedAt == nil)
      temporary.clock.advance(by: .minutes(10))
      try await drain(articles, into: sent)
      #expect(try await found()?.attempts == 1)
      #expect(try temporary.store.outbox().map(\.state) == [.parked, .waiting])
      #expect(sent.all.isEmpty)
    }
  }

  @Test(arguments: [OriginFailure(), OriginFailure(blamesOrigin: false)])
  func `a merge that fails before anything is sent says nothing about the origin`(
    failure: OriginFailure
  ) async throws {
    try await withArticles(.cacheFirst.origin(Origin("https://a.example"))) { temporary, articles in
      try await articles.write("other", for: "2")
      try await articles.drain { _ in throw OriginFailure() }
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      let failures = { () throws in try temporary.store.backlog().failingOrigins.map(\.failures) }
      #expect(try failures() == [1])
      try await drain(articles, into: Sent(), conflicts: .merge { _ in throw failure })
      #expect(try failures() == [1])
    }
  }

  @Test func `two forms opened on one version conflict with each other, in their order`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1", basedOn: form)
      try await articles.write("second", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy)
      }

      #expect(merges.asked.all == [["one", "second", "first"]])
      #expect(sent.all.map(\.value) == ["first", "second and first"])
    }
  }

  @Test func `a form opened on a local write goes on from it`() async throws {
    try await withArticles { _, articles in
      try await articles.write("first", for: "1")
      let form = try articles.read("1").basis
      let sent = Sent<String>()
      try await drain(articles, into: sent) { _ in .accepted(Self.version("1")) }
      try await articles.write("second", for: "1", basedOn: form)
      try await drain(articles, into: sent, conflicts: .parks)

      #expect(sent.all.map(\.value) == ["first", "second"])
      #expect(sent.all.map(\.base) == [nil, "first"])
      #expect(sent.last?.baseValidators.entityTag == "\"1\"")
    }
  }

  @Test func `a deletion that was decided upon an earlier version is a conflict, too`() async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.writeDeletion(of: "1", basedOn: form)
      let outcome = try await articles.drain(conflicts: .serverWins) { _ in .accepted }

      #expect(outcome["1"]?.words == "discarded [1]")
      #expect(try articles.value("1") == "two")
    }
  }

  @Test func `a mark from before a known conflict still counts after the server has won`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await temporary.store.markStale(collection: "articles")
      try await articles.write("mine", for: "1", basedOn: form)
      try await articles.drain(conflicts: .serverWins) { _ in .accepted }

      #expect(try articles.value("1") == "two")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `what was stale as it was accepted stays so after it has won a known conflict`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1")
      try await articles.write("mine", for: "1", basedOn: form)
      for _ in 1...2 {
        try await articles.drain(conflicts: .serverWins) { _ in
          .accepted(FetchDetails(isStorable: false))
        }
      }

      #expect(try articles.value("1") == "first")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a coalesced write keeps the basis of the first one`() async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      try await articles.write("mine, longer", for: "1", options: WriteOptions(coalesces: true))
      let merges = Merges()
      try await articles.drain(conflicts: merges.policy) { _ in .accepted }

      #expect(merges.asked.all == [["one", "mine, longer", "two"]])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a base of another key is refused`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let basis = try articles.read("1").basis
      await #expect(throws: StoreError.self) {
        try await articles.write("mine", for: "2", basedOn: basis)
      }
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a basis survives the file, with what a later version has put into it`() {
    var basis = WriteBasis()
    basis.value = [1, 2, 3]
    (basis.codec, basis.contentVersion) = ("json", 7)
    basis.validators = Validators(entityTag: "\"é\"", lastModified: "then")
    (basis.metadata, basis.written) = ("more", .min)
    #expect(WriteBasis(encoded: basis.encoded) == basis)
    #expect(WriteBasis(encoded: WriteBasis().encoded) == WriteBasis())
    // A field of a later version, without which the write would not match its checksum.
    let later = basis.encoded + [200, 1, 9]
    #expect(WriteBasis(encoded: later).encoded == later)
  }
}
