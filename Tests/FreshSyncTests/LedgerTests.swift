import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore
@testable import FreshSync

/// The contents of a run's ledger, and their lifetime.
@Suite struct LedgerTests {
  private static let account = Ledger.Account(collection: "numbers", origin: "numbers")

  private func job(_ ledger: Ledger) throws -> SyncJob {
    let admission = ledger.begin(
      Self.account, standing: Self.account, isTrial: false, at: .zero)
    guard case .place(let place) = admission else { throw Refusal() }
    return SyncJob(
      account: Self.account, place: place, sourceState: { .open }, run: { JobEnd() })
  }

  private func failed(_ record: RecordID) -> JobEnd {
    var end = JobEnd()
    end.failed = [record]
    return end
  }

  @Test func `the result of a job is recorded before its place is free`() throws {
    let ledger = Ledger(options: SyncOptions())
    let job = try job(ledger)
    _ = ledger.note(JobEnd(), of: job, now: ManualClock().now())

    #expect(ledger.inFlight == 1)
    job.place.end()
    #expect(ledger.inFlight == 0)
  }

  @Test(arguments: [true, false])
  func `only a run that tries each record once remembers the failed ones`(
    triesOnce: Bool
  ) throws {
    let ledger = Ledger(options: SyncOptions(), triesOnce: triesOnce)
    let record = RecordID("numbers", "1")
    _ = ledger.note(failed(record), of: try job(ledger), now: ManualClock().now())

    #expect(ledger.hasFailed(record) == triesOnce)
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
      let now = temporary.clock.now()
      var standings = Standings(at: now)
      try standings.update(members, settling: .zero, at: now)
      let accounts = (0..<1000).map {
        Ledger.Account(collection: "numbers", origin: "https://\($0)")
      }
      for account in accounts { _ = try standings.meet(account, account.origin) }
      try standings.update(members, waiting: [accounts[1]], settling: .zero, at: now)

      // Every tenth is out of reach, and work waits for one.
      #expect(standings.count == 101)
      #expect(standings.of(accounts[1]) == .open)
      #expect(standings.of(accounts[7]) == .offline("cut"))
      #expect(standings.of(accounts[2]) == nil)
    }
  }

  @Test func `failures of the store at the same moment count once`() {
    let (ledger, clock) = (Ledger(options: SyncOptions()), ManualClock())
    for seconds in [1, 2] {
      let now = clock.now()
      for _ in 0..<8 { ledger.note(StoreError(.full, .push, path: "store.db"), now: now) }
      #expect(ledger.storePause(at: now) == .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    }
  }
}
