import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The effects of a push on others.
@Suite(.timeLimit(.minutes(1))) struct PushNewsTests: ArticleSuite {
  private static let theirs = Pushed<String>.conflict(.value("theirs"))
  private static let unstorable = FetchDetails(isStorable: false)

  @Test(
    arguments: [
      (Pushed<String>.accepted(FetchDetails()), ConflictPolicy<String>.parks, [.pushed]),
      (.accepted(unstorable), .parks, [.pushed, .marked]),
      (.acceptedAs("made", FetchDetails()), .parks, [.pushed]),
      (theirs, .serverWins, [.stored]),
      (.conflict(.gone), .serverWins, [.absent]),
      (theirs, .clientWins, [.written, .pushed]),
      (.refused("no"), .parks, [.parked]),
    ] as [(Pushed<String>, ConflictPolicy<String>, [Change.Kind])])
  func `observers receive the result of a push`(
    answer: Pushed<String>, conflicts: ConflictPolicy<String>, kinds: [Change.Kind]
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("base", for: "1")
      try await articles.write("mine", for: "1")
      let changes = temporary.store.changes()
      let sent = Sent<String>()
      try await articles.drain(conflicts: conflicts) { write in
        sent.add(write)
        return sent.all.count == 1 ? answer : .accepted
      }
      try await articles.put("last", for: "last")

      var seen: [Change.Kind] = []
      for await change in changes {
        guard change.key == "1" else { break }
        seen.append(change.kind)
      }
      #expect(seen == [.pushing] + kinds)
    }
  }

  @Test func `no get waits for a fetch that a push has outdated`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("base", for: "1")
      let (isAsked, answers) = (Latch(isOpen: false), Latch(isOpen: false))
      let slow = Task {
        try await articles.get("1", policy: .sourceFirst) { _ in
          isAsked.open()
          try await answers.pass()
          return .value("older")
        }
      }
      try await isAsked.pass()
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in .accepted }

      let answer = try await articles.get("1", policy: .sourceFirst) { _ in .value("newer") }

      #expect(answer.value == "newer")
      answers.open()
      _ = try await slow.value
      #expect(try articles.value("1") == "newer")
    }
  }

  @Test func `a fetch during the push of a dropped write is stale`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("base", for: "1")
      let written = try await articles.write("mine", for: "1")
      let changes = temporary.store.changes()
      let outcomes = try await articles.drain { _ in
        try await temporary.store.drop([written.id])
        let answer = try await articles.get("1") { _ in .value("from before it arrived") }
        #expect(answer.value == "from before it arrived")
        return .accepted
      }
      try await articles.put("last", for: "last")

      #expect(outcomes["1"]?.words == "superseded")
      #expect(try articles.state("1") == .stale)
      var seen: [Change.Kind] = []
      for await change in changes {
        guard change.key == "1" else { break }
        seen.append(change.kind)
      }
      #expect(seen == [.pushing, .restored, .stored, .marked])
    }
  }

  @Test func `a dropped write that was never sent leaves no doubt`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("base", for: "1")
      let written = try await articles.write("mine", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      try await temporary.store.drop([written.id])
      _ = try await articles.get("1") { _ in .value("theirs") }
      temporary.reachability.set(.offline("no route"))
      let outcomes = await articles.push(due) { _ in .accepted }

      #expect(try outcomes[written.id]?.get().words == "superseded")
      temporary.reachability.set(.online)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test
  func `a member absent at its source is requested again after a mark that follows the question`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("theirs")], cursor: "1") }
      try await articles.write("mine", for: "1")

      var policy = Policy()
      policy.negativeExpiry = nil
      try await articles.drain(policy: policy, conflicts: .serverWins) { _ in
        try await articles.markStale("1")
        return .conflict(.gone)
      }

      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `everybody hears that a write waits which met another one while it was resolved`()
    async throws
  {
    try await withArticles { temporary, articles in
      let other = try temporary.another()
      let entry = try await articles.write("mine", for: "1")
      let (own, others) = (temporary.store.changes(), other.changes())
      let outcomes = try await articles.drain(
        conflicts: .merge { _ in
          try await articles.write("later", for: "1")
          return .merged("both")
        }
      ) { _ in Self.theirs }

      for changes in [own, others] {
        let change = await changes.first { $0.kind == .deferred }
        #expect(change?.write?.id == entry.id)
        #expect(change?.write?.until == outcomes["1"]?.until)
        #expect(change?.write?.reason == "something was written while it was resolved")
      }
      try await other.close()
    }
  }
}
