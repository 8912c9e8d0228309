import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

@Suite struct FollowingTests {
  @Test func `an expired list is followed, and its members are fetched`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = Asked()
      let policy = Policy.offlineFirst.expiring(.after(.seconds(60)))
      shelf.synchronizer.follow("all", of: shelf.numbers, policy: policy) { previous in
        asked.note([previous.cursor ?? "-"])
        return previous.cursor == nil
          ? .full(["1": .value(1), "2": .named], cursor: "x") : .notModified
      }

      try await shelf.running {
        await shelf.origin.calls(atLeast: 1)
        await shelf.idle()
        #expect(asked.batches == [["-"]])
        shelf.clock.advance(by: .seconds(60))
        _ = await shelf.status { $0.report.lists == 2 }
      }

      #expect(asked.batches == [["-"], ["x"]])
      #expect(shelf.asked == ["2"])
      #expect(try shelf.numbers.read("2").copy?.value == 20)
    }
  }

  @Test func `a drain follows each list once, even if its answer expires at once`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let policy = Policy.offlineFirst.expiring(.immediately)
      let asked = Asked()
      for name in ["a", "b"] {
        shelf.synchronizer.follow(name, of: shelf.numbers, policy: policy) { previous in
          asked.note([previous.name])
          guard previous.name == "a" else { throw SourceRefusal() }
          return .full([:], cursor: nil)
        }
      }

      let report = try await shelf.synchronizer.drain()

      #expect(report.lists == 1 && report.failed == 1)
      #expect(Set(asked.batches) == [["a"], ["b"]] && asked.batches.count == 2)
    }
  }

  @Test func `no list is requested while offline`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = Asked()
      shelf.synchronizer.follow("all", of: shelf.numbers) { _ in
        asked.note([])
        return .notModified
      }
      temporary.reachability.set(.offline("none"))

      #expect(try await shelf.synchronizer.drain().lists == 0)
      #expect(asked.batches.isEmpty)
    }
  }
}
