import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The versions with which local writes are sent that say what they were made from.
@Suite struct BasisVersionTests: BasisSuite {
  @Test(arguments: [
    ("one", ["two", "two"], "accepted two"),
    ("theirs", ["two"], "parked: the source holds another change"),
  ])
  func `a form that was saved, and whose record is gone, is sent upon its last value alone`(
    held: String, values: [String], outcome: String
  ) async throws {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      let nothing = try articles.read("1").basis
      let saved = try await articles.write("one", for: "1", basedOn: nothing).basis
      try await drain(articles, into: Sent<String>())
      try await articles.remove("1")
      try await articles.write("two", for: "1", basedOn: saved)
      // A source without versions, which shows what it holds when it is asked to look.
      let outcomes = try await drain(articles, into: sent) { write in
        write.isBaseUnseen ? .conflict(.value(held)) : .accepted
      }

      #expect(sent.all.map(\.value) == values)
      #expect(sent.all.map(\.base) == values.map { _ in "one" })
      #expect(sent.all.map(\.isBaseUnseen) == [true, false].prefix(values.count).map(\.self))
      #expect(outcomes["1"]?.words == outcome)
      let attempts = try temporary.store.outbox().map(\.attempts)
      #expect(attempts == (held == "one" ? [] : [1]))
    }
  }

  @Test func `a copy that is still the present version is the base, also after a confirmation`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      try await articles.markStale("1")
      let origin = ScriptedOrigin<String> { _ in .notModified }
      try await articles.get("1", from: origin)
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      try await drain(articles, into: sent)

      #expect(sent.all.map(\.base) == ["one"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\""])
    }
  }

  @Test func `a base that is gone is sent all the same, and the source decides`() async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.remove("1")
      try await articles.write("mine", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy) { _ in Self.once(sent) }

      #expect(sent.all.map(\.base) == ["one", "two"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(merges.asked.all == [["one", "mine", "two"]])
    }
  }

  @Test func `a basis that the source is known to hold is sent with its version`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("first", for: "1")
      let form = try articles.read("1").basis
      let other = try await articles.write("other", for: "1")
      try await articles.write("second", for: "1", basedOn: form)
      try await articles.drain { _ in .accepted(Self.version("1")) }
      try await temporary.store.drop([other.id])
      let sent = Sent<String>()
      try await drain(articles, into: sent)
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\""])
    }
  }

  @Test func `a basis without a version is sent with that of the known state of the source`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      try await articles.write("shown", for: "1")
      let form = try articles.read("1").basis
      for _ in 1...2 { try await articles.write("mine", for: "1", basedOn: form) }
      let sent = Sent<String>()
      for value in ["shown", "mine"] {
        try await drain(articles, into: sent) { _ in .accepted(Self.version(value)) }
      }
      // From here on equal sides prove nothing.
      try await articles.markStale("1")
      try await drain(articles, into: sent, conflicts: .clientWins) { _ in
        sent.all.count == 3 ? .conflict(.value("three", Self.version("3"))) : .accepted
      }

      #expect(sent.all.map(\.value) == ["shown", "mine", "mine", "mine"])
      #expect(
        sent.all.map(\.baseValidators.entityTag) == [
          "\"1\"", "\"shown\"", "\"mine\"", "\"3\"",
        ])
    }
  }

  @Test func `a basis that its source shows and forbids to keep is asked about once`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1")
      let form = try articles.read("1").basis
      try await articles.remove("1")
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      let outcomes = try await drain(articles, into: sent) { _ in
        .conflict(.value("one", FetchDetails(isStorable: false)))
      }
      #expect(sent.all.count == 1)
      #expect(outcomes["1"]?.words == "parked: the source holds another change")
    }
  }

  /// Why the source may hold another version than the known one.
  enum Doubt: CaseIterable {
    case mark, coveringMark, age
  }

  @Test(arguments: Doubt.allCases)
  func `equal sides prove nothing where the source may hold another version by now`(
    doubt: Doubt
  ) async throws {
    try await withArticles(.cacheFirst.expiring(.after(.seconds(60)))) { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      switch doubt {
      case .mark: try await articles.markStale("1")
      case .coveringMark: try await articles.markAllStale()
      case .age: temporary.clock.advance(by: .seconds(61))
      }
      try await articles.write("two", for: "1", basedOn: form)
      let sent = Sent<String>()
      try await drain(articles, into: sent, conflicts: .clientWins) { _ in
        sent.all.count == 1 ? .conflict(.value("three", Self.version("3"))) : .accepted
      }
      #expect(sent.all.count == 2)
    }
  }
}
