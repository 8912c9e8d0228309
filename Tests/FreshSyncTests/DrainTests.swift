import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

@Suite struct DrainTests {
  @Test func `due records are fetched, the longest due first, and the rest is left`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 5, options: options)
      try await shelf.numbers.put(
        9, for: "fresh", details: FetchDetails(expiry: .after(.seconds(60))))

      let report = try await shelf.synchronizer.drain()

      #expect(shelf.asked == ["1", "2", "3", "4", "5"])
      #expect(report.fetched == 5 && report.failed == 0 && report.deferred == 0)
      #expect(try shelf.numbers.read("3").copy?.value == 30)
      #expect(try await shelf.store.due(limit: 9).isEmpty)
      #expect(try shelf.store.statistics().leases == 0)
    }
  }

  @Test func `records that others are fetching do not delay the records after them`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 6)
      let other = try temporary.another()
      let there = try other.collection("numbers", of: Int.self)
      let silent = ScriptedOrigin<Int> { _ in .value(0) }
      silent.hold()
      let getting = Task {
        await there.get((1...4).map(String.init)) { missing in
          [missing[0].key: try await silent.fetch(missing[0])]
        }
      }
      await silent.calls(atLeast: 1)

      let report = try await shelf.synchronizer.drain()
      getting.cancel()
      _ = await getting.value
      try await other.close()

      #expect(shelf.asked.sorted() == ["5", "6"])
      #expect(report.fetched == 2 && report.deferred == 0)
    }
  }

  @Test func `a report counts each kind of answer`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 6)
      shelf.origin.answer { previous in
        switch previous.key {
        case "1": .notModified
        case "2", "3": .gone
        case "4": throw SourceRefusal()
        default: .value(0)
        }
      }

      let report = try await shelf.synchronizer.drain()

      #expect(report.notModified == 1 && report.gone == 2 && report.failed == 1)
      #expect(report.fetched == 2)
    }
  }

  @Test func `a drain tries a record once, even if its pause is over at once`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 3)
      shelf.origin.answer { _ in throw SourceRefusal() }

      let report = try await shelf.synchronizer.drain()

      #expect(shelf.origin.calls == 3)
      #expect(report.failed == 3)
    }
  }

  @Test func `the limits of concurrent fetches hold, in total and for each origin`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 5
      options.concurrencyPerOrigin = 2
      let shelf = try await Shelf(
        temporary, stale: 60, options: options,
        source: { $0 <= 40 ? "https://A.example/\($0)" : "https://host\($0 % 2).example/x" })
      let gauge = Gauge()
      shelf.synchronizer.add(shelf.numbers) { previous in
        let number = Int(previous.key) ?? 0
        let origin = number <= 40 ? "a" : "\(number % 2)"
        return try await gauge.measure(origin) {
          try await shelf.origin.fetch(previous)
        }
      }
      shelf.origin.hold()

      async let report = shelf.synchronizer.drain()
      await shelf.origin.calls(atLeast: 5)
      let held = shelf.synchronizer.status
      shelf.origin.release()

      let fetched = try await report.fetched
      #expect(fetched == 60)
      #expect(gauge.most.values.max() == 2 && gauge.most["a"] == 2)
      #expect(shelf.origin.mostAtOnce == 5)
      #expect(held.inFlight <= 5)
    }
  }

  @Test func `10,000 stale records drain within the limits`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      var values: [String: Int] = [:]
      for number in 1...10_000 { values["\(number)"] = number }
      try await shelf.numbers.put(
        values, details: FetchDetails(expiry: .immediately), durability: .normal)
      _ = try await shelf.store.sweep()

      let report = try await shelf.synchronizer.drain()

      #expect(report.fetched == 10_000)
      #expect(shelf.origin.calls == 10_000)
      #expect(shelf.origin.mostAtOnce <= 4)
    }
  }

  @Test func `a batch source receives batches`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(
        temporary, stale: 7, source: { $0 == 4 ? "https://other.example" : nil })
      let asked = Asked()
      shelf.synchronizer.add(shelf.numbers, batch: 3) { missing in
        asked.note(missing.map(\.key))
        return Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value(0)) })
      }

      let report = try await shelf.synchronizer.drain()

      #expect(report.fetched == 7)
      #expect(Set(asked.batches) == [["1", "2", "3"], ["4"], ["5", "6", "7"]])
    }
  }

  @Test func `other collections are left alone`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      let others = try temporary.store.collection("others", of: Int.self)
      try await others.put(1, for: "x", details: FetchDetails(expiry: .immediately))
      _ = try await temporary.store.sweep()

      let report = try await shelf.synchronizer.drain()

      #expect(report.fetched == 1 && report.deferred == 0)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["x"])
    }
  }

  @Test func `while offline no source is asked, and all due records count as deferred`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 3)
      temporary.reachability.set(.offline("none"))

      let report = try await shelf.synchronizer.drain()

      #expect(report.deferred == 3 && shelf.origin.calls == 0)
      #expect(try shelf.store.statistics().leases == 0)
    }
  }

  @Test func `a policy that ignores the network overrides it`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy.offlineFirst
      policy.reachability = .ignore
      let shelf = try await Shelf(temporary, stale: 3, policy: policy)
      temporary.reachability.set(.offline("none"))

      #expect(try await shelf.synchronizer.drain().fetched == 3)
    }
  }

  @Test func `a failing source is asked as often as its breaker allows`() async throws {
    try await TemporaryStore.run(configure: { $0.breaker.threshold = 2 }) { temporary in
      var policy = Policy.offlineFirst
      policy.origin = "https://sick.example"
      var options = SyncOptions()
      options.concurrencyPerOrigin = 1
      let shelf = try await Shelf(temporary, stale: 10, policy: policy, options: options)
      shelf.origin.answer { _ in throw SourceRefusal() }

      let report = try await shelf.synchronizer.drain()

      #expect(shelf.origin.calls == 2)
      #expect(report.failed == 2 && report.deferred == 8)
      // Records that were not tried keep their place in the queue.
      #expect(try await shelf.store.due(limit: 9).map(\.key).count == 8)
    }
  }

  @Test func `only one run is possible at a time`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 1)
      shelf.origin.hold()
      async let report = shelf.synchronizer.drain()
      await shelf.origin.calls(atLeast: 1)

      await #expect(throws: SyncError.self) { try await shelf.synchronizer.run() }

      shelf.origin.release()
      let fetched = try await report.fetched
      #expect(fetched == 1)
    }
  }

  @Test func `a list that is out of reach counts as deferred`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.follow("all", of: shelf.numbers) { _ in .full([:], cursor: nil) }
      temporary.reachability.set(.offline("cut"))
      #expect(try await shelf.synchronizer.drain().deferred == 1)
      temporary.reachability.set(.online)
      let report = try await shelf.synchronizer.drain()
      #expect(report.deferred == 0 && report.lists == 1)
    }
  }
}
