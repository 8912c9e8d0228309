import FreshStoreTesting
import Strategies
import Synchronization
import Testing

@testable import FreshStore
@testable import FreshSync

/// One look at the queues after the other.
@Suite struct DispatcherTests {
  /// A clock that advances by a millisecond at each look, for as long as the test wants.
  private final class SlippingClock: StoreClock {
    private let manual: ManualClock
    private let isSlipping = Atomic<Bool>(false)

    init(_ manual: ManualClock) {
      self.manual = manual
    }

    func slip(_ isSlipping: Bool) { self.isSlipping.store(isSlipping, ordering: .relaxed) }

    func reading() -> ClockReading {
      if isSlipping.load(ordering: .relaxed) { manual.advance(by: .milliseconds(1)) }
      return manual.reading()
    }

    func sleep(for duration: Duration) async throws { try await manual.sleep(for: duration) }
  }

  /// The looks of one run.
  private struct Looks {
    let shelf: Shelf
    let progress: RunProgress
    var dispatcher: Dispatcher

    init(_ shelf: Shelf) {
      self.shelf = shelf
      progress = RunProgress(options: shelf.synchronizer.options)
      dispatcher = Dispatcher(
        store: shelf.store, options: shelf.synchronizer.options, progress: progress,
        trials: Trials(), cutoff: nil)
    }

    /// The jobs that start at a moment.
    mutating func jobs(at now: ClockReading) async throws -> [SyncJob] {
      var turn = Turn(at: now, nextLook: shelf.synchronizer.options.longestSleep)
      try await dispatcher.take(shelf.synchronizer.registry, isNetworkWatched: true, into: &turn)
      return turn.jobs
    }

    mutating func jobs() async throws -> [SyncJob] { try await jobs(at: shelf.clock.reading()) }

    /// Runs the jobs that start now.
    mutating func work() async throws {
      for job in try await jobs() {
        _ = progress.note(await job.run(), of: job, now: shelf.clock.reading())
        job.reservation.end()
      }
    }
  }

  @Test func `a record that becomes due during a look at the queues is not forgotten`()
    async throws
  {
    let manual = ManualClock()
    let clock = SlippingClock(manual)
    try await TemporaryStore.run(
      clock: manual,
      configure: { configuration in
        configuration.random = { 0.5 }
        configuration.clock = clock
      }
    ) { temporary in
      var policy = Policy.offlineFirst
      policy.retryPause = .seconds(100)
      let shelf = try await Shelf(temporary, stale: 1, policy: policy)
      shelf.origin.answer { _ in throw SourceRefusal() }
      var looks = Looks(shelf)
      try await looks.work()
      let none = try await looks.jobs()
      // It waits for another 50 seconds.
      manual.advance(by: .milliseconds(49_999))
      let now = manual.reading()
      clock.slip(true)
      let early = try await looks.jobs(at: now)
      clock.slip(false)
      manual.advance(by: .seconds(1000))
      let late = try await looks.jobs()

      #expect(none.isEmpty)
      #expect(early.count + late.count == 1)
    }
  }

  @Test func `a queue entry that was not announced is found after the longest sleep`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .immediately))
      var looks = Looks(shelf)
      let early = try await looks.jobs()
      let other = try temporary.another()
      _ = try other.collection("numbers", of: Int.self).read("1")
      _ = await other.flushMarks()
      try await other.close()
      shelf.clock.advance(by: shelf.synchronizer.options.longestSleep)

      let late = try await looks.jobs()

      #expect(early.isEmpty && late.count == 1)
    }
  }

  @Test func `due records wake no run while every slot is taken`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 3, options: options)
      var looks = Looks(shelf)
      let jobs = try await looks.jobs()
      try await shelf.numbers.put(1, for: "4", details: FetchDetails(expiry: .immediately))
      shelf.clock.advance(by: .milliseconds(1))
      _ = try await shelf.store.sweep()
      var turn = Turn(at: shelf.clock.reading(), nextLook: options.longestSleep)
      try await looks.dispatcher.take(
        shelf.synchronizer.registry, isNetworkWatched: true, into: &turn)

      #expect(jobs.count == 1 && turn.jobs.isEmpty)
      #expect(turn.nextLook > shelf.clock.reading().steady + .seconds(1))
    }
  }

  @Test func `a write that becomes due wakes no run while every slot is taken`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 0, options: options)
      let notes = try temporary.store.collection("notes", of: Int.self)
      shelf.synchronizer.add(
        notes, fetch: { _ in .value(1) }, push: { _ in throw SourceRefusal() })
      try await notes.write(1, for: "1")
      _ = try await shelf.synchronizer.drain()
      let due = try #require(temporary.store.outbox().first?.nextAttempt)
      var looks = Looks(shelf)
      let none = try await looks.jobs()
      for number in 1...2 {
        try await shelf.numbers.put(
          1, for: "\(number)", details: FetchDetails(expiry: .immediately))
      }
      shelf.clock.advance(by: .milliseconds(1))
      _ = try await shelf.store.sweep()
      looks.dispatcher.noteChange()
      let jobs = try await looks.jobs()
      shelf.clock.advance(by: due.duration(since: shelf.clock.reading().wall) + .seconds(1))
      var turn = Turn(at: shelf.clock.reading(), nextLook: options.longestSleep)
      try await looks.dispatcher.take(
        shelf.synchronizer.registry, isNetworkWatched: true, into: &turn)

      #expect(none.isEmpty && jobs.count == 1 && turn.jobs.isEmpty)
      #expect(turn.nextLook > shelf.clock.reading().steady + .seconds(1))
    }
  }

  @Test func `a new write of a high priority goes next, without another pass over the outbox`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(temporary, stale: 0, options: options)
      shelf.synchronizer.add(
        shelf.numbers, fetch: { _ in .value(0) }, push: { _ in .accepted })
      for key in ["1", "2", "3"] { try await shelf.numbers.write(1, for: key) }
      var looks = Looks(shelf)
      let first = try await looks.jobs()
      // Only a pass over the outbox would find this one.
      try await shelf.numbers.write(1, for: "unseen", options: WriteOptions(priority: 10))
      try await shelf.numbers.write(1, for: "urgent", options: WriteOptions(priority: 9))
      looks.dispatcher.note(writesOf: [RecordID("numbers", "urgent")])
      for job in first {
        _ = await job.run()
        job.reservation.end()
      }
      let second = try await looks.jobs()

      #expect(first.map(\.pushes) == [[RecordID("numbers", "1")]])
      #expect(second.map(\.pushes) == [[RecordID("numbers", "urgent")]])
      #expect(second.allSatisfy { $0.isPush })
    }
  }

  @Test func `a claimed write goes to the address that it had when it was seen`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      try await numbers.write(1, for: "1", options: WriteOptions(address: "https://a/"))
      let seen = try temporary.store.waitingWrites(limit: 9, perOrigin: 9, largeFrom: .max) {
        _, source in source
      }
      try await numbers.write(
        2, for: "1", options: WriteOptions(coalesces: true, address: "https://b/"))
      let claimed = try await temporary.store.claim(seen.writes, holding: .seconds(60))

      #expect(seen.writes.map(\.address) == ["https://a/"])
      #expect(claimed.due.map(\.address) == ["https://a/"])
      #expect(try temporary.store.outbox().map(\.state) == [.pushing, .waiting])
    }
  }

  /// The policies are gone after this many requests for them.
  @Test(arguments: 0..<12)
  func `a job that does not start holds no lease, whenever its policy disappears`(_ count: Int)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let left = Atomic<Int>(count)
      shelf.synchronizer.add(
        shelf.numbers,
        policies: { _ in
          left.subtract(1, ordering: .relaxed).newValue >= 0 ? Policy.offlineFirst : nil
        },
        fetch: { _, _ in .value(0) }, push: { _, _ in .accepted })
      try await shelf.numbers.put(1, for: "1", details: FetchDetails(expiry: .never))
      try await shelf.numbers.markStale("1")
      try await shelf.numbers.write(1, for: "2")
      var looks = Looks(shelf)
      let jobs = try await looks.jobs()

      let pushes = jobs.count(where: \.isPush)
      #expect(try shelf.store.outbox(state: .pushing).count == pushes)
      #expect(try shelf.store.statistics().leases == jobs.count - pushes)
    }
  }

  @Test func `a network that comes and goes is used by one attempt at a time, without delay`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 3)
      var looks = Looks(shelf)
      var early = 0
      for _ in 0..<8 {
        temporary.reachability.set(.offline("cut"))
        early += try await looks.jobs().count
        temporary.reachability.set(.online)
        early += try await looks.jobs().count
      }
      shelf.clock.advance(by: shelf.synchronizer.options.settle)
      let first = try await looks.jobs()
      let others = try await looks.jobs()
      shelf.clock.advance(by: shelf.synchronizer.options.longestSettle)
      let late = try await looks.jobs()

      #expect(early == 0 && first.count == 1 && others.isEmpty && late.count == 2)
    }
  }

  @Test func `another network ends the pauses of writes, though no gap was seen`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      shelf.synchronizer.add(
        shelf.numbers, fetch: { _ in .value(0) }, push: { _ in throw SourceRefusal() })
      try await shelf.numbers.write(1, for: "1")
      var looks = Looks(shelf)
      try await looks.work()
      let paused = try await looks.jobs()
      temporary.reachability.changeNetwork()
      let jobs = try await looks.jobs()

      #expect(paused.isEmpty && jobs.count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a write that was not answered pauses unless another network came meanwhile`(
    isReplaced: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let network = temporary.reachability
      shelf.synchronizer.add(
        shelf.numbers, fetch: { _ in .value(0) },
        push: { _ in
          if isReplaced { network.changeNetwork() }
          throw Silence()
        })
      try await shelf.numbers.write(1, for: "1")
      var looks = Looks(shelf)
      try await looks.work()

      let paused = try await shelf.store.endWritePauses()
      #expect(paused == (isReplaced ? 0 : 1))
    }
  }

  @Test func `records get trials beside failing writes and lists`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      var policy = Policy.offlineFirst
      (policy.origin, policy.maximumRetryPause) = ("api", .seconds(2))
      let shelf = try await Shelf(temporary, stale: 1)
      let fetched = Asked()
      shelf.synchronizer.add(shelf.numbers, policy: policy) { previous in
        fetched.note([previous.key])
        throw SourceRefusal()
      } push: { _ in
        throw SourceRefusal()
      }
      shelf.synchronizer.follow("all", of: shelf.numbers, policy: policy) { _ in
        throw SourceRefusal()
      }
      for number in 0..<3 { try await shelf.numbers.write(0, for: "bad \(number)") }
      var looks = Looks(shelf)
      for _ in 0..<30 {
        try await looks.work()
        shelf.clock.advance(by: .seconds(300))
      }
      #expect(fetched.batches.count >= 5)
    }
  }

  /// A shelf whose source does not answer, with a small write that has met that, a while ago.
  private func silentShelf(_ temporary: TemporaryStore) async throws -> (Shelf, Looks) {
    var options = SyncOptions()
    options.largeBody = 3
    let shelf = try await Shelf(temporary, stale: 0, options: options)
    shelf.synchronizer.add(
      shelf.numbers, fetch: { _ in .value(0) }, push: { _ in throw Silence() })
    try await shelf.numbers.write(1, for: "small")
    var looks = Looks(shelf)
    try await looks.work()
    shelf.clock.advance(by: .hours(1))
    return (shelf, looks)
  }

  @Test func `a source is tried by what is small, also if that has failed, before what is large`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (shelf, begun) = try await silentShelf(temporary)
      var looks = begun
      try await shelf.numbers.write(100, for: "large")
      let jobs = try await looks.jobs()
      let sent = try shelf.store.outbox(state: .pushing).map(\.key)

      #expect(sent == ["small"] && jobs.count == 1)
    }
  }

  @Test func `a large body is tried when nothing small waits, and shuts nothing small out`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (shelf, begun) = try await silentShelf(temporary)
      var looks = begun
      try await shelf.store.drop(shelf.store.outbox().map(\.id))
      for key in ["large", "another"] { try await shelf.numbers.write(100, for: key) }
      looks.dispatcher.noteChange()
      let large = try await looks.jobs()
      let first = try shelf.store.outbox(state: .pushing).map(\.key)
      try await shelf.numbers.write(2, for: "small")
      looks.dispatcher.noteChange()
      let small = try await looks.jobs()
      let both = try shelf.store.outbox(state: .pushing).map(\.key)

      #expect(first == ["large"] && both == ["large", "small"])
      #expect(large.count == 1 && small.count == 1)
    }
  }
}
