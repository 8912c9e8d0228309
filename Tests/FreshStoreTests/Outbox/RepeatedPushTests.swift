import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The requests that a push makes to its source after the first one.
@Suite(.timeLimit(.minutes(1))) struct RepeatedPushTests: ArticleSuite {
  private static let origin: Origin = "https://example.org"

  /// The events that come while the first request is in flight.
  enum News: CaseIterable, Sendable {
    case hold, outage

    func come(to store: Store, _ network: ScriptedReachability) async throws {
      switch self {
      case .hold: try await store.hold(RepeatedPushTests.origin, because: "nobody is signed in")
      case .outage: network.set(.offline("cut"))
      }
    }

    func end(at store: Store, _ network: ScriptedReachability) async throws {
      switch self {
      case .hold: try await store.endPause(origin: RepeatedPushTests.origin)
      case .outage: network.set(.online)
      }
    }
  }

  /// The first answer, after which the source is asked once more: a conflict that the client wins, or the base
  /// itself, whose version was missing.
  private static func answer(isBase: Bool) -> Pushed<String> {
    isBase
      ? .conflict(.value("old", FetchDetails(validators: Validators(entityTag: "\"1\""))))
      : .conflict(.value("theirs"))
  }

  @Test(arguments: News.allCases, [false, true])
  func `a source that was held, or lost, during a request is not asked again`(
    _ news: News, isBase: Bool
  ) async throws {
    try await withArticles(.cacheFirst.origin(Self.origin)) { temporary, articles in
      let (store, network) = (temporary.store, temporary.reachability)
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
      try await articles.write("mine", for: "1")
      let sent = Sent<String>()
      let outcomes = try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        guard sent.all.count == 1 else { return .accepted }
        try await news.come(to: store, network)
        return Self.answer(isBase: isBase)
      }

      #expect(sent.all.count == 1)
      #expect(outcomes["1"]?.words.hasPrefix("deferred") == true)
      #expect(try store.outbox().map(\.state) == [.waiting])
      #expect(try store.outbox().map(\.nextAttempt) == [nil])

      try await news.end(at: store, network)
      try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.value) == ["mine", "mine"])
      #expect(try store.outbox().isEmpty)
    }
  }

  @Test(arguments: News.allCases, [false, true])
  func `a list asks for no further page, nor again for all, of a source that was held or lost`(
    _ news: News, isExpired: Bool
  ) async throws {
    try await withArticles(.cacheFirst.origin(Self.origin)) { temporary, articles in
      let (store, network) = (temporary.store, temporary.reachability)
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "c") }
      let asked = Asked()

      await #expect(throws: GetError.self) {
        try await articles.follow("all") { previous in
          asked.note([previous.cursor ?? "-", previous.page ?? "-"])
          try await news.come(to: store, network)
          return isExpired ? .expiredCursor : .fullPage(["1": .value("a")], next: "p2")
        }
      }
      #expect(asked.batches == [["c", "-"]])
      #expect(try articles.value("1") == (isExpired ? nil : "a"))

      try await news.end(at: store, network)
      let followed = try await articles.follow("all") { previous in
        asked.note([previous.cursor ?? "-", previous.page ?? "-"])
        return .full(["2": .value("b")], cursor: "d")
      }
      #expect(followed.isFull)
      #expect(asked.batches.last == (isExpired ? ["c", "-"] : ["-", "p2"]))
    }
  }
}
