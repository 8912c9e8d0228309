import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes that stand behind another one of their key, and what they are based on.
@Suite struct WriteBehindTests: BasisSuite {
  @Test func `a merge takes no write that was made from another version`() async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1", basedOn: form)
      try await articles.write("second", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { _ in Self.once(sent) }
      }
      #expect(merges.asked.all.map { $0[1] } == ["first", "second"])
      #expect(sent.all.map(\.value) == ["first", "first and two", "second and first and two"])
      #expect(try articles.value("1") == "second and first and two")
    }
  }

  @Test func `a write behind a merge is based on what the merge has replaced`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let other = try await articles.write("other", for: "2")
      try await articles.write("first", for: "1")
      try await articles.write("second", for: "1", options: WriteOptions(after: other.id))
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...3 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          write.value == "first" ? .conflict(.value("two", Self.version("2"))) : .accepted
        }
      }
      #expect(
        merges.asked.all == [["one", "first", "two"], ["first", "second", "first and two"]])
      #expect(try articles.value("1") == "second and first and two")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `the source wins over those writes alone that a merge was shown`(
    isForm: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      let other = try await articles.write("other", for: "2")
      try await articles.write("first", for: "1")
      let second =
        isForm
        ? try await articles.write("second", for: "1", basedOn: form).entry
        : try await articles.write("second", for: "1", options: WriteOptions(after: other.id))
      let (sent, asked) = (Sent<String>(), Recorder<[String?]>())
      let remote = ConflictPolicy<String>.merge { conflict in
        asked.add([conflict.base, conflict.local, conflict.remote])
        return .remote
      }
      let outcomes = try await drain(articles, into: sent, conflicts: remote) { write in
        write.value == "first" ? .conflict(.value("two", Self.version("2"))) : .accepted
      }
      #expect(outcomes["1"]?.words == "discarded [2]")
      #expect(asked.all == [["one", "first", "two"]])
      #expect(try temporary.store.outbox().map(\.id) == [second.id])
      #expect(try articles.value("1") == "second")

      try await drain(articles, into: sent, conflicts: remote)
      #expect(asked.all.last == [isForm ? "one" : "first", "second", "two"])
      #expect(try articles.value("1") == "two")
      #expect(sent.all.map(\.value).sorted { ($0 ?? "") < ($1 ?? "") } == ["first", "other"])
    }
  }

  @Test func `a write behind one that the source has changed is based on that one as written`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      for value in ["two", "three"] { try await articles.update("1") { $0 = value } }
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          write.value == "two" ? .acceptedAs("five", Self.version("2")) : .accepted
        }
      }
      #expect(merges.asked.all == [["two", "three", "five"]])
      #expect(sent.all.map(\.value) == ["two", "three and five"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(try articles.value("1") == "three and five")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a patch behind one that the source has changed is sent upon what came of that`(
    meetsAnother: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let patches = ["a", "b"].map { text in
        WriteKind.patch(Array(text.utf8), contentType: "text/plain")
      }
      try await articles.write("one a", for: "1", as: patches[0])
      try await articles.write("one a b", for: "1", as: patches[1])
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          if meetsAnother, sent.all.count == 2 {
            return .conflict(.value("theirs", Self.version("8")))
          }
          return .acceptedAs("\(write.value ?? ""), stamped", Self.version("\(sent.all.count)0"))
        }
      }
      #expect(sent.all.prefix(2).map(\.kind) == patches)
      #expect(sent.all.prefix(2).map(\.base) == ["one", "one a, stamped"])
      #expect(sent.all.prefix(2).map(\.baseValidators.entityTag) == ["\"1\"", "\"10\""])
      // The local side lacks what the source has added to the one before: so does its base.
      #expect(merges.asked.all == (meetsAnother ? [["one a", "one a b", "theirs"]] : []))
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a write behind one that the source has stored as it was is sent`() async throws {
    try await withArticles { _, articles in
      for value in ["two", "three"] { try await articles.update("1") { $0 = value } }
      let sent = Sent<String>()
      for _ in 1...2 {
        try await drain(articles, into: sent) { write in
          .acceptedAs(write.value ?? "", Self.version(write.value ?? ""))
        }
      }
      #expect(sent.all.map(\.value) == ["two", "three"])
      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "\"two\""])
    }
  }

  @Test func `a patch upon what its source has made of the write before leaves the copy stale`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.write("one", for: "1")
      try await articles.write(
        "one two", for: "1", as: .patch(Array("two".utf8), contentType: "text/plain"))
      let sent = Sent<String>()
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: .merging { _, _, _ in }) { write in
          write.value == "one"
            ? .acceptedAs("one, theirs", Self.version("2")) : .accepted(Self.version("3"))
        }
      }
      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "\"2\""])
      #expect(try articles.state("1") == .stale)
      #expect(try articles.explain("1").validators.isEmpty)
    }
  }
}
