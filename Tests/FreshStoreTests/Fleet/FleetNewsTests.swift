import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

/// News meet a file whose position may have moved since they were asked for.
@Suite struct FleetNewsTests {
  /// The position after the mark with this number, in one journal or another.
  private static func position(_ number: Int64, journal: Int64 = 1) -> SharedPosition {
    SharedPosition(number: number, token: number * 1000 + journal)
  }

  /// The marks with these numbers, each of a key that is its number.
  private static func news(
    _ numbers: ClosedRange<Int64>, journal: Int64 = 1, isMore: Bool = false
  ) -> SharedNews {
    let marks = numbers.map { number in
      SharedMark(
        position: position(number, journal: journal),
        scope: .key(SharedKey("articles", "\(number)")), reason: "by hand")
    }
    return .marks(
      marks, position: position(numbers.upperBound, journal: journal), isMore: isMore)
  }

  private func meet(
    _ store: Store, _ news: SharedNews, since: SharedPosition?
  ) throws -> Storage.FleetUpdateResult {
    try store.storage.meet(Storage.FleetUpdate(news, since: since), now: store.now())
  }

  /// A store whose host has applied the marks up to 3.
  private func withPosition(_ body: (Store) async throws -> Void) async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      _ = try meet(store, .suspect(.new, position: Self.position(1)), since: nil)
      _ = try meet(store, Self.news(2...3), since: Self.position(1))
      #expect(try store.storage.fleetState()?.position == Self.position(3))
      try await body(store)
    }
  }

  @Test func `marks that another process has applied are left out`() async throws {
    try await withPosition { store in
      let result = try meet(store, Self.news(2...5), since: Self.position(1))

      #expect(result.applied.fit == .current && result.isUpToDate)
      #expect(result.applied.marked.count == 2)
      #expect(try store.storage.fleetState()?.position == Self.position(5))
    }
  }

  @Test func `news that are older than the file change nothing`() async throws {
    try await withPosition { store in
      let result = try meet(store, Self.news(2...2), since: Self.position(1))

      #expect(result.applied.fit == .ahead && result.isUpToDate && !result.isCurrent)
      #expect(result.applied.marked.isEmpty)
      #expect(try store.storage.fleetState()?.position == Self.position(3))
    }
  }

  @Test func `news that are already applied change nothing`() async throws {
    try await withPosition { store in
      for news in [
        Self.news(2...3), .suspect(.historyLost, position: Self.position(3)),
        .marks([], position: Self.position(3), isMore: false),
      ] {
        let result = try meet(store, news, since: Self.position(1))
        #expect(result.applied.fit == .current && result.applied.marked.isEmpty)
      }
    }
  }

  /// News that do not continue the position after 3.
  static let apart: [SharedNews] = [
    news(5...6), news(4...5, journal: 2), .suspect(.trimmed, position: position(9)),
    .suspect(.new, position: position(9)),
  ]

  @Test(arguments: apart)
  func `news that do not continue the file's position are asked for again`(_ news: SharedNews)
    async throws
  {
    try await withPosition { store in
      // Asked for from another place than the file has by now.
      let result = try meet(store, news, since: Self.position(2))

      #expect(result.applied.fit == .apart && !result.isUpToDate)
      #expect(try store.storage.fleetState()?.position == Self.position(3))
    }
  }

  @Test func `a part of the news is applied, and more is asked for`() async throws {
    try await withPosition { store in
      let result = try meet(store, Self.news(4...6, isMore: true), since: Self.position(3))

      #expect(result.applied.marked.count == 3 && !result.isUpToDate)
      #expect(try store.storage.fleetState()?.position == Self.position(6))
    }
  }

  @Test func `a lost history makes all that came before it suspect`() async throws {
    try await withPosition { store in
      let articles = try store.collection("articles", of: String.self)
      try await articles.put("one", for: "9")

      let lost = SharedNews.suspect(.historyLost, position: Self.position(2, journal: 2))
      let result = try meet(store, lost, since: Self.position(3))

      #expect(result.applied.fit == .current)
      #expect(try articles.read("9").decision.outcome == .stale)
      #expect(try store.storage.fleetState()?.position == Self.position(2, journal: 2))
      try await articles.put("two", for: "9")
      #expect(try articles.read("9").decision.outcome == .fresh)
    }
  }

  @Test func `names that are no text mark nothing, and the position moves on`() async throws {
    try await withPosition { store in
      let strange: [SharedMark.Scope] = [
        .key(SharedKey(collection: [0xFF], key: [1])), .tag([0xFE]), .collection([0xC0]),
        .prefix([0x80], in: Array("articles".utf8)),
      ]
      let marks = strange.enumerated().map { place, scope in
        SharedMark(position: Self.position(4 + Int64(place)), scope: scope, reason: "")
      }
      let result = try meet(
        store, .marks(marks, position: Self.position(7), isMore: false), since: Self.position(3))

      #expect(result.applied.marked.isEmpty)
      #expect(try store.storage.fleetState()?.position == Self.position(7))
    }
  }

  @Test func `the number of a mark tells whether the fleet has made it`() async throws {
    try await withPosition { store in
      let articles = try store.collection("articles", of: String.self)
      try await articles.put("one", for: "4")
      func mark() throws -> Int64 {
        try #require(try store.storage.record("articles", "4")?.mark?.epoch)
      }
      _ = try meet(store, Self.news(4...4), since: Self.position(3))
      #expect(try Storage.isOfFleet(mark()))
      try await articles.markStale("4")
      #expect(try !Storage.isOfFleet(mark()))
      let here = try mark()
      let again = SharedMark(
        position: Self.position(5), scope: .key(SharedKey("articles", "4")), reason: "")
      _ = try meet(
        store, .marks([again], position: Self.position(5), isMore: false), since: Self.position(4))
      // It stays one that the fleet does not know all of.
      #expect(try !Storage.isOfFleet(mark()) && mark() > here)
      #expect(try articles.read("4").decision.outcome == .stale)
    }
  }
}
