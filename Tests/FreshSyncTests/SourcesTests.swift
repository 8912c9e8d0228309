import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Collections whose records come from many sources.
@Suite(.timeLimit(.minutes(5))) struct SourcesTests {
  private let asked = Asked()

  /// A synchronizer with a fetch for each source, except for those of `x:`.
  private func synchronizer(
    _ temporary: TemporaryStore, options: SyncOptions = SyncOptions(),
    outOfReach: @escaping @Sendable (String) -> Bool = { _ in false }
  ) throws -> (Synchronizer, RecordCollection<Int>) {
    let numbers = try temporary.store.collection("numbers", of: Int.self)
    let synchronizer = Synchronizer(temporary.store, options: options)
    synchronizer.add(
      numbers,
      policies: { source in
        guard let source, !source.hasPrefix("x:") else { return nil }
        var policy = Policy()
        // A fetch continues, however far the clock is moved meanwhile.
        policy.hardTimeout = .seconds(1_000_000)
        policy.reachability = .assume(outOfReach(source) ? .offline("cut") : .online)
        return policy
      },
      fetch: { [asked] source, previous in
        asked.note(["get \(source ?? "-")"])
        return .value(1, FetchDetails(expiry: .never))
      },
      push: { [asked] source, write in
        asked.note(["put \(source ?? "-")"])
        return .accepted(FetchDetails())
      })
    return (synchronizer, numbers)
  }

  private func mark(
    _ numbers: RecordCollection<Int>, _ key: String, from source: String
  ) async throws {
    try await numbers.put(0, for: key, details: FetchDetails(source: source))
    try await numbers.markStale(key)
  }

  @Test(arguments: [SyncOptions.WriteOrder.byKey, .ofWriting])
  func `the policies may read the store, as no look at its queues is under way`(
    order: SyncOptions.WriteOrder
  ) async throws {
    try await TemporaryStore.run(configure: { $0.maximumReaders = 1 }) { temporary in
      let store = temporary.store
      let numbers = try store.collection("numbers", of: Int.self)
      var options = SyncOptions()
      options.order = order
      let synchronizer = Synchronizer(store, options: options)
      let fails = Mutex(true)
      synchronizer.add(
        numbers,
        policies: { _ in
          do {
            // It waits for whoever reads.
            return try store.outbox().count + numbers.values().count < 99 ? .cacheFirst : nil
          } catch {
            Issue.record(error)
            return nil
          }
        },
        fetch: { _, _ in .value(1, FetchDetails(expiry: .never)) },
        push: { _, _ in
          if fails.withLock({ $0 }) { throw OriginFailure(retryAfter: .seconds(3600)) }
          return .accepted(FetchDetails())
        })
      try await mark(numbers, "1", from: "http://a/1")
      try await numbers.write(2, for: "2", options: WriteOptions(address: "http://a/2"))
      let report = try await synchronizer.drain()
      #expect(report.fetched + report.failed + report.deferred >= 2)
      fails.withLock { $0 = false }
      try await synchronizer.tryNow(origin: "http://a")
      #expect(try await synchronizer.drain().pushed == 1)
    }
  }

  @Test func `each source is asked, and a source without a policy stays in the queue`() async throws
  {
    try await TemporaryStore.run { temporary in
      let (synchronizer, numbers) = try synchronizer(temporary)
      try await mark(numbers, "1", from: "http://a/1")
      try await mark(numbers, "2", from: "x:2")
      try await mark(numbers, "3", from: "http://b/3")
      let report = try await synchronizer.drain()
      #expect(report.fetched == 2 && report.deferred == 0)
      #expect(Set(asked.batches) == [["get http://a/1"], ["get http://b/3"]])
      #expect(try temporary.store.backlog().due == 1)
    }
  }

  @Test func `the full address is asked where the source leaves a part of it out`() async throws {
    try await TemporaryStore.run { temporary in
      let (synchronizer, numbers) = try synchronizer(temporary)
      for key in ["1", "2"] {
        try await numbers.put(
          0, for: key,
          details: FetchDetails(source: "http://a/1?…", address: "http://a/\(key)?token=secret"))
      }
      let copy = try #require(try numbers.read("1").copy)
      #expect(copy.source == "http://a/1?…" && copy.address == "http://a/1?token=secret")
      #expect(Set(try temporary.store.list().map(\.source)) == ["http://a/1?…"])
      try await numbers.markStale("1")
      try await numbers.write(5, for: "2")

      _ = try await synchronizer.drain()

      #expect(
        Set(asked.batches)
          == [["put http://a/2?token=secret"], ["get http://a/1?token=secret"]])
    }
  }

  @Test func `a source out of reach does not delay other sources, for fetches and writes`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (synchronizer, numbers) = try synchronizer(temporary) { $0.hasPrefix("http://a/") }
      try await mark(numbers, "1", from: "http://a/1")
      try await mark(numbers, "2", from: "http://b/2")
      for (key, source) in [("3", "http://a/3"), ("4", "http://b/4"), ("5", "x:5")] {
        try await numbers.write(1, for: key, options: WriteOptions(address: source))
      }
      let report = try await synchronizer.drain()
      #expect(report.fetched == 1 && report.pushed == 1 && report.deferred == 2)
      #expect(Set(asked.batches) == [["get http://b/2"], ["put http://b/4"]])
      #expect(try temporary.store.outbox().map(\.attempts) == [0, 0])
    }
  }

  @Test func `a full page of records out of reach hides no other source`() async throws {
    try await TemporaryStore.run { temporary in
      let (synchronizer, numbers) = try synchronizer(temporary) { !$0.hasPrefix("http://z/") }
      // Nine origins with more records than fit on a page, all of them older than the last one.
      var values: [String: Int] = [:]
      for number in 0..<4700 { values["\(number)"] = number }
      for origin in 0..<9 {
        let part = values.filter { (Int($0.key) ?? 0) % 9 == origin }
        try await numbers.put(
          part, details: FetchDetails(expiry: .immediately, source: "http://\(origin)/"),
          durability: .normal)
      }
      _ = try await temporary.store.sweep()
      temporary.clock.advance(by: .seconds(1))
      try await mark(numbers, "last", from: "http://z/")
      let report = try await synchronizer.drain()
      #expect(report.fetched == 1)
      #expect(asked.batches == [["get http://z/"]])
    }
  }

  @Test func `a hanging source without an origin in its policy does not block other sources`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      var options = SyncOptions()
      options.concurrency = 1
      let synchronizer = Synchronizer(temporary.store, options: options)
      synchronizer.add(
        numbers, policies: { _ in .offlineFirst },
        fetch: { source, _ in
          if source == "https://dead/1" { throw Silence() }
          return .value(1)
        })
      try await mark(numbers, "1", from: "https://dead/1")
      temporary.clock.advance(by: .seconds(1))
      try await mark(numbers, "2", from: "https://well/2")
      let report = try await synchronizer.drain()

      #expect(report.failed == 1 && report.fetched == 1)
    }
  }

  @Test func `work under route with a source that stays in reach is not given up`() async throws {
    // However far the clock is moved, nothing ends by itself.
    let never = Duration.seconds(1_000_000_000)
    try await TemporaryStore.run(configure: { $0.leaseDuration = never }) { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let reachability = temporary.reachability
      var options = SyncOptions()
      options.holding = never
      let synchronizer = Synchronizer(temporary.store, options: options)
      let (begun, latch) = (Asked(), Latch(isOpen: false))
      synchronizer.add(
        numbers,
        policies: { source in
          var policy = Policy.offlineFirst
          policy.hardTimeout = never
          // Without the Internet, hosts on the link are still known to be reachable.
          if source == "http://link/1", reachability.reachability() != .online {
            policy.reachability = .assume(.online)
          }
          return policy
        },
        fetch: { source, _ in
          begun.note([source ?? "-"])
          try await latch.pass()
          return .value(1)
        })
      try await mark(numbers, "1", from: "http://link/1")
      try await mark(numbers, "2", from: "https://far/2")
      async let run: Void = synchronizer.run()
      while begun.batches.count < 2 { await Task.yield() }
      reachability.set(.offline("cut"))
      while synchronizer.status.inFlight > 1 {
        for _ in 0..<100 { await Task.yield() }
        temporary.clock.advance(by: .milliseconds(20))
      }
      latch.open()
      for await status in synchronizer.statuses where status.report.fetched == 1 { break }
      synchronizer.requestStop()
      try await run

      #expect(begun.batches.filter { $0 == ["http://link/1"] }.count == 1)
      #expect(try numbers.read("1").copy?.value == 1)
    }
  }

  @Test func `a source that is in reach again is asked again`() async throws {
    try await TemporaryStore.run { temporary in
      let isCut = Atomic<Bool>(true)
      var options = SyncOptions()
      options.reachabilityInterval = .seconds(1)
      options.holding = .seconds(1_000_000)
      let (synchronizer, numbers) = try synchronizer(temporary, options: options) { _ in
        isCut.load(ordering: .relaxed)
      }
      try await mark(numbers, "1", from: "http://a/1")
      async let run: Void = synchronizer.run()
      for await status in synchronizer.statuses {
        if case .offline(let reason) = status.phase {
          #expect(reason == "cut")
          break
        }
      }
      isCut.store(false, ordering: .relaxed)
      while asked.batches.isEmpty {
        await temporary.clock.sleepers(atLeast: 1)
        temporary.clock.advance(by: .seconds(1))
      }
      synchronizer.requestStop()
      try await run
      #expect(asked.batches == [["get http://a/1"]])
    }
  }

  @Test func `the writes of a key go one after the other, with other keys in between`() async throws
  {
    try await TemporaryStore.run { temporary in
      let (synchronizer, numbers) = try synchronizer(temporary)
      for number in 1...3 {
        try await numbers.write(
          number, for: "a", options: WriteOptions(address: "http://a/\(number)"))
      }
      try await numbers.write(1, for: "b", options: WriteOptions(address: "http://b/"))
      let report = try await synchronizer.drain()
      #expect(report.pushed == 4)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}
