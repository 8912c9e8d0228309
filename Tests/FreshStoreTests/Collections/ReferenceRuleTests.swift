import FreshStoreTesting
import Rules
import StoreSupport
import Testing

@testable import FreshStore

/// Rules that ask a collection of the store.
@Suite struct ReferenceRuleTests {
  private struct Article: Codable, Sendable {
    var title: String
    var author: String
  }

  private func withAuthors(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let authors = try temporary.store.collection("authors", of: String.self)
      try await authors.put("Ada Lovelace", for: "ada")
      try await body(temporary, authors)
    }
  }

  @Test(arguments: [("ada", Outcome.passed), ("grace", .failed), ("", .undecided)])
  func `the key of an existing record exists`(key: String, outcome: Outcome) async throws {
    try await withAuthors { _, authors in
      let report = Rule.existing(in: authors).check(key)
      #expect(report.outcome == outcome)
      #expect(report.issues.map(\.code) == (outcome == .failed ? ["unknown"] : []))
    }
  }

  @Test(arguments: [("ada", Outcome.failed), ("grace", .passed), ("", .undecided)])
  func `the key of an existing record is not unique`(
    key: String, outcome: Outcome
  ) async throws {
    try await withAuthors { _, authors in
      let report = Rule.unique(in: authors).check(key)
      #expect(report.outcome == outcome)
      #expect(report.issues.map(\.code) == (outcome == .failed ? ["already-known"] : []))
    }
  }

  @Test func `a stale record exists, a removed one does not`() async throws {
    try await withAuthors { temporary, authors in
      temporary.clock.advance(by: .seconds(86_400))
      let rule = Rule.existing(in: authors)
      let whileStale = rule.check("ada").outcome
      try await authors.remove(["ada"])
      #expect(whileStale == .passed)
      #expect(rule.check("ada").outcome == .failed)
    }
  }

  @Test func `a stored absence is no record`() async throws {
    try await withAuthors { _, authors in
      _ = await authors.failure("grace", from: ScriptedOrigin { _ in .gone })
      #expect(Rule.existing(in: authors).check("grace").outcome == .failed)
    }
  }

  @Test func `a value that names a missing record is refused, and its good copy stays`()
    async throws
  {
    try await withAuthors { temporary, authors in
      let known = Rule<Article>.field(\.author, "author", .existing(in: authors))
      let articles = try temporary.store.collection(
        "articles", of: Article.self, policy: .sourceFirst, admitting: known)
      let origin = ScriptedOrigin<Article> { _ in
        .value(Article(title: "one", author: "ada"))
      }
      try await articles.get("1", from: origin)
      origin.answer { _ in .value(Article(title: "two", author: "nobody")) }

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value.title == "one")
      guard case .refused(let report) = answer.fetchFailure?.code else {
        Testing.Issue.record("not refused: \(String(describing: answer.fetchFailure))")
        return
      }
      #expect(report.issues.map(\.path.description) == ["author"])
    }
  }

  @Test func `with a closed store there is no verdict`() async throws {
    try await withAuthors { temporary, authors in
      let another = try temporary.another()
      let rule = Rule.existing(in: try another.collection("authors", of: String.self))
      try await another.close()
      #expect(rule.check("ada").outcome == .undecided)
    }
  }
}
