import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes that go to their source in one request.
@Suite(.timeLimit(.minutes(1))) struct BatchPushTests: ArticleSuite, GuardedSuite {
  private static let policy = Policy.cacheFirst.origin(Origin("https://a.example"))

  /// A request that ends when it is cancelled alone.
  private struct Hanging: Sendable {
    let begun = Signal()
    let cancelled = Signal()

    func answer() async throws -> [String: Pushed<String>] {
      await withTaskCancellationHandler {
        begun.fire()
        await cancelled.fired()
      } onCancel: {
        cancelled.fire()
      }
      throw CancellationError()
    }
  }

  @Test func `each write is settled by its own answer`() async throws {
    try await withArticles { temporary, articles in
      for key in ["1", "2", "3"] { try await articles.write("new \(key)", for: key) }
      let sent = Sent<String>()
      let outcomes = try await articles.drainTogether { writes in
        for write in writes { sent.add(write) }
        return ["1": .accepted, "2": .refused("no")]
      }
      #expect(sent.all.map(\.key) == ["1", "2", "3"])
      #expect(outcomes["1"]?.words == "accepted new 1")
      #expect(outcomes["2"]?.words == "parked: no")
      #expect(
        outcomes["3"]?.words.contains("the answer names no outcome for the key '3'") == true)
      #expect(try temporary.store.outbox().map(\.key) == ["2", "3"])
    }
  }

  @Test func `a conflict is merged, and the merged write goes by itself`() async throws {
    try await withArticles { temporary, articles in
      for key in ["1", "2"] { try await articles.write("mine \(key)", for: key) }
      let requests = Sent<String>()
      let outcomes = try await articles.drainTogether(
        conflicts: .merge { conflict in
          .merged("\(conflict.local ?? "") and \(conflict.remote ?? "")")
        }
      ) { writes in
        for write in writes { requests.add(write) }
        return writes.count == 1
          ? ["1": .accepted] : ["1": .conflict(.value("theirs", FetchDetails())), "2": .accepted]
      }
      #expect(requests.all.map(\.value) == ["mine 1", "mine 2", "mine 1 and theirs"])
      #expect(outcomes["1"]?.words == "accepted mine 1 and theirs")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `an error is the failure of all, and one failure of their origin`() async throws {
    try await withArticles(Self.policy) { temporary, articles in
      for key in ["1", "2", "3"] { try await articles.write("new", for: key) }
      try await articles.drainTogether { _ in throw OriginFailure(blamesOrigin: true) }
      #expect(try temporary.store.outbox().map(\.attempts) == [1, 1, 1])
      #expect(try temporary.store.backlog().failingOrigins.map(\.failures) == [1])
    }
  }

  @Test func `a request without an answer for some is no failure of their origin`() async throws {
    try await withArticles(Self.policy) { temporary, articles in
      for key in ["1", "2"] { try await articles.write("new", for: key) }
      try await articles.drainTogether { _ in [:] }
      #expect(try temporary.store.outbox().map(\.attempts) == [1, 1])
      #expect(try temporary.store.backlog().failingOrigins.isEmpty)
    }
  }

  @Test func `a request that hangs is cancelled after its time, as one failure`() async throws {
    try await withArticles(Self.policy.hardTimeout(.seconds(5))) { temporary, articles in
      for key in ["1", "2"] { try await articles.write("new", for: key) }
      let request = Hanging()
      async let outcomes = articles.drainTogether { _ in try await request.answer() }
      await request.begun.fired()
      temporary.clock.advance(by: .seconds(5))
      #expect(try await outcomes.values.allSatisfy { $0.words.contains("longer than") })
      await request.cancelled.fired()
      #expect(try temporary.store.backlog().failingOrigins.map(\.failures) == [1])
    }
  }

  @Test func `a request that nothing is due for takes no place at the origin`() async throws {
    try await withOpenBreaker { temporary, articles, origin in
      let others = try temporary.store.bytes("others")
      try await others.write([1], for: "1")
      let due = try await temporary.store.dueWrites(limit: 9)
      temporary.clock.advance(by: .seconds(60))
      let outcomes = await articles.push(together: due) { _ in [:] }
      #expect(outcomes.isEmpty)
      #expect(try articles.sourceState() == .trial)
      origin.answer { _ in .value("up") }
      #expect(try await articles.get("1", from: origin).value == "up")
    }
  }

  @Test func `a write that was dropped meanwhile keeps no other waiting`() async throws {
    try await withArticles { temporary, articles in
      let first = try await articles.write("dropped", for: "1")
      try await articles.write("new", for: "2")
      let due = try await temporary.store.dueWrites(limit: 9)
      try await temporary.store.drop([first.id])
      let sent = Sent<String>()
      let outcomes = await articles.push(together: due) { writes in
        for write in writes { sent.add(write) }
        return ["2": .accepted]
      }
      #expect(sent.all.map(\.key) == ["2"])
      #expect(try outcomes[first.id]?.get().words == "superseded")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a cancelled push cancels the request, and its writes wait on`() async throws {
    try await withArticles { temporary, articles in
      for key in ["1", "2"] { try await articles.write("new", for: key) }
      let request = Hanging()
      let pushing = Task { try await articles.drainTogether { _ in try await request.answer() } }
      await request.begun.fired()
      pushing.cancel()
      _ = try await pushing.value
      await request.cancelled.fired()
      #expect(try temporary.store.outbox().map(\.state) == [.waiting, .waiting])
    }
  }

  @Test func `a batch to a source on trial is one trial`() async throws {
    try await withArticles(Self.policy) { temporary, articles in
      for key in ["1", "2", "3"] { try await articles.write("new", for: key) }
      for _ in 1...temporary.store.configuration.breaker.threshold {
        temporary.clock.advance(by: .seconds(3600))
        try await articles.drainTogether { _ in throw OriginFailure(blamesOrigin: true) }
      }
      temporary.clock.advance(by: .seconds(3600))
      let sent = Sent<String>()
      try await articles.drainTogether { writes in
        for write in writes { sent.add(write) }
        return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
      }
      #expect(sent.all.map(\.key) == ["1", "2", "3"])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a merge that awaits keeps no other write of the batch waiting`() async throws {
    try await withArticles { temporary, articles in
      let version = FetchDetails(validators: Validators(entityTag: "1"))
      try await articles.put("one", for: "1", details: version)
      let form = try articles.read("1").basis
      try await articles.put(
        "two", for: "1", details: FetchDetails(validators: Validators(entityTag: "2")))
      try await articles.write("mine", for: "1", basedOn: form)
      try await articles.write("new", for: "2")
      let (sent, accepted) = (Sent<String>(), Signal())
      let outcomes = try await articles.drainTogether(
        conflicts: .merging { mine, theirs, _ in
          await accepted.fired()
          theirs += " and \(mine)"
        }
      ) { writes in
        for write in writes { sent.add(write) }
        if writes.first?.key == "2" { accepted.fire() }
        return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
      }
      #expect(sent.all.map(\.value) == ["new", "two and mine"])
      #expect(outcomes["1"]?.words == "accepted two and mine")
    }
  }

  private func commits(in temporary: TemporaryStore) throws -> Int {
    try temporary.store.storage.database.maintain(.check) { (connection) throws(SQLiteError) in
      connection.commits
    }
  }

  @Test func `many begin and end in few commits`() async throws {
    try await withArticles { temporary, articles in
      for number in 0..<100 { try await articles.write("new", for: "\(number)") }
      let before = try commits(in: temporary)
      try await articles.drainTogether { writes in
        Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
      }
      #expect(try commits(in: temporary) - before < 30)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}

extension RecordCollection {
  /// Pushes every due write in one request; returns the outcomes by key.
  @discardableResult
  fileprivate func drainTogether(
    conflicts: ConflictPolicy<Value> = .parks,
    _ push: @escaping @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]
  ) async throws -> [String: PushOutcome<Value>] {
    let due = try await store.dueWrites(collection: name, limit: 1000)
    let outcomes = await self.push(together: due, conflicts: conflicts, push: push)
    var byKey: [String: PushOutcome<Value>] = [:]
    for write in due { byKey[write.entry.key] = try outcomes[write.entry.id]?.get() }
    return byKey
  }
}
