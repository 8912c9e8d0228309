import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Members that a list or this store removes while other questions are in flight.
@Suite(.timeLimit(.minutes(1))) struct ListRemovalTests: ListSuite {
  @Test(arguments: ["remove", "removeAll", "prune"])
  func `a list whose members were removed here is fetched as a whole the next time`(
    _ route: String
  ) async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      switch route {
      case "remove": try await articles.remove("1")
      case "removeAll": try await articles.removeAll()
      default:
        var options = PruneOptions()
        options.maximumCount = 0
        _ = try await temporary.store.prune(options)
      }
      #expect(try articles.value("1") == nil)

      _ = try await articles.follow("all") { previous in
        previous.cursor == nil ? .full(["1": .value("a")], cursor: "2") : .notModified
      }

      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a list whose member is removed during a request comes whole the next time`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }

      _ = try await articles.follow("all") { _ in
        try await articles.remove("1")
        return .delta([:], removals: [], cursor: "2")
      }
      _ = try await articles.follow("all") { previous in
        previous.cursor == nil ? .full(["1": .value("a")], cursor: "3") : .notModified
      }

      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a removal in a list does not undo a push that was accepted while it was under route`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.write("mine", for: "1")

      _ = try await articles.follow("all") { _ in
        try await articles.drain { _ in .accepted }
        return .delta([:], removals: ["1"], cursor: "2")
      }

      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [true, false])
  func `a list does not restore a removed record as fresh`(all: Bool) async throws {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      _ = try await follow(articles, .full(["1": .value("old")], cursor: "2")) {
        if all { try await articles.removeAll() } else { try await articles.remove("1") }
      }
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a get during a list does not restore a record that the list removes`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let (asked, lands) = (Signal(), Signal())
      let following = Task {
        try await articles.follow("all") { _ in
          asked.fire()
          await lands.fired()
          return .delta([:], removals: ["1"], cursor: "2")
        }
      }
      await asked.fired()
      try await get(articles, .value("a")) {
        lands.fire()
        let followed = try await following.value
        #expect(followed.removed == ["1"])
      }

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [SourceListChange<String>.full([:], cursor: "2"), .full([:], cursor: nil)])
  func `a get from before a list does not restore a record that the list removes`(
    change: SourceListChange<String>
  ) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.remove("1")
      try await get(articles, .value("a")) { _ = try await articles.follow("all") { _ in change } }

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `a get from before a list stores nothing where the list removes the record`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await get(articles, .value("a")) {
        _ = try await articles.follow("all") { _ in
          .delta([:], removals: ["1"], cursor: "2")
        }
      }

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test(arguments: [ListMember<String>.value("b"), .named, .changed])
  func `a key that a list both removes and contains exists`(member: ListMember<String>) async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let followed = try await articles.follow("all") { _ in
        .delta(["1": member], removals: ["1"], cursor: "2")
      }

      #expect(followed.removed == [])
      #expect(try articles.members(of: "all") == ["1"])
      #expect(try articles.value("1") != nil)
    }
  }

  @Test func `a source without cursors is asked for the whole list after a removal`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: nil) }
      let times = Recorder<Timestamp?>()
      try await articles.remove("1")
      for _ in 0..<2 {
        _ = try await articles.follow("all") { previous in
          times.add(previous.lastUpdate)
          return previous.lastUpdate == nil ? .full(["1": .value("a")], cursor: nil) : .notModified
        }
      }

      #expect(try articles.value("1") == "a")
      #expect(times.all.first == .some(nil) && times.all.last != .some(nil))
    }
  }

  @Test func `a removal while a source without cursors is asked leads to a whole list`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: nil) }
      _ = try await articles.follow("all") { _ in
        try await articles.remove("1")
        return .notModified
      }
      _ = try await articles.follow("all") { previous in
        previous.lastUpdate == nil ? .full(["1": .value("a")], cursor: nil) : .notModified
      }

      #expect(try articles.value("1") == "a")
    }
  }
}
