import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Testing

/// Local writes do not wait for each other, and do not wait too long.
@Suite(.timeLimit(.minutes(2))) struct FairPushTests {
  private static let large = 1000

  private static func options() -> SyncOptions {
    var options = SyncOptions()
    options.largeBody = large
    return options
  }

  /// A synchronizer that sends one write at a time, and notes each.
  private static func oneByOne(
    _ store: Store, _ numbers: RecordCollection<Int>, noting sent: Sent<Int>,
    _ answer: @escaping @Sendable (PendingWrite<Int>) throws -> Pushed<Int> = { _ in .accepted }
  ) -> Synchronizer {
    var options = SyncOptions()
    options.concurrency = 1
    let synchronizer = Synchronizer(store, options: options)
    synchronizer.add(numbers) { _ in
      .notModified
    } push: { write in
      sent.add(write)
      return try answer(write)
    }
    return synchronizer
  }

  @Test func `a hundred large bodies that hang leave slots for small ones`() async throws {
    try await TemporaryStore.run { temporary in
      let bodies = try temporary.store.bytes("bodies")
      for number in 0..<100 {
        try await bodies.write([UInt8](repeating: 1, count: Self.large), for: "large \(number)")
      }
      for number in 0..<10 { try await bodies.write([2], for: "small \(number)") }
      let (latch, sent) = (Latch(), Sent<[UInt8]>())
      latch.close()
      let synchronizer = Synchronizer(temporary.store, options: Self.options())
      synchronizer.add(bodies) { _ in
        .notModified
      } push: { write in
        sent.add(write)
        if write.value?.count == Self.large { try await latch.pass() }
        return .accepted
      }
      async let run: Void = synchronizer.run()
      while sent.all.filter({ $0.value?.count == 1 }).count < 10 { await Task.yield() }
      let large = sent.all.count { $0.key.hasPrefix("large") }
      #expect(large == 2)
      latch.open()
      await synchronizer.settled()
      #expect(try temporary.store.outbox().isEmpty)
      synchronizer.requestStop()
      try await run
    }
  }

  @Test func `a write that keeps failing delays none of other keys`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.write(0, for: "poison", options: WriteOptions(priority: 9))
      for number in 1...50 { try await numbers.write(number, for: "\(number)") }
      let sent = Sent<Int>()
      let synchronizer = Self.oneByOne(temporary.store, numbers, noting: sent) { write in
        if write.key == "poison" { throw OriginFailure(blamesOrigin: false) }
        return .accepted
      }
      async let run: Void = synchronizer.run()
      await synchronizer.settled()
      #expect(sent.all.first?.key == "poison" && sent.all.count == 51)
      #expect(try temporary.store.outbox().map(\.key) == ["poison"])
      synchronizer.requestStop()
      try await run
    }
  }

  @Test func `an urgent write that has failed once does not wait for the others`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let sent = Sent<Int>()
      let synchronizer = Self.oneByOne(temporary.store, numbers, noting: sent) { _ in
        if sent.all.count == 1 { throw OriginFailure(blamesOrigin: false) }
        return .accepted
      }
      try await numbers.write(0, for: "urgent", options: WriteOptions(priority: 1000))
      _ = try await synchronizer.drain()
      temporary.clock.advance(by: .minutes(1))
      for number in 1...50 { try await numbers.write(number, for: "\(number)") }
      _ = try await synchronizer.drain()
      #expect(sent.all.prefix(2).map(\.key) == ["urgent", "urgent"])
    }
  }

  @Test func `a steady stream of new writes does not starve one that has failed`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let (sent, clock) = (Sent<Int>(), temporary.clock)
      var options = SyncOptions()
      options.concurrency = 1
      let synchronizer = Synchronizer(temporary.store, options: options)
      synchronizer.add(numbers) { _ in
        .notModified
      } push: { write in
        sent.add(write)
        let count = sent.all.count
        if count == 1 { throw OriginFailure(blamesOrigin: false) }
        if count < 30 {
          clock.advance(by: .seconds(1))
          try await numbers.write(count, for: "new \(count)")
        }
        return .accepted
      }
      try await numbers.write(0, for: "failed")
      try await numbers.write(1, for: "new 1")

      async let run: Void = synchronizer.run()
      await synchronizer.settled()
      #expect(sent.all.count == 31)
      #expect(sent.all.dropFirst().prefix(3).contains { $0.key == "failed" })
      synchronizer.requestStop()
      try await run
    }
  }

  @Test(arguments: [true, false])
  func `the next write of a key goes before those of a lower priority that wait`(
    _ drains: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      for number in 1...3 {
        try await numbers.write(number, for: "urgent", options: WriteOptions(priority: 9))
      }
      for number in 1...20 { try await numbers.write(number, for: "\(number)") }
      let sent = Sent<Int>()
      let synchronizer = Self.oneByOne(temporary.store, numbers, noting: sent)
      if drains {
        #expect(try await synchronizer.drain().pushed == 23)
      } else {
        async let run: Void = synchronizer.run()
        await synchronizer.settled()
        synchronizer.requestStop()
        try await run
      }
      #expect(sent.all.count == 23)
      #expect(sent.all.prefix(3).map(\.key) == ["urgent", "urgent", "urgent"])
    }
  }

  @Test func `a photo is sent after its report, in one drain and in a run`() async throws {
    for drains in [true, false] {
      try await TemporaryStore.run { temporary in
        let reports = try temporary.store.collection("reports", of: String.self)
        let photos = try temporary.store.bytes("photos")
        let sent = Recorder<String>()
        let synchronizer = Synchronizer(temporary.store)
        synchronizer.add(reports) { _ in
          .notModified
        } push: { write in
          sent.add(write.key)
          return .accepted
        }
        synchronizer.add(photos) { _ in
          .notModified
        } push: { write in
          sent.add(write.key)
          return .accepted
        }
        for number in 0..<20 {
          let report = try await reports.write("text", for: "report \(number)")
          try await photos.write(
            [1], for: "photo \(number)", options: WriteOptions(priority: 5, after: report.id))
        }
        if drains {
          #expect(try await synchronizer.drain().pushed == 40)
        } else {
          async let run: Void = synchronizer.run()
          await synchronizer.settled()
          synchronizer.requestStop()
          try await run
        }
        let order = sent.all
        #expect(order.count == 40)
        for number in 0..<20 {
          let report = try #require(order.firstIndex(of: "report \(number)"))
          let photo = try #require(order.firstIndex(of: "photo \(number)"))
          #expect(report < photo)
        }
      }
    }
  }

  @Test func `the return of the network ends pauses, except those that a source has named`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      for key in ["1", "2"] { try await numbers.write(1, for: key) }
      let (sent, works) = (Sent<Int>(), Recorder<Bool>())
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(numbers) { _ in
        .notModified
      } push: { write in
        sent.add(write)
        guard works.all.isEmpty else { return .accepted }
        throw OriginFailure(
          blamesOrigin: false, retryAfter: write.key == "2" ? .seconds(3600) : nil)
      }
      async let run: Void = synchronizer.run()
      await synchronizer.settled()
      #expect(try temporary.store.outbox().map { $0.nextAttempt != nil } == [true, true])

      works.add(true)
      temporary.reachability.set(.offline("cut"))
      await synchronizer.settled()
      temporary.reachability.set(.online)
      await synchronizer.settled()
      temporary.clock.advance(by: synchronizer.options.settle)
      await synchronizer.settled()
      #expect(try temporary.store.outbox().map(\.key) == ["2"])

      try await synchronizer.tryNow()
      await synchronizer.settled()
      #expect(try temporary.store.outbox().isEmpty)
      synchronizer.requestStop()
      try await run
    }
  }

  @Test func `one origin is tried now, and no other`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      for host in ["a", "b"] {
        try await numbers.write(1, for: host, options: WriteOptions(address: "https://\(host)/x"))
      }
      let (sent, works) = (Sent<Int>(), Recorder<Bool>())
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(
        numbers, policies: { _ in .offlineFirst }, fetch: { _, _ in .notModified }
      ) { _, write in
        sent.add(write)
        guard works.all.isEmpty else { return .accepted }
        throw OriginFailure(blamesOrigin: false)
      }
      _ = try await synchronizer.drain()
      works.add(true)
      #expect(try await synchronizer.drain().pushed == 0)
      try await synchronizer.tryNow(origin: Origin("https://b"))
      #expect(try await synchronizer.drain().pushed == 1)
      #expect(try temporary.store.outbox().map(\.key) == ["a"])
    }
  }

  @Test func `a write is given up after the attempts that the options allow`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.write(1, for: "1")
      var options = SyncOptions()
      options.maximumAttempts = 2
      let synchronizer = Synchronizer(temporary.store, options: options)
      synchronizer.add(numbers) { _ in
        .notModified
      } push: { _ in
        throw OriginFailure(blamesOrigin: false)
      }
      #expect(try await synchronizer.drain().failed == 1)
      temporary.clock.advance(by: .seconds(3600))
      #expect(try await synchronizer.drain().parked == 1)
      #expect(try temporary.store.outbox().first?.state == .parked)
    }
  }

  @Test func `a write whose merges always meet another change is given up, and holds up no other`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      for key in ["1", "2"] { try await numbers.write(1, for: key) }
      var options = SyncOptions()
      options.maximumAttempts = 3
      let sent = Sent<Int>()
      let synchronizer = Synchronizer(temporary.store, options: options)
      synchronizer.add(numbers, conflicts: .merge { .merged(($0.local ?? 0) + 1) }) { _ in
        .notModified
      } push: { write in
        guard write.key == "1" else { return .accepted }
        sent.add(write)
        return .conflict(.value(-sent.all.count, FetchDetails()))
      }

      let first = try await synchronizer.drain()
      temporary.clock.advance(by: .seconds(3600))
      let second = try await synchronizer.drain()

      let left = try temporary.store.outbox()
      #expect(first.pushed == 1 && first.parked == 0 && second.parked == 1)
      #expect(sent.all.map(\.value) == [1, 2, 2, 3])
      #expect(left.map(\.state) == [.parked])
      #expect(left.first?.failure == "given up after 4 conflicts: the source changed again")
    }
  }
}
