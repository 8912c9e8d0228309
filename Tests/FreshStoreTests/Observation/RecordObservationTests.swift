import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// One record, as a screen shows it.
@Suite(.timeLimit(.minutes(1))) struct RecordObservationTests: ArticleSuite {
  @Test func `the present state comes at once, whether there is a record or not`() async throws {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1")
      var one = try articles.observe("1").makeAsyncIterator()
      var none = try articles.observe("2").makeAsyncIterator()

      let (there, missing) = (await one.next(), await none.next())

      #expect(there?.value == "one" && there?.decision.outcome == .fresh)
      #expect(missing?.key == "2" && missing?.decision.outcome == .missing)
    }
  }

  @Test func `a key that no record can have is refused`() async throws {
    try await withArticles { _, articles in
      #expect(await storeFailure { try articles.observe("") }?.code == .invalidKey)
    }
  }

  @Test func `every change of the record follows`() async throws {
    try await withArticles { _, articles in
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      try await articles.put("one", for: "1")
      let stored = await states.next()
      try await articles.markAllStale()
      let marked = await states.next()
      try await articles.remove("1")
      let removed = await states.next()

      #expect(stored?.value == "one" && stored?.decision.outcome == .fresh)
      #expect(marked?.value == "one" && marked?.decision.outcome == .stale)
      #expect(removed?.value == nil && removed?.decision.outcome == .missing)
    }
  }

  @Test func `a change by another store on the file follows`() async throws {
    try await withArticles { temporary, articles in
      let other = try temporary.another()
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      try await other.collection("articles", of: String.self).put("theirs", for: "1")
      let state = await states.next()

      #expect(state?.value == "theirs")
      try await other.close()
    }
  }

  @Test func `a change by another process follows`() async throws {
    try await TemporaryStore.run(configure: { $0.clock = SystemClock() }) { temporary in
      let worker = try await WorkerProcess(commandedOn: temporary.path)
      var states = try temporary.store.bytes("values").observe("1").makeAsyncIterator()
      _ = await states.next()

      try await worker.run("put 1")
      let stored = await states.next()
      try await worker.run("write 1")
      let written = await states.next()

      #expect(stored?.value == Array("value".utf8) && stored?.waiting == nil)
      #expect(written?.value == Array("local".utf8) && written?.waiting?.state == .waiting)
    }
  }

  @Test func `the states of a local write follow, until its source has it`() async throws {
    try await withArticles { temporary, articles in
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      let entry = try await articles.write("new", for: "1")
      let waiting = await states.next()
      let due = try await temporary.store.dueWrites(limit: 1)
      let sending = await states.next()
      _ = await articles.push(due) { _ in .accepted }
      let sent = await states.next()

      #expect(waiting?.value == "new" && waiting?.waiting == entry)
      #expect(sending?.waiting?.id == entry.id && sending?.waiting?.state == .pushing)
      #expect(sent?.value == "new" && sent?.waiting == nil && sent?.waitingCount == 0)
    }
  }

  @Test func `a write that is given back, by its owner or for a dead one, is not shown as sent`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      var states = try articles.observe("1").makeAsyncIterator()
      var shown = [await states.next()]
      let due = try await temporary.store.dueWrites(limit: 1)
      shown.append(await states.next())
      try await temporary.store.giveBack(due)
      shown.append(await states.next())

      let gone = try temporary.another()
      _ = try await gone.dueWrites(limit: 1)
      shown.append(await states.next())
      try await gone.close()
      try await temporary.store.reclaim()
      shown.append(await states.next())

      #expect(
        shown.map { $0?.waiting?.state } == [.waiting, .pushing, .waiting, .pushing, .waiting])
    }
  }

  @Test func `of a deletion that waits the entry is left`() async throws {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1")
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      try await articles.writeDeletion(of: "1")
      let state = await states.next()

      #expect(state?.value == nil && state?.decision.outcome == .absent)
      #expect(state?.waiting?.kind == .delete)
    }
  }

  @Test func `time alone changes the decision, while the observer sleeps`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let task = Task {
        var outcomes: [Decision.Outcome] = []
        for await state in try articles.observe("1") {
          outcomes.append(state.decision.outcome)
          if outcomes.count == 2 { break }
        }
        return outcomes
      }
      await temporary.clock.sleepers(atLeast: 1)

      temporary.clock.advance(by: .minutes(5))

      #expect(try await task.value == [.fresh, .stale])
    }
  }

  /// The outcomes of a chain for a copy that was fetched so many seconds from now. The outcome
  /// changes after `turnsAfter` more seconds.
  struct Turn: Sendable {
    var lastUpdate = 0
    let turnsAfter: Int
    let outcomes: [Decision.Outcome]
    let chain: @Sendable (Timestamp) -> Chain<RecordStamps>
  }

  @Test(
    arguments: [
      Turn(turnsAfter: 60, outcomes: [.fresh, .stale]) { _ in
        [.all(.maxAge(.seconds(60)), .timestamp())]
      },
      Turn(turnsAfter: 20, outcomes: [.fresh, .stale]) { [.deadline($0), .default()] },
      Turn(lastUpdate: 30, turnsAfter: 20, outcomes: [.stale, .fresh]) { _ in
        [.timestamp(allowedSkew: .seconds(10))]
      },
    ])
  func `the strategies of a chain change the decision in their time`(turn: Turn) async throws {
    let clock = ManualClock()
    let now = clock.reading().wall
    try await TemporaryStore.run(
      clock: clock,
      configure: { [chain = turn.chain] in $0.chain = chain(now.advanced(by: .seconds(20))) }
    ) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put(
        "one", for: "1",
        details: FetchDetails(
          lastUpdate: now.advanced(by: .seconds(turn.lastUpdate)), expiry: .never))
      var states = try articles.observe("1").makeAsyncIterator()
      let before = await states.next()

      clock.advance(by: .seconds(turn.turnsAfter))
      let after = await states.next()

      #expect([before, after].map { $0?.decision.outcome } == turn.outcomes)
    }
  }

  @Test(arguments: [0, -3600, 3600])
  func `the expiry and the hard end come in their time, whatever the wall clock does`(
    step: Int
  ) async throws {
    let policy = Policy(expiry: .after(.minutes(1)), hardEnd: .minutes(10))
    try await withArticles(policy) { temporary, articles in
      try await articles.put("one", for: "1")
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      temporary.clock.stepWall(by: .seconds(step))
      temporary.clock.advance(by: .minutes(1))
      let expired = await states.next()
      temporary.clock.advance(by: .minutes(9))
      let ended = await states.next()

      #expect(expired?.value == "one" && expired?.decision.outcome == .stale)
      #expect(ended?.value == nil && ended?.decision.outcome == .unusable)
    }
  }

  @Test func `the loss of the way to the source is a change`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      var states = try articles.observe("1").makeAsyncIterator()
      let before = await states.next()

      temporary.reachability.set(.offline("unplugged"))
      let after = await states.next()

      #expect(before?.decision.outcome == .stale && after?.decision.outcome == .offline)
    }
  }

  @Test func `news that change nothing are no element`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      for _ in 1...3 { temporary.store.hub.publish(.unknown) }
      try await articles.put("other", for: "2")
      try await articles.put("two", for: "1")
      let state = await states.next()

      #expect(state?.value == "two")
    }
  }

  @Test func `a slow observer gets the newest state, and no backlog`() async throws {
    try await withArticles { _, articles in
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()

      for number in 1...100 { try await articles.put("\(number)", for: "1") }
      let newest = await states.next()
      try await articles.put("last", for: "1")
      let last = await states.next()

      #expect(newest?.value == "100" && last?.value == "last")
    }
  }

  @Test func `the sequence ends when the store is closed`() async throws {
    try await withArticles { temporary, articles in
      let observed = try articles.observe("1")
      var states = observed.makeAsyncIterator()
      _ = await states.next()
      let waiting = Task { for await _ in observed {} }

      try await temporary.store.close()
      await waiting.value
      let (next, again) = (await states.next(), await states.next())
      var late = observed.makeAsyncIterator()
      let first = await late.next()

      #expect(next == nil && again == nil && first == nil)
    }
  }

  @Test func `an observer that is cancelled, or stops, is forgotten`() async throws {
    try await withArticles { temporary, articles in
      let observed = try articles.observe("1")
      let cancelled = Task { for await _ in observed {} }
      for await _ in observed { break }
      while temporary.reachability.observers == 0 { await Task.yield() }

      cancelled.cancel()
      await cancelled.value
      while !temporary.store.hub.isEmpty { await Task.yield() }
      while temporary.reachability.observers > 0 { await Task.yield() }
    }
  }

  @Test func `a look that fails leaves the last state in place, and is repeated`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let store = temporary.store
      let last = try articles.values()[0]
      let reading = last.reading
      let looked = { (last: RecordState<String>?, failure: StoreError.Code?) in
        RecordState<String>.look(
          after: last, at: store, initial: { RecordState(reading, failure: $0) }
        ) { (_: RecordState<String>?) throws(StoreError) -> RecordState<String> in
          if let failure { throw StoreError(failure, .read) }
          return try articles.values()[0]
        }
      }

      let failed = looked(last, .inputOutput)
      let failedAgain = looked(failed?.news, .inputOutput)
      let well = looked(failed?.news, nil)

      #expect(failed?.news?.value == "one" && failed?.news?.failure?.code == .inputOutput)
      #expect(failed?.again == .milliseconds(temporary.clock.reading().sinceBoot + 1000))
      #expect(failedAgain != nil && failedAgain?.news == nil)
      #expect(well?.news?.value == "one" && well?.news?.failure == nil)
      #expect(looked(last, nil)?.news == nil)
      #expect(looked(last, .closed) == nil)
    }
  }

  @Test func `a record that is shown counts as read once for each state`() async throws {
    let log = EventLog()
    try await withArticles(configure: { $0.reporter = log }) { temporary, articles in
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      let before = log.decisions
      var states = try articles.observe("1").makeAsyncIterator()
      _ = await states.next()
      let shown = log.decisions
      temporary.store.hub.publish(.unknown)
      try await articles.put("two", for: "1")
      _ = await states.next()

      #expect([shown - before, log.decisions - shown] == [1, 1])
    }
  }
}
