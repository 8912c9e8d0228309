internal import FreshStore
internal import Strategies
internal import Synchronization

/// The work in flight and its results, shared by a run and its jobs.
final class RunProgress: Sendable {
  /// The unit for which limits are counted.
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

  /// Work of one account, with large bodies or with small ones.
  struct Lane: Hashable, Sendable {
    let account: Account
    let isLarge: Bool

    var share: FairShare { FairShare(account.origin, isLarge: isLarge) }
  }

  private struct State {
    var usage: SlotUsage
    /// The number of returns of the network.
    var returns = 0
    /// The jobs in flight that began since the last return, by the names of their sources' availabilities.
    var sinceReturn: [Account: Int] = [:]
    /// The ends of the pauses, on the boot clock.
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

  /// True in a run that ends when all is done: it tries each record and each write once.
  private let triesOnce: Bool

  init(options: SyncOptions, triesOnce: Bool = false) {
    self.options = options
    self.triesOnce = triesOnce
    state = Mutex(
      State(
        usage: SlotUsage(
          of: options.concurrency, perOrigin: options.concurrencyPerOrigin),
        rate: StartRate(perSecond: options.startsPerSecond)))
  }

  var inFlight: Int { state.withLock(\.usage.count) }
  var report: SyncReport { state.withLock(\.report) }
  var storeFailure: StoreError? { state.withLock(\.storeFailure) }
  var byOrigin: [ExactName: Int] { state.withLock(\.usage.byOrigin) }
  /// The names of the availabilities of the sources with work in flight.
  var availabilitiesInUse: [Account] { state.withLock(\.usage.availabilities) }

  /// The number of free slots, for any origin.
  var free: Int { max(0, options.concurrency - inFlight) }

  /// The answer to a request for a slot.
  enum Admission {
    case granted(Reservation)
    /// There is no free slot.
    case full
    /// The limit on starts lets the next job begin after so long.
    case wait(Duration)
  }

  /// Reserves a slot for one more job (``SlotUsage``).
  ///
  /// When the network comes and goes, each source gets one new attempt at a time. Attempts from before the last
  /// return do not count, as they may take long.
  ///
  /// - Parameters:
  ///   - name: The name of the availability of the account's source.
  ///   - availability: That availability.
  func begin(
    _ lane: Lane, availability name: Account, under availability: Availability, at now: Duration
  ) -> Admission {
    let slot = SlotUsage.Slot(lane: lane, availability: name, isTrial: availability == .trial)
    return state.withLock { state in
      guard state.usage.isFree(slot),
        availability != .cautious || state.sinceReturn[name, default: 0] == 0
      else { return .full }
      if let wait = state.rate.take(at: now) { return .wait(wait) }
      state.usage.take(slot)
      state.sinceReturn[name, default: 0] += 1
      return .granted(Reservation { [self, returns = state.returns] in giveBack(slot, returns) })
    }
  }

  private func giveBack(_ slot: SlotUsage.Slot, _ returns: Int) {
    let name = slot.availability
    state.withLock { state in
      state.usage.giveBack(slot)
      guard returns == state.returns else { return }
      state.sinceReturn[name, default: 0] -= 1
      if state.sinceReturn[name] == 0 { state.sinceReturn[name] = nil }
    }
  }

  /// Notes that the network is back, or another one: attempts that could not be made over the last network may be
  /// made over this one.
  func noteReturn() {
    state.withLock { state in
      state.returns += 1
      (state.sinceReturn, state.pauses) = ([:], [:])
    }
  }

  /// Gives back an unused start.
  func noteUnused() { state.withLock { $0.rate.giveBack() } }

  /// Notes the result of a job; true when one of its records was passed over meanwhile, and may be due again.
  func note(_ end: JobEnd, of job: SyncJob, now: ClockReading) -> Bool {
    let account = job.account
    return state.withLock { state in
      state.report = state.report + end.report
      if triesOnce { state.failed.formUnion(end.failed) }
      if let until = end.pausedUntil {
        // The store knows the length of the pause; this only prevents a loop of retries.
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

  /// Notes that the store failed. It pauses for a second, then twice as long each time, up to a minute.
  func note(_ failure: StoreError, now: ClockReading) {
    state.withLock { Self.note(failure, in: &$0, now: now) }
  }

  /// The number of consecutive failures of the store.
  var storeFailures: Int { state.withLock(\.storeFailures) }

  /// Notes that the store worked, unless work in flight may still fail, or the store has failed since that number of
  /// failures.
  func noteWorked(after failures: Int) {
    state.withLock { state in
      guard state.usage.count == 0, state.storeFailures == failures else { return }
      (state.storeFailures, state.storeFailure) = (0, nil)
    }
  }

  private static func note(_ failure: StoreError, in state: inout State, now: ClockReading) {
    // Work that was in flight when the store failed fails with it.
    if let pause = state.storePause, pause > now.steady {
      state.storeFailure = failure
      return
    }
    let pause = min(60, 1 << min(state.storeFailures, 6))
    state.storeFailures += 1
    state.storeFailure = failure
    state.storePause = now.steady + .seconds(pause)
  }

  /// The rest of the store's pause.
  func storePause(at now: ClockReading) -> Duration? {
    state.withLock { state in state.storePause.flatMap { $0 > now.steady ? $0 - now.steady : nil } }
  }

  /// The rest of an origin's pause after an attempt that could not be made.
  func pause(of origin: String, at now: ClockReading) -> Duration? {
    state.withLock { state in
      guard let end = state.pauses[origin] else { return nil }
      if end > now.steady { return end - now.steady }
      state.pauses[origin] = nil
      return nil
    }
  }

  /// The rest of each pause that is not over.
  func pauses(at now: ClockReading) -> [ExactName: Duration] {
    state.withLock { state in
      state.pauses = state.pauses.filter { $0.value > now.steady }
      return state.pauses.mapValues { $0 - now.steady }
    }
  }

  func hasFailed(_ name: RecordID) -> Bool { state.withLock { $0.failed.contains(name) } }

  /// Notes due records that another fetch is known to have.
  func note(passedOver records: [RecordID]) {
    state.withLock { $0.passedOver.formUnion(records) }
  }

  /// Notes that they are no longer passed over.
  func note(claimed records: some Sequence<RecordID>) {
    state.withLock { state in
      state.passedOver.subtract(records)
      // Noted now, because a record that fails may be due again before its job has ended.
      if triesOnce { state.failed.formUnion(records) }
    }
  }

  /// Forgets the passed-over records, as the queue is looked at anew.
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
  /// The monotonic time.
  var steady: Duration { .milliseconds(sinceBoot) }
}
