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

extension FollowingTests {
  /// Follows a list that comes whole each time; what is returned notes the cursors.
  private func followWhole(_ shelf: Shelf) -> Asked {
    let asked = Asked()
    let policy = Policy.offlineFirst.expiring(.after(.seconds(3600)))
    shelf.synchronizer.follow("all", of: shelf.numbers, policy: policy) { previous in
      asked.note([previous.cursor ?? "-"])
      return .full(["1": .value(1)], cursor: "x")
    }
    return asked
  }

  @Test func `a restarted list is followed at once, as a whole`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = followWhole(shelf)

      try await shelf.running {
        _ = await shelf.status { $0.report.lists == 1 }
        // Within the second for which a list rests that asks to be followed again.
        try await shelf.numbers.restart(list: "all")
        await shelf.synchronizer.settled()
        #expect(asked.batches.count == 2)
      }

      #expect(asked.batches == [["-"], ["-"]])
    }
  }

  @Test func `a list that was forgotten is followed at once`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = followWhole(shelf)

      try await shelf.running {
        _ = await shelf.status { $0.report.lists == 1 }
        await shelf.synchronizer.settled()
        try await shelf.numbers.forget(list: "all", removingMembers: true)
        await shelf.synchronizer.settled()
        #expect(asked.batches.count == 2)
      }
    }
  }

  @Test func `a list that was restarted while it was followed is followed at once`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = Asked()
      shelf.synchronizer.follow("all", of: shelf.numbers) { _ in
        asked.note(["all"])
        if asked.batches.count == 2 { try await shelf.numbers.restart(list: "all") }
        return .full(["1": .value(1)], cursor: "x")
      }

      try await shelf.running {
        await shelf.synchronizer.settled()
        try await shelf.numbers.restart(list: "all")
        await shelf.synchronizer.settled()
        #expect(asked.batches.count == 3)
      }
    }
  }

  @Test func `a list that expires at once is due a second later, and the status says so`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = Asked()
      let policy = Policy.offlineFirst.expiring(.immediately)
      shelf.synchronizer.follow("all", of: shelf.numbers, policy: policy) { _ in
        asked.note(["all"])
        return .full([:], cursor: nil)
      }

      try await shelf.running {
        for times in 1...3 {
          let due = temporary.clock.reading().wall.advanced(by: .seconds(1))
          #expect(await shelf.synchronizer.settled().phase == .idle(until: due))
          #expect(asked.batches.count == times)
          shelf.clock.advance(by: .seconds(1))
        }
      }
    }
  }

  @Test func `lists are followed again at once after a wipe, as a whole`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let asked = followWhole(shelf)

      try await shelf.running {
        _ = await shelf.status { $0.report.lists == 1 }
        await shelf.idle()
        try await shelf.store.wipe()
        await shelf.synchronizer.settled()
        #expect(asked.batches.count == 2)
      }

      #expect(asked.batches == [["-"], ["-"]])
    }
  }

  @Test func `one request keeps all members of a list fresh`() async throws {
    try await TemporaryStore.run { temporary in
      let policy = Policy.offlineFirst.expiring(.after(.seconds(60)))
      let shelf = try await Shelf(temporary, stale: 0, policy: policy)
      let numbers = (1...250).map { ("\($0)", ListMember<Int>.value($0)) }
      let members = Dictionary(uniqueKeysWithValues: numbers)
      shelf.synchronizer.follow("all", of: shelf.numbers) { previous in
        previous.cursor == nil ? .full(members, cursor: "x") : .notModified
      }
      _ = try await shelf.synchronizer.drain()
      temporary.clock.advance(by: .seconds(60))

      _ = try await shelf.synchronizer.drain()
      _ = try await temporary.store.sweep()
      let report = try await shelf.synchronizer.drain()

      #expect(report.fetched == 0 && shelf.asked.isEmpty)
      #expect(try shelf.numbers.read("250").decision.age == .zero)
    }
  }
}
