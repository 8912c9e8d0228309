internal import FreshStore
internal import Strategies
internal import Synchronization

/// What is under way and what has come of it, shared by a run and its jobs.
final class Ledger: Sendable {
  /// What limits are counted by.
  struct Account: Hashable, Sendable {
    let collection: String
    let origin: String

    static func == (left: Account, right: Account) -> Bool {
      left.collection.hasSameBytes(as: right.collection)
        && left.origin.hasSameBytes(as: right.origin)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(collection))
      hasher.combine(ExactName(origin))
    }
  }

  private struct State {
    var total = 0
    var byOrigin: [ExactName: Int] = [:]
    /// By the names under which it is known how sources stand.
    var byStanding: [Account: Int] = [:]
    /// Their ends, on the boot clock.
    var pauses: [ExactName: Duration] = [:]
    var failed: Set<RecordID> = []
    var passedOver: Set<RecordID> = []
    var begunWrites: Set<OutboxEntry.ID> = []
    var storeFailures = 0
    var storeFailure: StoreError?
    var storePause: Duration?
    var report = SyncReport()
    var rate: StartRate
  }

  private let state: Mutex<State>
  private let options: SyncOptions

  /// True in a run that ends when all is done: it tries each record, and each write, once.
  private let triesOnce: Bool

  init(options: SyncOptions, triesOnce: Bool = false) {
    self.options = options
    self.triesOnce = triesOnce
    state = Mutex(State(rate: StartRate(perSecond: options.startsPerSecond)))
  }

  var inFlight: Int { state.withLock(\.total) }
  var report: SyncReport { state.withLock(\.report) }
  var storeFailure: StoreError? { state.withLock(\.storeFailure) }
  var byOrigin: [ExactName: Int] { state.withLock(\.byOrigin) }
  /// The names under which it is known how the sources stand of what is under way.
  var standingsInUse: [Account] { state.withLock { Array($0.byStanding.keys) } }

  /// How many more may begin, whoever is asked.
  var free: Int { max(0, options.concurrency - inFlight) }

  /// How many more may begin for an origin.
  func free(_ origin: String) -> Int {
    state.withLock { state in
      let atOrigin = options.concurrencyPerOrigin - state.byOrigin[origin, default: 0]
      return max(0, min(options.concurrency - state.total, atOrigin))
    }
  }

  /// The answer to the wish to begin one more.
  enum Admission {
    case place(Taken)
    /// There is none.
    case none
    /// The rate of starts lets the next one begin after so long.
    case wait(Duration)
  }

  /// Takes a place for one more. Sources that stand and fall together have one at a time on trial.
  ///
  /// - Parameter standing: Under which name it is known how the source of the account stands.
  func begin(
    _ account: Account, standing: Account, isTrial: Bool, at now: Duration
  ) -> Admission {
    state.withLock { state in
      let atOrigin = state.byOrigin[account.origin, default: 0]
      guard state.total < options.concurrency, atOrigin < options.concurrencyPerOrigin,
        !isTrial || (atOrigin == 0 && state.byStanding[standing, default: 0] == 0)
      else { return .none }
      if let wait = state.rate.take(at: now) { return .wait(wait) }
      state.total += 1
      state.byOrigin[account.origin, default: 0] += 1
      state.byStanding[standing, default: 0] += 1
      return .place(Taken { [self] in giveBack(account, standing) })
    }
  }

  private func giveBack(_ account: Account, _ standing: Account) {
    state.withLock { state in
      state.total -= 1
      state.byOrigin[account.origin, default: 0] -= 1
      if state.byOrigin[account.origin] == 0 { state.byOrigin[account.origin] = nil }
      state.byStanding[standing, default: 0] -= 1
      if state.byStanding[standing] == 0 { state.byStanding[standing] = nil }
    }
  }

  /// Nothing came of a start.
  func noteUnused() { state.withLock { $0.rate.giveBack() } }

  /// Notes what came of a job; true when one of its records was passed over meanwhile, and may be due
  /// again.
  func note(_ end: JobEnd, of job: SyncJob, now: ClockReading) -> Bool {
    let account = job.account
    return state.withLock { state in
      state.report = state.report + end.report
      if triesOnce { state.failed.formUnion(end.failed) }
      if let until = end.pausedUntil {
        // The store knows how long it is to be; this only keeps the origin from being tried in a circle.
        let end = now.steady + min(.seconds(1), max(.zero, until.duration(since: now.wall)))
        state.pauses[account.origin] = max(end, state.pauses[account.origin] ?? end)
      }
      if let failure = end.storeFailure {
        Self.note(failure, in: &state, now: now)
      } else {
        state.storeFailures = 0
        state.storeFailure = nil
      }
      return !state.passedOver.isDisjoint(with: job.records)
    }
  }

  /// Notes that the store failed: it is left alone for a second, then twice as long each time, a
  /// minute at most.
  func note(_ failure: StoreError, now: ClockReading) {
    state.withLock { Self.note(failure, in: &$0, now: now) }
  }

  /// How often in a row the store has failed.
  var storeFailures: Int { state.withLock(\.storeFailures) }

  /// Notes that the store was worked with, if nothing is under way that may yet fail, and nothing has
  /// failed since there were so many failures.
  func noteWorked(after failures: Int) {
    state.withLock { state in
      guard state.total == 0, state.storeFailures == failures else { return }
      (state.storeFailures, state.storeFailure) = (0, nil)
    }
  }

  private static func note(_ failure: StoreError, in state: inout State, now: ClockReading) {
    // What was under way when it failed fails with it.
    if let pause = state.storePause, pause > now.steady {
      state.storeFailure = failure
      return
    }
    let pause = min(60, 1 << min(state.storeFailures, 6))
    state.storeFailures += 1
    state.storeFailure = failure
    state.storePause = now.steady + .seconds(pause)
  }

  /// How long the store is still left alone.
  func storePause(at now: ClockReading) -> Duration? {
    state.withLock { state in state.storePause.flatMap { $0 > now.steady ? $0 - now.steady : nil } }
  }

  /// How long an origin is still left alone because no attempt could be made there.
  func pause(of origin: String, at now: ClockReading) -> Duration? {
    state.withLock { state in
      guard let end = state.pauses[origin] else { return nil }
      if end > now.steady { return end - now.steady }
      state.pauses[origin] = nil
      return nil
    }
  }

  /// The pauses that are not over, and how long they last.
  func pauses(at now: ClockReading) -> [ExactName: Duration] {
    state.withLock { state in
      state.pauses = state.pauses.filter { $0.value > now.steady }
      return state.pauses.mapValues { $0 - now.steady }
    }
  }

  func hasFailed(_ name: RecordID) -> Bool { state.withLock { $0.failed.contains(name) } }

  /// Notes records that are due and that somebody is fetching already, as far as is known.
  func note(passedOver records: [RecordID]) {
    state.withLock { $0.passedOver.formUnion(records) }
  }

  /// Notes that they are passed over no more.
  func note(handedOut records: some Sequence<RecordID>) {
    state.withLock { state in
      state.passedOver.subtract(records)
      // Now, as one that fails may be due again before its job has ended.
      if triesOnce { state.failed.formUnion(records) }
    }
  }

  /// Forgets what was passed over: the queue is looked at anew.
  func forgetPassedOver() { state.withLock { $0.passedOver = [] } }

  /// Notes a write that was begun.
  func note(begun write: OutboxEntry.ID) {
    guard triesOnce else { return }
    state.withLock { _ = $0.begunWrites.insert(write) }
  }

  func hasBegun(_ write: OutboxEntry.ID) -> Bool {
    state.withLock { $0.begunWrites.contains(write) }
  }

  func note(deferred count: Int) { state.withLock { $0.report.deferred += count } }
  func note(held count: Int) { state.withLock { $0.report.held += count } }
  func note(parked count: Int) { state.withLock { $0.report.parked += count } }
}

extension ClockReading {
  /// The time that only goes forward.
  var steady: Duration { .milliseconds(sinceBoot) }
}
