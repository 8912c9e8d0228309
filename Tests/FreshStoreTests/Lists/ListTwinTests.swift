import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Keys, lists and pages whose names are equal to Swift and differ in bytes, and lists of one name.
@Suite(.timeLimit(.minutes(1))) struct ListTwinTests: ListSuite {
  /// In order of their bytes.
  private static let twins = ["cafe\u{301}", "caf\u{e9}"]

  private func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

  /// A list with both keys, each on a page of its own.
  private func withTwins(_ body: (RecordCollection<String>) async throws -> Void) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { previous in
        previous.page == nil
          ? .fullPage([Self.twins[0]: .value("first")], next: "p2")
          : .full([Self.twins[1]: .value("second")], cursor: "1")
      }
      try await body(articles)
    }
  }

  @Test(arguments: [0, 1])
  func `a key that leaves does not take along its twin`(leaving: Int) async throws {
    try await withTwins { articles in
      #expect(try bytes(articles.members(of: "all")) == bytes(Self.twins))
      let (gone, stays) = (Self.twins[leaving], Self.twins[1 - leaving])

      let followed = try await articles.follow("all") { _ in
        .delta([:], removals: [gone], cursor: "2")
      }

      #expect(bytes(followed.removed) == bytes([gone]))
      #expect(try bytes(articles.members(of: "all")) == bytes([stays]))
      #expect(try articles.value(gone) == nil)
      #expect(try articles.value(stays) != nil)
    }
  }

  @Test(arguments: [0, 1])
  func `a whole list with one of two twins removes the other`(present: Int) async throws {
    try await withTwins { articles in
      let (stays, gone) = (Self.twins[present], Self.twins[1 - present])
      let followed = try await articles.follow("all") { _ in
        .full([stays: .value("new")], cursor: "2")
      }
      #expect(bytes(followed.removed) == bytes([gone]))
      #expect(try articles.value(stays) == "new")
      #expect(try articles.value(gone) == nil)
    }
  }

  @Test(arguments: [0, 1])
  func `the return of a twin does not bring back a record that was kept`(present: Int) async throws
  {
    try await withTwins { articles in
      let (stays, gone) = (Self.twins[present], Self.twins[1 - present])
      try await articles.write("mine", for: gone)
      _ = try await articles.follow("all") { _ in .delta([:], removals: [gone], cursor: "2") }
      try await articles.drain { _ in .accepted }

      let followed = try await articles.follow("all") { _ in
        .delta([stays: .value("new")], removals: [], cursor: "3")
      }

      #expect(bytes(followed.removed) == bytes([gone]))
      #expect(try articles.value(gone) == nil)
      #expect(try articles.value(stays) == "new")
    }
  }

  @Test func `two lists whose names are twins have each its cursor and its members`() async throws {
    try await withArticles { _, articles in
      for (number, list) in Self.twins.enumerated() {
        _ = try await articles.follow(list) { _ in
          .full(["\(number)": .value("a")], cursor: "\(number)")
        }
      }
      for (number, list) in Self.twins.enumerated() {
        #expect(try articles.members(of: list) == ["\(number)"])
        #expect(try articles.listCursor(list) == "\(number)")
      }
      try await articles.forget(list: Self.twins[0], removingMembers: true)
      #expect(try articles.value("0") == nil)
      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `pages whose tokens are twins are no circle`() async throws {
    try await withArticles { _, articles in
      let asked = Recorder<[UInt8]>()
      _ = try await articles.follow("all") { previous in
        asked.add(Array((previous.page ?? "").utf8))
        return switch asked.all.count {
        case 1: .fullPage(["1": .value("a")], next: Self.twins[0])
        case 2: .fullPage(["2": .value("b")], next: Self.twins[1])
        default: .full(["3": .value("c")], cursor: nil)
        }
      }
      #expect(asked.all == [[]] + bytes(Self.twins))
      #expect(try articles.members(of: "all") == ["1", "2", "3"])
    }
  }

  @Test func `lists of one name in two collections have each its members`() async throws {
    try await withArticles { temporary, articles in
      let others = try temporary.store.collection("others", of: String.self)
      for collection in [articles, others] {
        _ = try await collection.follow("all") { _ in
          .full(["1": .value("a"), "2": .value("b")], cursor: "1")
        }
        try await collection.write("mine", for: "1")
        let followed = try await collection.follow("all") { _ in
          .delta([:], removals: ["1"], cursor: "2")
        }
        #expect(followed.kept == ["1"])
        try await collection.drain { _ in .accepted }
      }

      let followed = try await others.follow("all") { _ in .notModified }
      #expect(followed.removed == ["1"] && followed.renewed == ["2"])
      #expect(try articles.value("1") == "mine")
      #expect(try await others.forget(list: "all", removingMembers: true) == ["2"])
      #expect(try articles.members(of: "all") == ["2"])
      #expect(try await articles.follow("all") { _ in .notModified }.removed == ["1"])
    }
  }
}
