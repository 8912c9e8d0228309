import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@Suite struct ListTests {
  private typealias Answer = SourceListChange<Int>

  /// The requests, and the answers in turn.
  private func follow(
    _ numbers: RecordCollection<Int>, _ list: String = "all", _ answer: Answer
  ) async throws -> FollowedList {
    try await numbers.follow(list) { _ in answer }
  }

  @Test func `a whole list is stored, and members that left it are removed`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.put(0, for: "own")
      _ = try await follow(
        numbers, "all", .full(["a": .value(1), "b": .value(2)], cursor: "1"))

      let second = try await follow(
        numbers, "all", .full(["b": .value(3), "c": .value(4)], cursor: "2"))

      #expect(second.isFull && second.removed == ["a"])
      #expect(Set(second.stored) == ["b", "c"])
      #expect(try numbers.read("a").copy == nil)
      #expect(try numbers.read("b").copy?.value == 3)
      #expect(try numbers.read("own").copy?.value == 0)
      #expect(try numbers.members(of: "all") == ["b", "c"])
    }
  }

  @Test func `the cursor is sent back, and a delta changes only the members that it names`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(
        numbers, "all", .full(["a": .value(1), "b": .value(2), "c": .value(3)], cursor: "one"))
      let asked = Asked()

      let followed = try await numbers.follow("all") { previous in
        asked.note([previous.cursor ?? "-", "\(previous.count)"])
        return .delta(["b": .value(9)], removals: ["c", "unknown"], cursor: "two")
      }
      _ = try await numbers.follow("all") { previous in
        asked.note([previous.cursor ?? "-", "\(previous.count)"])
        return .notModified
      }
      _ = try await numbers.follow("all") { previous in
        asked.note([previous.cursor ?? "-", "\(previous.count)"])
        return .notModified
      }

      #expect(asked.batches == [["one", "3"], ["two", "2"], ["two", "2"]])
      #expect(followed.removed == ["c"] && followed.stored == ["b"])
      #expect(try numbers.members(of: "all") == ["a", "b"])
      #expect(try numbers.read("a").copy?.value == 1)
    }
  }

  @Test func `a cursor the source has forgotten leads to the whole list`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(numbers, "all", .full(["a": .value(1)], cursor: "old"))

      let followed = try await numbers.follow("all") { previous in
        previous.cursor == nil ? .full(["b": .value(2)], cursor: "new") : .expiredCursor
      }

      #expect(followed.isFull && followed.removed == ["a"] && followed.stored == ["b"])
    }
  }

  @Test(arguments: [nil, -60])
  func `a member's last update is the source's, otherwise the present`(
    seconds: Int?
  ) async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let now = temporary.clock.reading().wall
      let stated = seconds.map { now.advanced(by: .seconds($0)) }
      _ = try await follow(
        numbers, "all", .full(["a": .value(1, FetchDetails(lastUpdate: stated))], cursor: nil))
      let decision = try numbers.read("a").decision
      #expect(decision.outcome == .fresh && decision.lastUpdate == stated ?? now)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `observers receive the members that a list brought and removed`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(numbers, "all", .full(["a": .value(1)], cursor: nil))
      let changes = numbers.changes()
      _ = try await follow(numbers, "all", .full(["b": .value(2)], cursor: nil))
      var found: [Change] = []
      for await change in changes {
        found.append(change)
        if found.count == 2 { break }
      }
      #expect(found.map(\.kind) == [.stored, .removed])
      #expect(found.map(\.key) == ["b", "a"])
    }
  }

  @Test func `a list never followed is due now, and a failed one when its pause is over`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let now = temporary.clock.reading().wall
      #expect(try numbers.listDue("all") == now)
      await #expect(throws: GetError.self) {
        try await numbers.follow("all") { _ in throw OriginFailure(retryAfter: .seconds(60)) }
      }
      #expect(try numbers.listDue("all") == now.advanced(by: .seconds(60)))
    }
  }

  @Test func `a list's source that names a zero pause is paused all the same`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let now = temporary.clock.reading().wall
      await #expect(throws: GetError.self) {
        try await numbers.follow("all") { _ in throw OriginFailure(retryAfter: .zero) }
      }
      #expect(try numbers.listDue("all") == now.advanced(by: .milliseconds(500)))
    }
  }

  @Test(arguments: ["", String(repeating: "l", count: 1025)])
  func `a name that is invalid for a key is invalid for a list`(name: String) async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let failure = await #expect(throws: GetError.self) {
        try await follow(numbers, name, .notModified)
      }
      #expect(failure?.storeFailure?.code == .invalidKey)
      #expect(await storeFailure { try numbers.members(of: name) }?.code == .invalidKey)
    }
  }

  @Test func `a source that rejects a cursor it was not sent has failed`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(numbers, "all", .full(["a": .value(1)], cursor: "old"))

      await #expect(throws: GetError.self) {
        try await follow(numbers, "all", .expiredCursor)
      }
      #expect(try numbers.members(of: "all") == ["a"])
    }
  }

  @Test func `a failed fetch changes nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(numbers, "all", .full(["a": .value(1)], cursor: "one"))

      let failure = await #expect(throws: GetError.self) {
        try await numbers.follow("all") { _ in throw OriginFailure() }
      }
      let asked = Asked()
      _ = try await numbers.follow("all") { previous in
        asked.note([previous.cursor ?? "-"])
        return .notModified
      }

      #expect(failure?.code == .fetchFailed && failure?.key == "all")
      #expect(try numbers.read("a").copy?.value == 1)
      #expect(asked.batches == [["one"]])
      #expect(try temporary.store.statistics().leases == 0)
    }
  }

  @Test func `a member that breaks its rules keeps its old copy, the others are stored`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection(
        "numbers", of: Int.self, admitting: .between(0...100))
      _ = try await follow(
        numbers, "all", .full(["a": .value(1), "b": .value(2)], cursor: nil))

      let followed = try await follow(
        numbers, "all", .full(["a": .value(-1), "b": .value(3)], cursor: nil))

      #expect(Array(followed.refused.keys) == ["a"] && followed.stored == ["b"])
      #expect(try numbers.read("a").copy?.value == 1)
      #expect(try numbers.members(of: "all") == ["a", "b"])
    }
  }

  @Test func `members that are pinned, or on another list, stay`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let members: [String: ListMember<Int>] = [
        "pinned": .value(1), "both": .value(2), "gone": .value(3),
      ]
      _ = try await follow(numbers, "all", .full(members, cursor: nil))
      _ = try await follow(numbers, "other", .full(["both": .value(5)], cursor: nil))
      try await numbers.setPinned(true, for: "pinned")

      let followed = try await follow(numbers, "all", .full([:], cursor: nil))
      let last = try await follow(numbers, "other", .full([:], cursor: nil))

      #expect(followed.removed == ["gone"] && Set(followed.kept) == ["pinned", "both"])
      #expect(last.removed == ["both"])
      #expect(try numbers.read("pinned").copy?.value == 1)
    }
  }

  @Test func `the lists of two collections are independent`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let others = try temporary.store.collection("others", of: Int.self)
      _ = try await follow(numbers, "all", .full(["a": .value(1)], cursor: nil))
      _ = try await follow(others, "all", .full(["a": .value(2)], cursor: nil))

      let followed = try await follow(numbers, "all", .full([:], cursor: nil))

      #expect(followed.removed == ["a"])
      #expect(try others.read("a").copy?.value == 2)
    }
  }

  @Test func `members that are only named are queued when they are missing`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.put(1, for: "here")
      try await numbers.put(2, for: "other")

      let followed = try await follow(
        numbers, "all",
        .full(["here": .named, "missing": .named, "other": .changed], cursor: nil))
      let due = try await temporary.store.due(limit: 9)

      #expect(Set(followed.queued) == ["missing", "other"])
      #expect(Set(due.map(\.key)) == ["missing", "other"])
      #expect(try numbers.state("here") == .fresh)
      #expect(try numbers.state("other") == .stale)
    }
  }

  @Test func `a mark made while the source was asked stays`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.put(1, for: "a")

      _ = try await numbers.follow("all") { _ in
        try await numbers.markStale("a")
        return .full(["a": .value(2), "b": .value(3)], cursor: nil)
      }

      #expect(try numbers.read("a").copy?.value == 2)
      #expect(try numbers.state("a") == .stale)
      #expect(try numbers.state("b") == .fresh)
    }
  }

  @Test func `a fetch under route stores nothing over a list's value`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let origin = ScriptedOrigin<Int> { _ in .value(1) }
      origin.hold()
      async let fetched = numbers.get("a") { try await origin.fetch($0) }
      await origin.calls(atLeast: 1)

      _ = try await follow(numbers, "all", .full(["a": .value(2)], cursor: nil))
      origin.release()
      _ = try await fetched

      #expect(try numbers.read("a").copy?.value == 2)
    }
  }

  @Test func `of two concurrent followers of a list only one asks`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let other = try temporary.another()
      let others = try other.collection("numbers", of: Int.self)

      let followed = try await numbers.follow("all") { _ in
        let failure = await #expect(throws: GetError.self) {
          try await others.follow("all") { _ in .notModified }
        }
        #expect(failure?.code == .store)
        return .full(["a": .value(1)], cursor: nil)
      }
      try await other.close()

      #expect(followed.stored == ["a"])
    }
  }

  @Test func `no list is requested while offline`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      temporary.reachability.set(.offline("none"))

      let failure = await #expect(throws: GetError.self) {
        try await follow(numbers, "all", .notModified)
      }

      #expect(failure?.code == .offline)
    }
  }

  @Test func `a record with a pending write is neither overwritten nor removed`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(
        numbers, "all", .full(["a": .value(1), "b": .value(2)], cursor: nil))
      try await numbers.write(1, for: "a")
      try await numbers.write(2, for: "b")

      let followed = try await follow(numbers, "all", .full(["a": .value(9)], cursor: nil))

      #expect(followed.pending == ["a"] && followed.kept == ["b"])
      #expect(try numbers.read("a").copy?.value == 1)
      #expect(try numbers.read("b").copy?.value == 2)
    }
  }
  @Test func `a local write of a member is based on the validators that came with the list`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      _ = try await follow(
        numbers, "all",
        .full(["a": .value(1, entityTag: "\"v1\""), "b": .value(1, entityTag: nil)], cursor: nil))
      try await numbers.write(["a": 2, "b": 2])
      let sent = Sent<Int>()
      try await numbers.drain { write in
        sent.add(write)
        return .accepted
      }

      let tags = Dictionary(uniqueKeysWithValues: sent.all.map { ($0.key, $0.baseValidators) })
      #expect(tags == ["a": Validators(entityTag: "\"v1\""), "b": Validators()])
    }
  }
}
