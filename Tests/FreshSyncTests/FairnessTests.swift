import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// Writes, records and lists that keep failing, or never end, do not block any others.
@Suite(.timeLimit(.minutes(5))) struct FairnessTests {
  @Test(arguments: [1, 5, 12])
  func `after an outage writes that always fail do not keep others from being sent`(
    bad: Int
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let clock = temporary.clock
      let back = clock.reading().wall.advanced(by: .seconds(8))
      var policy = Policy.offlineFirst
      policy.origin = "api"
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.add(shelf.numbers, policy: policy) { _ in
        throw SourceRefusal()
      } push: { write in
        guard clock.reading().wall >= back, write.value == 1 else { throw SourceRefusal() }
        return .accepted
      }
      for number in 0..<bad { try await shelf.numbers.write(0, for: "bad \(number)") }
      for number in 1...20 { try await shelf.numbers.write(1, for: "good \(number)") }

      var pushed = 0
      for _ in 0..<8 {
        pushed += try await shelf.synchronizer.drain().pushed
        clock.advance(by: .seconds(1))
      }
      #expect(pushed == 0)
      // The longest pause of the breaker, once for each write that was not tried before.
      for _ in 0..<6 {
        clock.advance(by: .seconds(300))
        pushed += try await shelf.synchronizer.drain().pushed
      }

      #expect(pushed == 20)
      #expect(try shelf.store.outbox().allSatisfy { $0.key.hasPrefix("bad") })
    }
  }

  @Test func `a write that always fails does not keep lists and records from their trials`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let clock = temporary.clock
      var policy = Policy.offlineFirst
      policy.origin = "api"
      policy.maximumRetryPause = .seconds(2)
      let shelf = try await Shelf(temporary, stale: 1)
      let (fetched, listed) = (Asked(), Asked())
      shelf.synchronizer.add(shelf.numbers, policy: policy) { previous in
        fetched.note([previous.key])
        throw SourceRefusal()
      } push: { _ in
        throw SourceRefusal()
      }
      shelf.synchronizer.follow("all", of: shelf.numbers, policy: policy) { _ in
        listed.note(["all"])
        throw SourceRefusal()
      }
      for number in 0..<3 { try await shelf.numbers.write(0, for: "bad \(number)") }

      for _ in 0..<12 {
        _ = try await shelf.synchronizer.drain()
        clock.advance(by: .seconds(300))
      }

      #expect(fetched.batches.count >= 3 && listed.batches.count >= 3)
    }
  }

  @Test func `writes without an answer do not keep a list of the same route from its trials`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let listed = Asked()
      shelf.synchronizer.add(shelf.numbers, policy: .offlineFirst) { _ in
        throw Silence()
      } push: { _ in
        throw Silence()
      }
      shelf.synchronizer.follow("all", of: shelf.numbers, policy: .offlineFirst) { _ in
        listed.note(["all"])
        throw Silence()
      }
      for number in 0..<9 {
        try await shelf.numbers.write(
          0, for: "bad \(number)", options: WriteOptions(address: "https://h.example/"))
      }

      for _ in 0..<12 {
        _ = try await shelf.synchronizer.drain()
        shelf.clock.advance(by: .seconds(300))
      }

      #expect(listed.batches.count >= 3)
    }
  }

  @Test func `a record that another store is fetching does not cost a write its trial`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      var policy = Policy.offlineFirst
      policy.origin = "api"
      let shelf = try await Shelf(temporary, stale: 1)
      shelf.synchronizer.add(shelf.numbers, policy: policy) { _ in
        .value(1)
      } push: { _ in
        .accepted
      }
      // Enough to open the breaker, and so many that it is a record's turn.
      for number in 0..<5 {
        await #expect(throws: GetError.self) {
          try await shelf.numbers.get("down \(number)", policy: policy) { _ in throw SourceRefusal()
          }
        }
      }
      try await shelf.numbers.write(7, for: "2")
      let (asked, latch) = (Asked(), Latch(isOpen: false))
      var patient = Policy.sourceFirst
      (patient.hardTimeout, patient.softTimeout) = (.seconds(1_000_000), nil)
      let getting = Task { [patient] in
        try await shelf.numbers.get("1", policy: patient) { _ in
          asked.note(["1"])
          try await latch.pass()
          return .value(1)
        }
      }
      while asked.batches.isEmpty { await Task.yield() }
      shelf.clock.advance(by: .seconds(300))
      let report = try await shelf.synchronizer.drain()
      latch.open()
      _ = try await getting.value

      #expect(report.pushed == 1)
    }
  }

  @Test func `writes that keep failing are handed out in turns, in the order of writing`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      for key in ["a", "b", "c"] { try await shelf.numbers.write(1, for: key) }
      let order = Asked()
      for _ in 1...5 {
        let due = try await shelf.store.dueWrites(limit: 1)
        order.note(due.map(\.entry.key))
        _ = await shelf.numbers.push(due) { _ in throw SourceRefusal() }
        shelf.clock.advance(by: .seconds(1))
      }
      #expect(order.batches == [["a"], ["b"], ["c"], ["a"], ["b"]])
    }
  }

  @Test func `a source that hangs does not delay the writes of other sources, however many wait`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let (synchronizer, latch) = (Synchronizer(temporary.store), Latch(isOpen: false))
      synchronizer.add(
        numbers, policies: { _ in .offlineFirst }, fetch: { _, _ in .value(0) },
        push: { source, _ in
          if source == "https://hangs.example/" { try await latch.pass() }
          return .accepted
        })
      for number in 1...9 {
        try await numbers.write(
          1, for: "\(number)", options: WriteOptions(address: "https://hangs.example/"))
      }
      for number in 1...5 {
        try await numbers.write(
          number, for: "a", options: WriteOptions(address: "https://answers.example/"))
      }

      let run = Task { try await synchronizer.run() }
      for await status in synchronizer.statuses where status.report.pushed == 5 { break }
      #expect(try temporary.store.outbox(key: "a").isEmpty)
      run.cancel()
      try await run.value
    }
  }

  @Test func `a drain sends no write that was made after it began`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let numbers = shelf.numbers
      shelf.synchronizer.add(numbers) { _ in
        .value(0)
      } push: { write in
        if write.attempts == 0, write.value == 1, write.key == "a" {
          try await numbers.write((write.value ?? 0) + 1, for: write.key)
          try await numbers.write(1, for: write.key + "x")
        }
        return .accepted
      }
      try await numbers.write(1, for: "a")

      let report = try await shelf.synchronizer.drain()

      #expect(report.pushed == 1 && report.deferred == 0)
      #expect(try shelf.store.outbox().map(\.key) == ["a", "ax"])
    }
  }

  @Test(arguments: [true, false])
  func `an endless conflict is left to a later drain`(isMerged: Bool) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let sent = Asked()
      shelf.synchronizer.add(
        shelf.numbers, conflicts: isMerged ? .merge { _ in .merged(9) } : .clientWins
      ) { _ in
        .value(0)
      } push: { write in
        sent.note([write.key])
        return .conflict(.value(-sent.batches.count))
      }
      try await shelf.numbers.write(1, for: "a")

      _ = try await shelf.synchronizer.drain()
      #expect(sent.batches.count == 2)
      shelf.clock.advance(by: .seconds(1))
      _ = try await shelf.synchronizer.drain()
      #expect(sent.batches.count == 4)
    }
  }
}
