import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A scripted server whose lists come in pages.
@Suite(.timeLimit(.minutes(1))) struct ScriptedPagesTests: ArticleSuite {
  private let server = ScriptedServer(
    ["1": "one", "2": "two", "3": "three", "4": "four", "5": "five"], pageSize: 2)

  @Test func `a store walks through the pages, and then through those of the changes`() async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all", from: server)
      #expect(try articles.members(of: "all") == ["1", "2", "3", "4", "5"])
      #expect(server.lists.map { $0.page != nil } == [false, true, true])

      for key in ["1", "2", "3"] { server[key] = "changed" }
      server["4"] = nil
      _ = try await articles.follow("all", from: server)
      #expect(try articles.members(of: "all") == ["1", "2", "3", "5"])
      #expect(try articles.value("3") == "changed")
      #expect(server.lists.count == 5)
    }
  }

  @Test func `what changes between two pages comes with the next update`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { previous in
        if previous.page != nil { server["1"] = "changed" }
        return try await server.list(previous)
      }
      #expect(try articles.value("1") == "one")
      _ = try await articles.follow("all", from: server)
      #expect(try articles.value("1") == "changed")
    }
  }

  @Test func `a forgotten page leads back to the first one`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { previous in
        if previous.page != nil, server.lists.count == 1 { server.expireCursors() }
        return try await server.list(previous)
      }
      #expect(server.lists.map { $0.page != nil } == [false, true, false, true, true])
      #expect(try articles.members(of: "all").count == 5)
    }
  }

  @Test(arguments: ["", ":", "x:1", "99:1", "-1:1"])
  func `a token that it has not given out has expired`(page: String) async throws {
    #expect(try await server.list(PreviousList(name: "all", page: page)) == .expiredCursor)
  }
}
