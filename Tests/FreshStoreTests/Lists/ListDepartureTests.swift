import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Records that have left their last list while something kept them.
@Suite(.timeLimit(.minutes(1))) struct ListDepartureTests: ListSuite {
  /// The reasons why a record that leaves its list is kept.
  enum Keeper: CaseIterable, Sendable { case write, pushDuringRequest, get, put, pin, lateFetch }

  private static let removal = SourceListChange<String>.delta([:], removals: ["1"], cursor: "2")

  /// Lets `1` leave the list while something keeps it, and ends that.
  private func leave(
    _ temporary: TemporaryStore, _ articles: RecordCollection<String>, _ keeper: Keeper,
    by removal: SourceListChange<String> = Self.removal
  ) async throws {
    _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
    switch keeper {
    case .write:
      try await articles.write("mine", for: "1")
      let followed = try await follow(articles, removal) {}
      #expect(followed.kept == ["1"])
      try await articles.drain { _ in .accepted }
    case .pushDuringRequest:
      try await articles.write("mine", for: "1")
      let followed = try await follow(articles, removal) {
        try await articles.drain { _ in .accepted }
      }
      #expect(followed.kept == ["1"])
    case .get:
      let followed = try await follow(articles, removal) {
        try await get(articles, .value("b")) {}
      }
      #expect(followed.kept == ["1"])
      try await get(articles, .value("b")) {}
    case .put:
      let followed = try await follow(articles, removal) {
        try await articles.put("b", for: "1")
      }
      #expect(followed.kept == ["1"])
    case .pin:
      try await articles.setPinned(true, for: "1")
      let followed = try await follow(articles, removal) {}
      let next = try await follow(articles, .notModified) {}
      #expect(followed.kept == ["1"] && next.removed.isEmpty)
      try await articles.setPinned(false, for: "1")
    case .lateFetch:
      let (sent, answers) = (Signal(), Signal())
      var getting: Task<Answer<String>, any Error>?
      let followed = try await follow(articles, removal) {
        getting = Task {
          try await articles.get("1", policy: .sourceFirst) { _ in
            sent.fire()
            await answers.fired()
            return .value("b")
          }
        }
        await sent.fired()
      }
      #expect(followed.removed == ["1"])
      answers.fire()
      do { _ = try await getting?.value } catch { #expect(error is GetError) }
    }
    #expect(try articles.value("1") != nil)
    #expect(try articles.members(of: "all").isEmpty)
  }

  @Test(arguments: Keeper.allCases)
  func `a record that was kept goes with the first answer after nothing keeps it`(
    keeper: Keeper
  ) async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, keeper)

      let followed = try await articles.follow("all") { _ in .notModified }

      #expect(followed.removed == ["1"] && followed.kept.isEmpty && followed.renewed.isEmpty)
      #expect(try articles.value("1") == nil)
      #expect(try await articles.follow("all") { _ in .notModified }.removed.isEmpty)
    }
  }

  @Test(arguments: Keeper.allCases)
  func `a whole list removes what was kept when it left`(keeper: Keeper) async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, keeper, by: .full([:], cursor: nil))
      let followed = try await articles.follow("all") { _ in .full([:], cursor: nil) }
      #expect(followed.removed == ["1"])
      #expect(try articles.value("1") == nil)
    }
  }

  @Test(arguments: Keeper.allCases)
  func `a record that was kept and is on the list again stays`(keeper: Keeper) async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, keeper)
      _ = try await articles.follow("all") { _ in
        .delta(["1": .named], removals: [], cursor: "3")
      }

      let followed = try await articles.follow("all") { _ in .notModified }

      #expect(followed.removed.isEmpty)
      #expect(try articles.members(of: "all") == ["1"])
      #expect(try articles.value("1") != nil)
    }
  }

  @Test(arguments: Keeper.allCases)
  func `a record that was kept and has come onto another list stays`(keeper: Keeper) async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, keeper)
      _ = try await articles.follow("other") { _ in .full(["1": .named], cursor: "1") }

      #expect(try await articles.follow("all") { _ in .notModified }.removed.isEmpty)
      #expect(try articles.value("1") != nil)
      let left = try await articles.follow("other") { _ in
        .delta([:], removals: ["1"], cursor: "2")
      }
      #expect(left.removed == ["1"])
    }
  }

  @Test func `what keeps a record is known to another process, and after a failure`() async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, .write)
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in throw OriginFailure() }
      }
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let followed = try await there.follow("all") { _ in .notModified }
      #expect(followed.removed == ["1"])
      try await other.close()
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `an answer that was asked for before the push does not remove the record`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.write("mine", for: "1")
      _ = try await follow(articles, Self.removal) {}

      let during = try await follow(articles, .notModified) {
        try await articles.drain { _ in .accepted }
      }
      #expect(during.removed.isEmpty)
      #expect(try articles.value("1") == "mine")
      #expect(try await articles.follow("all") { _ in .notModified }.removed == ["1"])
    }
  }

  @Test func `another list's older answer does not bring it back as fresh`() async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, .write)
      let (sent, answers) = (Signal(), Signal())
      let following = Task {
        try await articles.follow("other") { _ in
          sent.fire()
          await answers.fired()
          return .full(["1": .value("old")], cursor: "1")
        }
      }
      await sent.fired()
      try await articles.markStale("1")
      let followed = try await follow(articles, .notModified) {}
      answers.fire()
      _ = try await following.value

      #expect(followed.removed == ["1"])
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a write that waits still keeps its record from every answer`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.write("mine", for: "1")
      _ = try await follow(articles, Self.removal) {}
      for answer in [SourceListChange<String>.notModified, .full([:], cursor: "3")] {
        let followed = try await follow(articles, answer) {}
        #expect(followed.removed.isEmpty && followed.kept.isEmpty)
        #expect(try articles.value("1") == "mine")
      }
    }
  }

  @Test func `only the last page of a walk removes what was kept`() async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, .write)
      let followed = try await articles.follow("all") { previous in
        guard previous.page != nil else {
          return .deltaPage(["2": .value("b")], removals: [], next: "d2")
        }
        let kept = try articles.value("1")
        #expect(kept != nil)
        return .delta([:], removals: [], cursor: "3")
      }
      #expect(followed.removed == ["1"])
    }
  }

  @Test(arguments: [true, false])
  func `a forgotten list takes along what was kept, if its members go`(isRemoving: Bool)
    async throws
  {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, .write)
      let removed = try await articles.forget(list: "all", removingMembers: isRemoving)
      #expect(removed == (isRemoving ? ["1"] : []))

      _ = try await articles.follow("all") { _ in .full([:], cursor: "1") }
      #expect(try articles.value("1") == (isRemoving ? nil : "mine"))
    }
  }

  @Test func `a record that was removed here and put again is on no list`() async throws {
    try await withArticles { temporary, articles in
      try await leave(temporary, articles, .write)
      try await articles.remove("1")
      try await articles.put("own", for: "1")
      #expect(try await articles.follow("all") { _ in .notModified }.removed.isEmpty)
      #expect(try articles.value("1") == "own")
    }
  }
}
