import FreshStore
import FreshStoreTesting
import Strategies
import Testing

/// What a write is told of the version that it is made upon.
@Suite struct GroundTests: ArticleSuite {
  private static func unstorable(_ tag: String) -> FetchDetails {
    FetchDetails(
      isStorable: false, validators: Validators(entityTag: tag), metadata: "from \(tag)")
  }

  @Test func `what takes the place of a write is conditional upon a value that may not be stored`()
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

  @Test(arguments: [
    Pushed<String>.accepted(unstorable("t")), .acceptedAs("made", unstorable("t")),
  ])
  func `a later write is conditional upon what may not be stored of an earlier one`(
    answer: Pushed<String>
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
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a fetch is not conditional upon what may not be stored`() async throws {
    try await withArticles { temporary, articles in
      for value in ["a", "b"] { try await articles.write(value, for: "1") }
      try await articles.drain { _ in .accepted(Self.unstorable("t")) }
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
  func `a write is told that the source holds nothing`(
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
