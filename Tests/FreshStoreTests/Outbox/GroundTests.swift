import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The version that a write is based on, as its push sees it.
@Suite struct GroundTests: ArticleSuite {
  private static func unstorable(_ tag: String) -> FetchDetails {
    FetchDetails(
      isStorable: false, validators: Validators(entityTag: tag), metadata: "from \(tag)")
  }

  @Test func `a replacing write depends on a version that may not be stored`()
    async throws
  {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      try await articles.put("base", for: "1")
      try await articles.write("mine", for: "1")
      try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return sent.all.count == 1 ? .conflict(.value("theirs", Self.unstorable("t"))) : .accepted
      }

      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "t"])
      #expect(sent.last?.base == nil && sent.last?.metadata == "from t")
      #expect(try articles.value("1") == "mine")
    }
  }

  @Test(
    arguments: [
      (Pushed<String>.accepted(unstorable("t")), "a"), (.acceptedAs("a", unstorable("t")), "a"),
      (.acceptedAs("made", unstorable("t")), nil),
    ] as [(Pushed<String>, String?)])
  func `a later write depends on the unstorable version of an earlier one`(
    answer: Pushed<String>, base: String?
  ) async throws {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      for _ in 0..<2 {
        try await articles.drain { write in
          sent.add(write)
          return sent.all.count == 1 ? answer : .accepted
        }
      }

      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "t"])
      #expect(sent.last?.base == base)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [
    (FetchDetails(expiry: .never), true), (FetchDetails(expiry: .immediately), false),
  ])
  func `a deletion that was only promised is not an absence`(
    details: FetchDetails, isAbsent: Bool
  ) async throws {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await articles.writeDeletion(of: "1")
      try await articles.write("mine", for: "1")
      for _ in 0..<2 {
        try await articles.drain { write in
          sent.add(write)
          return .accepted(details)
        }
      }

      #expect(sent.all.map(\.isBaseAbsent) == [false, isAbsent])
    }
  }

  @Test func `a base whose version was unknown is no conflict where the source shows it`()
    async throws
  {
    try await withArticles { temporary, articles in
      let (sent, tag) = (Sent<String>(), Validators(entityTag: "t"))
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      for _ in 1...2 {
        try await articles.drain { write in
          sent.add(write)
          return sent.all.count == 2
            ? .conflict(.value("a", FetchDetails(validators: tag))) : .accepted
        }
      }

      #expect(sent.all.map(\.value) == ["a", "b", "b"])
      #expect(sent.all.map(\.base) == [nil, "a", "a"])
      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, nil, "t"])
      #expect(Set(sent.all.map(\.idempotencyKey)).count == 2)
      #expect(try articles.value("1") == "b" && temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a source that goes on showing the base is in conflict with the write`() async throws {
    try await withArticles { temporary, articles in
      let (sent, tag) = (Sent<String>(), Validators(entityTag: "t"))
      try await articles.put("a", for: "1")
      try await articles.write("b", for: "1")
      let outcome = try await articles.drain { write in
        sent.add(write)
        return .conflict(.value("a", FetchDetails(validators: tag)))
      }
      #expect(sent.all.count == 2)
      #expect(outcome["1"]?.words == "parked: the source holds another change")
    }
  }

  @Test func `a marked absence is not used as a base`() async throws {
    try await withArticles { _, articles in
      let (sent, gone) = (Sent<String>(), FetchDetails(expiry: .never))
      await #expect(throws: GetError.self) { try await articles.get("1") { _ in .gone(gone) } }
      try await articles.markStale("1")
      try await articles.write("mine", for: "1")
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }

      #expect(sent.all.map(\.isBaseAbsent) == [false])
    }
  }

  @Test func `a fetch does not use the validators of a version that may not be stored`()
    async throws
  {
    try await withArticles { temporary, articles in
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      try await articles.drain { _ in .acceptedAs("made", Self.unstorable("t")) }
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
      #expect(try articles.explain("1").validators.isEmpty)
      let asked = Recorder<Validators>()
      let answer = try await articles.get("1") { previous in
        asked.add(previous.validators)
        return .value("theirs")
      }

      #expect(asked.all == [Validators()] && answer.value == "theirs")
    }
  }

  @Test(arguments: [
    (Fetched<String>.gone(FetchDetails(expiry: .never)), true), (.value("x"), false),
  ])
  func `a push knows that the source holds nothing`(
    fetched: Fetched<String>, isAbsent: Bool
  ) async throws {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      do { _ = try await articles.get("1") { _ in fetched } } catch { #expect(isAbsent) }
      try await articles.write("mine", for: "1")
      try await articles.write("mine", for: "2")
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }

      let told = sent.all.filter { $0.key == "1" }.map(\.isBaseAbsent)
      #expect(told == [isAbsent])
      #expect(sent.all.filter { $0.key == "2" }.map(\.isBaseAbsent) == [false])
    }
  }
}
