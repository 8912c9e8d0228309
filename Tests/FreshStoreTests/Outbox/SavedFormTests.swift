import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Forms that are saved twice, and new ones.
@Suite struct SavedFormTests: BasisSuite {
  @Test func `a form that is saved twice does not conflict with itself`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      var basis = try articles.read("1").basis
      basis = try await articles.write("first", for: "1", basedOn: basis).basis
      basis = try await articles.write("second", for: "1", basedOn: basis).basis
      let (sent, merges) = (Sent<String>(), Merges())
      for number in 2...3 {
        try await drain(articles, into: sent, conflicts: merges.policy) { _ in
          .accepted(Self.version("\(number)"))
        }
      }
      try await articles.write("third", for: "1", basedOn: basis)
      try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all.isEmpty)
      #expect(sent.all.map(\.value) == ["first", "second", "third"])
      #expect(sent.all.map(\.base) == ["one", "first", "second"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\"", "\"3\""])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [ConflictPolicy<String>.parks, .serverWins, .clientWins], [true, false])
  func `without a merge the next save of a form follows what the source has made of the one before`(
    conflicts: ConflictPolicy<String>, isOpenedAnew: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      // Or a form that was opened while the first save waited.
      let basis = try isOpenedAnew ? articles.read("1").basis : saved
      let sent = Sent<String>()
      try await drain(articles, into: sent, conflicts: conflicts) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.write("second", for: "1", basedOn: basis)
      let outcomes = try await drain(articles, into: sent, conflicts: conflicts)

      #expect(outcomes["1"]?.words == "accepted second")
      #expect(sent.all.map(\.base) == ["one", "first, stamped"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `what the source has made of a save stays that when it is fetched again`(
    isTold: Bool
  ) async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      let sent = Sent<String>()
      try await drain(articles, into: sent) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.markStale("1")
      let origin = ScriptedOrigin<String> { _ in
        isTold ? .value("first, stamped", Self.version("3")) : .notModified
      }
      try await articles.get("1", from: origin)
      try await articles.write("second", for: "1", basedOn: saved)
      let outcomes = try await drain(articles, into: sent)

      #expect(outcomes["1"]?.words == "accepted second")
      #expect(sent.last?.baseValidators.entityTag == (isTold ? "\"3\"" : "\"2\""))
    }
  }

  @Test
  func `a merge brings the next save of a form into what the source has made of the one before`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.write("second", for: "1", basedOn: saved)
      try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all == [["first", "second", "first, stamped"]])
      #expect(sent.last?.value == "second and first, stamped")
    }
  }

  @Test func `what others have written between two saves of a form is a conflict with the second`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let saved = try await articles.write(
        "first", for: "1", basedOn: articles.read("1").basis)
      #expect(saved.entry.kind == .replace && saved.basis.value == "first")
      try await articles.drain { _ in .accepted(Self.version("2")) }
      try await articles.put("theirs", for: "1", details: Self.version("3"))
      try await articles.write("second", for: "1", basedOn: saved.basis)
      let merges = Merges()
      try await articles.drain(conflicts: merges.policy) { _ in .accepted }

      #expect(merges.asked.all == [["first", "second", "theirs"]])
    }
  }

  @Test func `a new object that another form, or the source, has made meanwhile is a conflict`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try articles.read("1").basis
      #expect(form.value == nil && form.key == "1")
      try await articles.put("theirs", for: "1", details: Self.version("1"))
      let saved = try await articles.write("mine", for: "1", basedOn: form)
      #expect(saved.entry.kind == .create)
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all == [[nil, "mine", "theirs"]])
      #expect(sent.all.map(\.value) == ["mine and theirs"])
    }
  }

  @Test func `a new object that nobody else has made is created`() async throws {
    try await withArticles { _, articles in
      try await articles.write("mine", for: "1", basedOn: articles.read("1").basis)
      let sent = Sent<String>()
      try await drain(articles, into: sent)

      #expect(sent.all.map(\.kind) == [.create])
      #expect(sent.all.map(\.base) == [nil])
    }
  }
}
