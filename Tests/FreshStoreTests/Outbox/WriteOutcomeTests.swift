import FreshStoreTesting
import StoreSupport
import Testing

@testable import FreshStore

/// The outcome of one local write, for a caller that waits for it.
@Suite(.timeLimit(.minutes(1))) struct WriteOutcomeTests: ArticleSuite {
  enum End: CaseIterable {
    case accepted, refused, conflict, serverWins, merged, dropped, wiped, elsewhere
  }

  @Test(arguments: End.allCases, [true, false])
  func `a caller hears how a local write has ended, before or after it asks`(
    end: End, asksFirst: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.put("base", for: "1")
      let first = try await articles.write("one", for: "1")
      let last = end == .merged ? try await articles.write("two", for: "1") : first
      let waiting = asksFirst ? Task { try await store.outcome(of: last) } : nil
      if asksFirst { while store.hub.isEmpty { await Task.yield() } }

      switch end {
      case .accepted: try await articles.drain { _ in .accepted(FetchDetails()) }
      case .refused: try await articles.drain { _ in .refused("too long") }
      case .conflict: try await articles.drain { _ in .conflict(.value("theirs")) }
      case .serverWins:
        try await articles.drain(conflicts: .serverWins) { _ in .conflict(.value("theirs")) }
      case .merged:
        try await articles.drain(conflicts: .clientWins) { write in
          write.value == "one" ? .conflict(.value("theirs")) : .accepted(FetchDetails())
        }
      case .dropped: try await store.drop([last.id])
      case .wiped: try await store.wipe()
      case .elsewhere:
        let other = try temporary.another()
        try await other.collection("articles", of: String.self).drain { _ in
          .accepted(FetchDetails())
        }
        try await other.close()
      }

      let outcome =
        if let waiting { try await waiting.value } else { try await store.outcome(of: last) }
      let expected: WriteOutcome =
        switch end {
        case .accepted, .merged: .accepted
        case .refused: .parked("too long")
        case .conflict: .parked("the source holds another change")
        case .serverWins, .dropped: .discarded
        case .wiped: asksFirst ? .discarded : .unknown
        case .elsewhere: asksFirst ? .accepted : .unknown
        }
      #expect(outcome == expected)
    }
  }

  @Test func `a caller that is cancelled, or whose store closes, waits no longer`() async throws {
    try await withArticles { temporary, articles in
      let store = try temporary.another()
      let entry = try await articles.write("one", for: "1")
      for isCancelled in [true, false] {
        let waiting = Task { try await store.outcome(of: entry) }
        while store.hub.isEmpty { await Task.yield() }
        if isCancelled { waiting.cancel() } else { try await store.close() }
        let failure = await #expect(throws: StoreError.self) { try await waiting.value }
        #expect(failure?.code == (isCancelled ? .cancelled : .closed))
      }
    }
  }

  @Test func `the end of other writes and records is not that of a write`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.put("base", for: "1")
      let entry = try await articles.write("one", for: "1")
      let other = try await articles.write("two", for: "2")
      try await articles.put("three", for: "3")
      let waiting = Task { try await store.outcome(of: entry) }
      while store.hub.isEmpty { await Task.yield() }

      try await store.drop([other.id])
      #expect(try await articles.removeAll() == 1)
      // The observer has heard of all that before it hears of the answer.
      try await articles.drain { _ in .accepted(FetchDetails()) }

      #expect(try await waiting.value == .accepted)
    }
  }
}
