import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore
@testable import FreshSync

/// The contents of a run's progress, and their lifetime.
@Suite struct RunProgressTests {
  private static let account = RunProgress.Account(collection: "numbers", origin: "numbers")

  private func job(_ progress: RunProgress) throws -> SyncJob {
    let admission = progress.begin(
      RunProgress.Lane(account: Self.account, isLarge: false), availability: Self.account,
      under: .open, at: .zero)
    guard case .granted(let reservation) = admission else { throw SourceRefusal() }
    return SyncJob(
      account: Self.account, reservation: reservation, sourceState: { .open }, run: { JobEnd() })
  }

  /// True when there is a slot for one more.
  private func hasSlot(_ progress: RunProgress, _ availability: Availability) -> Bool {
    let admission = progress.begin(
      RunProgress.Lane(account: Self.account, isLarge: false), availability: Self.account,
      under: availability, at: .zero)
    guard case .granted(let reservation) = admission else { return false }
    reservation.end()
    return true
  }

  @Test func `with caution one begins at a time, besides what began before the return`() throws {
    let progress = RunProgress(options: SyncOptions())
    let old = try job(progress)
    progress.noteReturn()
    #expect(hasSlot(progress, .cautious) && !hasSlot(progress, .trial))
    let new = try job(progress)
    #expect(!hasSlot(progress, .cautious) && hasSlot(progress, .open))
    old.reservation.end()
    #expect(!hasSlot(progress, .cautious))
    new.reservation.end()
    #expect(hasSlot(progress, .cautious))
  }

  @Test func `the return of the network ends the rest after an attempt that was not made`() throws {
    let (progress, clock) = (RunProgress(options: SyncOptions()), ManualClock())
    let now = clock.reading()
    var end = JobEnd()
    end.pausedUntil = now.wall.advanced(by: .seconds(10))
    _ = progress.note(end, of: try job(progress), now: now)
    #expect(progress.pause(of: "numbers", at: now) == .seconds(1))

    progress.noteReturn()
    #expect(progress.pause(of: "numbers", at: now) == nil)
  }

  private func failed(_ record: RecordID) -> JobEnd {
    var end = JobEnd()
    end.failed = [record]
    return end
  }

  @Test func `the result of a job is recorded before its slot is free`() throws {
    let progress = RunProgress(options: SyncOptions())
    let job = try job(progress)
    _ = progress.note(JobEnd(), of: job, now: ManualClock().reading())

    #expect(progress.inFlight == 1)
    job.reservation.end()
    #expect(progress.inFlight == 0)
  }

  @Test(arguments: [true, false])
  func `only a run that tries each record once remembers the failed ones`(
    triesOnce: Bool
  ) throws {
    let progress = RunProgress(options: SyncOptions(), triesOnce: triesOnce)
    let record = RecordID("numbers", "1")
    _ = progress.note(failed(record), of: try job(progress), now: ManualClock().reading())

    #expect(progress.hasFailed(record) == triesOnce)
  }

  @Test func `idle sources are forgotten when there are many`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(
        numbers,
        policies: { source in
          var policy = Policy()
          let isCut = source?.hasSuffix("7") == true
          policy.reachability = .assume(isCut ? .offline("cut") : .online)
          return policy
        }, fetch: { _, _ in .value(0) })
      let members = synchronizer.registry.collections
      let now = temporary.clock.reading()
      var availabilities = AvailabilityTable(at: now)
      try availabilities.update(members, settlement: .done, at: now)
      let accounts = (0..<1000).map {
        RunProgress.Account(collection: "numbers", origin: "https://\($0)")
      }
      for account in accounts { _ = try availabilities.add(account, account.origin) }
      try availabilities.update(members, waiting: [accounts[1]], settlement: .done, at: now)

      // Every tenth is out of reach, and work waits for one.
      #expect(availabilities.count == 101)
      #expect(availabilities.of(accounts[1]) == .open)
      #expect(availabilities.of(accounts[7]) == .offline("cut"))
      #expect(availabilities.of(accounts[2]) == nil)
    }
  }

  @Test func `failures of the store at the same moment count once`() {
    let (progress, clock) = (RunProgress(options: SyncOptions()), ManualClock())
    for seconds in [1, 2] {
      let now = clock.reading()
      for _ in 0..<8 { progress.note(StoreError(.full, .push, path: "store.db"), now: now) }
      #expect(progress.storePause(at: now) == .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    }
  }
}
