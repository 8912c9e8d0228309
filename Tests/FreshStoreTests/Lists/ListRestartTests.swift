import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Lists that begin anew, and lists that are forgotten.
@Suite(.timeLimit(.minutes(1))) struct ListRestartTests: ArticleSuite {
  private func withList(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in
        .full(["1": .value("a"), "2": .value("b")], cursor: "1")
      }
      try await body(temporary, articles)
    }
  }

  @Test func `a restarted list is due now, as a whole, and its members stay`() async throws {
    try await withList { temporary, articles in
      #expect(try await articles.restart(list: "all"))

      #expect(try articles.listDue("all") == temporary.clock.reading().wall)
      #expect(try articles.members(of: "all") == ["1", "2"])
      #expect(try articles.state("1") == .fresh)
      let asked = Recorder<PreviousList>()
      let followed = try await articles.follow("all") { previous in
        asked.add(previous)
        return .full(["1": .value("a")], cursor: "2")
      }
      #expect(asked.last == PreviousList(name: "all", count: 2))
      #expect(followed.removed == ["2"])
    }
  }

  @Test func `a walk through pages that is restarted begins with the first page`() async throws {
    try await withArticles { _, articles in
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { previous in
          guard previous.page == nil else { throw OriginFailure() }
          return .fullPage(["1": .value("a")], next: "p2")
        }
      }
      try await articles.restart(list: "all")
      let asked = Recorder<PreviousList>()
      _ = try await articles.follow("all") { previous in
        asked.add(previous)
        return .full([:], cursor: "1")
      }
      #expect(asked.last?.page == nil)
    }
  }

  @Test func `a list that was never followed cannot be restarted`() async throws {
    try await withArticles { (_, articles) async throws in
      #expect(try await !articles.restart(list: "all"))
      #expect(try await articles.forget(list: "all", removingMembers: true).isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `an update under way stores nothing more`(forgets: Bool) async throws {
    try await withList { (_, articles) async throws in
      let failure = await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in
          if forgets {
            try await articles.forget(list: "all")
          } else {
            try await articles.restart(list: "all")
          }
          return .full(["3": .value("c")], cursor: "2")
        }
      }
      #expect(failure?.storeFailure?.code == .superseded)
      #expect(try articles.value("3") == nil)
      #expect(try articles.listCursor("all") == nil)
    }
  }

  @Test func `a forgotten list leaves its members`() async throws {
    try await withList { temporary, articles in
      #expect(try await articles.forget(list: "all").isEmpty)

      #expect(try articles.members(of: "all").isEmpty)
      #expect(try articles.value("1") == "a")
      #expect(try articles.listDue("all") == temporary.clock.reading().wall)
      let asked = Recorder<PreviousList>()
      let followed = try await articles.follow("all") { previous in
        asked.add(previous)
        return .full(["2": .value("b")], cursor: "2")
      }
      #expect(asked.last == PreviousList(name: "all"))
      #expect(followed.removed.isEmpty)
    }
  }

  @Test func `members are removed with their list, unless something keeps them`() async throws {
    try await withArticles { _, articles in
      let members = ["pinned", "written", "both", "alone"].map {
        ($0, ListMember<String>.value("a"))
      }
      let all = Dictionary(uniqueKeysWithValues: members)
      _ = try await articles.follow("all") { _ in .full(all, cursor: "1") }
      _ = try await articles.follow("other") { _ in .full(["both": .named], cursor: "1") }
      try await articles.setPinned(true, for: "pinned")
      try await articles.write("mine", for: "written")

      let removed = try await articles.forget(list: "all", removingMembers: true)

      #expect(removed == ["alone"])
      #expect(try articles.value("alone") == nil)
      for key in ["pinned", "both"] { #expect(try articles.value(key) == "a") }
      #expect(try articles.value("written") == "mine")
    }
  }

  @Test func `a list that an older program has followed comes as a whole, at once`()
    async throws
  {
    try await withList { temporary, articles in
      let other = try temporary.another()
      let younger = try other.collection("articles", of: String.self, contentVersion: 2)
      for key in ["1", "2"] { #expect(try younger.state(key) == .unusable) }
      #expect(try await other.due(limit: 9).isEmpty)
      #expect(try younger.listDue("all") == temporary.clock.reading().wall)
      let asked = Recorder<PreviousList>()

      let followed = try await younger.follow("all") { previous in
        asked.add(previous)
        return .full(["1": .value("new"), "2": .named], cursor: "2")
      }

      #expect(asked.last == PreviousList(name: "all", count: 2))
      #expect(followed.stored == ["1"] && followed.queued == ["2"])
      #expect(try younger.value("1") == "new")
      // Two versions side by side do not keep undoing what the other does.
      #expect(try articles.listDue("all") != temporary.clock.reading().wall)
      try await other.close()
    }
  }

  @Test func `a copy of another version of the program is not renewed`() async throws {
    try await withList { temporary, articles in
      let other = try temporary.another()
      let younger = try other.collection("articles", of: String.self, contentVersion: 2)
      let followed = try await younger.follow("all") { _ in
        .full(["1": .unchanged, "2": .value("b")], cursor: "2")
      }
      let next = try await younger.follow("all") { _ in .notModified }

      #expect(followed.renewed.isEmpty && followed.queued == ["1"])
      #expect(next.renewed == ["2"])
      try await other.close()
    }
  }
}
