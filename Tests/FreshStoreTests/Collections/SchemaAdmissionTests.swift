import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Testing

/// Collections whose values a schema normalises and checks.
@Suite struct SchemaAdmissionTests {
  private struct Article: Codable, Sendable, Equatable {
    var title: String
    var language: String?
  }

  private static let schema = Schema<Article> {
    Field(\Article.title, "title").trimmed().required().rule(.length(max: 5))
    Field(\Article.language, "language").defaulting(to: "en")
    Field(\Article.language, "tongue").required(on: ["strict"])
  }

  private func articles(
    _ temporary: TemporaryStore, policy: Policy = .sourceFirst
  ) throws -> RecordCollection<Article> {
    try temporary.store.collection("articles", policy: policy, admitting: Self.schema)
  }

  @Test func `a put value is stored after the schema's steps`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try articles(temporary)
      try await articles.put(Article(title: "  one "), for: "1")
      #expect(try articles.read("1").copy?.value == Article(title: "one", language: "en"))
    }
  }

  @Test(arguments: [WriteOrder.sourceFirst, .cacheFirst])
  func `a value written through is sent after the schema's steps, or not at all`(
    order: WriteOrder
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try articles(temporary)
      let written = try await articles.writeThrough(
        Article(title: " one "), for: "1", order: order
      ) { sent in
        #expect(sent == Article(title: "one", language: "en"))
        return sent
      }
      #expect(written.value.title == "one" && written.storeFailure == nil)
      await #expect(throws: WriteError.self) {
        _ = try await articles.writeThrough(
          Article(title: "far too long"), for: "2", order: order
        ) { sent in
          Issue.record("it was sent")
          return sent
        }
      }
    }
  }

  @Test func `a fetched value is stored and returned after the schema's steps`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try articles(temporary)
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: " one\n")) }
      let answer = try await articles.get("1", from: origin)
      #expect(answer.value == Article(title: "one", language: "en"))
      #expect(try articles.read("1").copy?.value == answer.value)
    }
  }

  @Test func `a get that bypasses the store applies the steps, too`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.mode = .bypass
      let articles = try articles(temporary, policy: policy)
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: " one ")) }
      #expect(try await articles.get("1", from: origin).value.title == "one")
      origin.answer { _ in .value(Article(title: "far too long")) }
      let failure = try #require(await articles.failure("1", from: origin))
      #expect(failure.refusal?.map(\.code) == ["too-long"])
    }
  }

  @Test func `a value that breaks the rules after the steps is refused, and the good copy stays`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try articles(temporary)
      try await articles.put(Article(title: "good"), for: "1")
      let refused = await storeFailure { try await articles.put(Article(title: "  "), for: "1") }
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: "far too long")) }
      let answer = try await articles.get("1", from: origin)

      guard case .refused(let report) = refused?.code else {
        Testing.Issue.record("\(String(describing: refused))")
        return
      }
      #expect(report.issues.map(\.description) == ["title: must be there (required)"])
      #expect(answer.value.title == "good")
      #expect(answer.freshness == .staleOnError || answer.freshness == .fresh)
      #expect(answer.fetchFailure?.refusal?.map(\.code) == ["too-long"])
    }
  }

  @Test func `a stored value is checked, but not normalised`() async throws {
    try await TemporaryStore.run { temporary in
      let plain = try temporary.store.collection("articles", of: Article.self)
      try await plain.put(["1": Article(title: " one "), "2": Article(title: "far too long")])
      let articles = try articles(temporary)
      #expect(try articles.read("1").copy?.value.title == " one ")
      guard case .refused(let report) = try articles.read("2").decision.cause else {
        Testing.Issue.record("served")
        return
      }
      #expect(report.issues.map(\.code) == ["too-long"])
      #expect(try articles.explain("2").decision.outcome == .unusable)
    }
  }

  @Test func `a scenario decides which rules are checked`() async throws {
    try await TemporaryStore.run { temporary in
      let strict = Schema<Article> {
        Field(\Article.language, "language").required(on: ["strict"])
      }
      let loose = try temporary.store.collection("articles", admitting: strict)
      let tight = try temporary.store.collection("articles", admitting: strict, in: "strict")
      try await loose.put(Article(title: "one"), for: "1")
      #expect(try loose.state("1") == .fresh)
      #expect(try tight.state("1") == .unusable)
    }
  }

  @Test func `a scenario decides which steps are applied`() async throws {
    try await TemporaryStore.run { temporary in
      let schema = Schema<Article> {
        Field(\Article.language, "language").defaulting(to: "en", on: ["strict"])
      }
      let loose = try temporary.store.collection("articles", admitting: schema)
      let tight = try temporary.store.collection("articles", admitting: schema, in: "strict")
      try await loose.put(Article(title: "one"), for: "1")
      try await tight.put(Article(title: "two"), for: "2")
      #expect(try loose.read("1").copy?.value.language == nil)
      #expect(try loose.read("2").copy?.value.language == "en")
    }
  }

  @Test func `a scenario missing from the schema is refused`() async throws {
    try await TemporaryStore.run { temporary in
      let document = try DocumentSchema(parsing: Array("{}".utf8))
      let typed = await storeFailure {
        try temporary.store.collection("articles", admitting: Self.schema, in: "strikt")
      }
      let bytes = await storeFailure {
        try temporary.store.bytes("articles", admitting: document, in: "strikt")
      }
      let words = #"the schema has no scenario "strikt"; it has "#
      #expect(typed?.code == .invalidArgument(words + "default, strict"))
      #expect(bytes?.code == .invalidArgument(words + "default"))
    }
  }

  @Test func `a rule may be added to a schema`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try articles(temporary)
        .admitting(Rule(code: "shout") { $0.title != "LOUD" })
      for (title, codes) in [("LOUD", ["shout"]), ("", ["required"]), (" calm ", nil)] {
        let failure = await storeFailure { try await articles.put(Article(title: title), for: "1") }
        #expect(failure?.refusal?.map(\.code) == codes)
      }
    }
  }

  @Test(arguments: [
    (#"{"title": " one "}"#, #"{"title":"one","language":"en"}"#),
    (#"{"title": "one",  "language": "nl"}"#, #"{"title": "one",  "language": "nl"}"#),
    (#"{"language": "nl"}"#, nil), ("{", nil),
  ])
  func `JSON text changed by the steps is written anew, other text keeps its bytes`(
    text: String, stored: String?
  ) async throws {
    let schema = try DocumentSchema(
      parsing: Array(
        """
        {"type": "object", "fields": {
          "title": {"trim": true, "required": true, "length": {"max": 5}},
          "language": {"default": "en"}}}
        """.utf8))
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.bytes("pages", admitting: schema)
      let failure = await storeFailure { try await pages.put(Array(text.utf8), for: "1") }
      let copy = try pages.read("1").copy?.value
      #expect(copy.map { String(decoding: $0, as: UTF8.self) } == stored)
      #expect((failure == nil) == (stored != nil))
    }
  }
}
