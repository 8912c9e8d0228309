internal import FreshStore
internal import Strategies
internal import Synchronization

/// One run of a synchronizer, until it is stopped or all is done.
final class SyncRun: Sendable {
  private struct State {
    var isStopping = false
    var hasChanged = true
    /// Keys whose first writes may be due.
    var keys: Set<RecordID> = []
    var isNetworkWatched: Bool
  }

  private let store: Store
  private let options: SyncOptions
  private let registry: Registry
  private let board: StatusBoard
  private let callers: SettledCallers
  private let progress: RunProgress
  private let trials: Trials
  /// The moment until which due work is done, and no more; `nil` to go on until stopped.
  private let cutoff: Timestamp?
  private let signal = WakeSignal()
  private let runningJobs = RunningJobs()
  private let state: Mutex<State>

  init(
    _ store: Store, _ options: SyncOptions, _ registry: Registry, _ board: StatusBoard,
    _ callers: SettledCallers, _ trials: Trials, cutoff: Timestamp?
  ) {
    self.store = store
    self.options = options
    self.registry = registry
    self.board = board
    self.callers = callers
    self.trials = trials
    self.cutoff = cutoff
    progress = RunProgress(options: options, triesOnce: cutoff != nil)
    let provider = store.configuration.reachability
    state = Mutex(State(isNetworkWatched: provider is any ObservableReachability))
  }

  /// True for a run that ends when all is done.
  var isDrain: Bool { cutoff != nil }

  /// Takes no new work from now on.
  func stop() {
    state.withLock { $0.isStopping = true }
    signal.wake()
  }

  /// The queues may have grown.
  func noteChange() {
    state.withLock { $0.hasChanged = true }
    signal.wake()
  }

  /// The first writes of these keys may be due.
  private func note(writesOf keys: [RecordID]) {
    state.withLock { $0.keys.formUnion(keys) }
    signal.wake()
  }

  private var clock: any StoreClock { store.configuration.clock }

  /// Works until the end. Then all claimed work has been done or given back.
  func run() async throws(StoreError) -> SyncReport {
    let end = try cutoff.map { (moment) throws(StoreError) in
      Cutoff(moment: moment, lastWrite: try store.newestWrite())
    }
    var failure: StoreError?
    // Subscribed before the first look, so that later commits are reported.
    let (changes, occasions) = (store.changes(), store.queueSignal.occasions())
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watchNetwork() }
      group.addTask { await self.watch(changes) }
      group.addTask { for await _ in occasions { self.noteChange() } }
      do throws(StoreError) {
        try await work(&group, until: end)
      } catch {
        failure = error
      }
      await letFinish()
      group.cancelAll()
    }
    if failure == nil, let end { failure = await countDeferred(end) }
    do throws(StoreError) {
      try await store.giveBackOwed()
    } catch {
      // The claims stay unreturned, and are given back with the next claim.
      if cutoff != nil { failure = failure ?? error }
    }
    var status = SyncStatus()
    status.report = progress.report
    board.show(status)
    if let failure { throw failure }
    return progress.report
  }

  // MARK: Work

  private func work(
    _ group: inout DiscardingTaskGroup, until end: Cutoff?
  ) async throws(StoreError) {
    var dispatcher = Dispatcher(
      store: store, options: options, progress: progress, trials: trials, cutoff: end)
    while !Task.isCancelled, !state.withLock(\.isStopping) {
      // Read before the turn. A job that ends during the turn may have blocked others in it. A caller that comes
      // during the turn may know of work that the turn has not seen.
      let caller = callers.newest
      let wasIdle = progress.inFlight == 0
      // A change may be committed and not yet reported.
      if caller != nil, wasIdle { state.withLock { $0.hasChanged = true } }
      let turn = await turn(&dispatcher)
      for job in turn.jobs { start(job, &group) }
      if let failure = turn.failure, cutoff != nil || failure.isFinal { throw failure }
      show(turn)
      if cutoff != nil, wasIdle, turn.jobs.isEmpty, !turn.isHeld { return }
      if let caller, wasIdle, turn.jobs.isEmpty { callers.tell(board.status, upTo: caller) }
      await signal.sleep(until: turn.nextLook, clock: clock)
    }
  }

  private func turn(_ dispatcher: inout Dispatcher) async -> Turn {
    let noted = state.withLock { state in
      defer { (state.hasChanged, state.keys) = (false, []) }
      return state
    }
    if noted.hasChanged { dispatcher.noteChange() }
    dispatcher.note(writesOf: noted.keys)
    let now = clock.reading()
    if let pause = progress.storePause(at: now) {
      var turn = Turn(at: now, nextLook: pause)
      turn.isHeldByStore = true
      turn.failure = progress.storeFailure
      return turn
    }
    var turn = Turn(at: now, nextLook: options.longestSleep)
    let failures = progress.storeFailures
    do throws(StoreError) {
      try await dispatcher.take(registry, isNetworkWatched: noted.isNetworkWatched, into: &turn)
      progress.noteWorked(after: failures)
      if !turn.isAnyOffline {
        runningJobs.noteReachable()
      } else if let left = try runningJobs.giveUp(after: turn.patience, at: clock.reading()) {
        turn.note(lookAfter: left)
      }
    } catch {
      let now = clock.reading()
      progress.note(error, now: now)
      dispatcher.noteChange()
      turn.failure = error
      turn.note(lookAfter: progress.storePause(at: now) ?? .seconds(1))
    }
    return turn
  }

  private func start(_ job: SyncJob, _ group: inout DiscardingTaskGroup) {
    group.addTask { [self] in
      let end = await runningJobs.run(job)
      let isAwaited = progress.note(end, of: job, now: clock.reading())
      // The turn passes on after the element that made the trial, not after those that found it taken.
      if let trial = job.trial, end.pausedUntil == nil { trials.note(trial) }
      if job.isPush { note(writesOf: job.pushes) }
      if end.isUnsettled || isAwaited { noteChange() }
      // Last: a caller that finds nothing in flight has then seen all results.
      job.reservation.end()
      signal.wake()
    }
  }

  /// Waits for the work in flight, for as long as the options allow.
  private func letFinish() async {
    let end = clock.reading().steady + options.gracePeriod
    while progress.inFlight > 0, !Task.isCancelled {
      var status = board.status
      status.phase = .stopping
      status.inFlight = progress.inFlight
      board.show(status)
      guard clock.reading().steady < end else { return }
      await signal.sleep(until: end, clock: clock)
    }
  }

  /// Counts the due work that is left, as its sources are out of reach or paused.
  ///
  /// A write in its pause was due once and is not sent. A write behind a parked write is not sent until an
  /// application decides.
  private func countDeferred(_ end: Cutoff) async -> StoreError? {
    do throws(StoreError) {
      let members = registry.collections
      let pushed = members.filter { $0.value.push != nil }
      let records = try await OriginLook.result(members, members.origins) {
        [store] (origin) throws(StoreError) in
        try store.countQueued(until: end.moment, origin: origin)
      }
      let writes = try await OriginLook.result(pushed, pushed.origins) {
        [store] (origin) throws(StoreError) in
        try store.unsentWrites(origin: origin)
      }
      let left = writes.first.count { $0 <= end.lastWrite && !progress.hasBegun($0) }
      // A list that was followed, or has failed, is due later.
      let lists = try registry.lists.count { (list) throws(StoreError) in
        try list.standing().due.map { $0 <= end.moment } ?? false
      }
      progress.note(deferred: records + left + lists)
      progress.note(held: writes.behindParked)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Watching

  private func watchNetwork() async {
    guard let provider = store.configuration.reachability as? any ObservableReachability else {
      return
    }
    await watch(provider)
    guard !Task.isCancelled else { return }
    // Changes are no longer reported.
    state.withLock { $0.isNetworkWatched = false }
    signal.wake()
  }

  private func watch(_ provider: some ObservableReachability) async {
    for await _ in provider.changes(settle: .zero) { signal.wake() }
  }

  private func watch(_ changes: AsyncStream<Change>) async {
    for await change in changes {
      switch change.occasion {
      case .nothing: break
      case .write(let record): note(writesOf: [record])
      case .look: noteChange()
      }
    }
    // The store was closed, which the next turn finds out.
    signal.wake()
  }

  // MARK: Status

  private func show(_ turn: Turn) {
    let now = clock.reading().wall
    var status = SyncStatus()
    status.report = progress.report
    status.inFlight = progress.inFlight
    status.failure = progress.storeFailure.map { "\($0)" }
    for (name, count) in progress.byOrigin {
      status.origins[name.text, default: .init()].inFlight += count
    }
    for (name, pause) in turn.pauses {
      status.origins[name.text, default: .init()].pausedUntil = now.advanced(by: pause)
    }
    for (name, reason) in turn.holds {
      status.origins[name.text, default: .init()].heldBecause = reason
    }
    if let reason = turn.offline {
      status.phase = .offline(because: reason)
    } else if status.inFlight > 0 {
      status.phase = .draining
    } else {
      let pause = turn.pauses.values.min().map { now.advanced(by: $0) }
      status.phase = .idle(until: [turn.nextDue, pause].compactMap { $0 }.min())
    }
    board.show(status)
  }
}

extension StoreError {
  /// True when the store can never be used again.
  fileprivate var isFinal: Bool {
    switch code {
    case .closed, .forked: true
    default: false
    }
  }
}

extension Change {
  /// The work that a change may lead to.
  enum Occasion: Equatable {
    case nothing
    /// The first write of that key may be due.
    case write(RecordID)
    /// Any work may be due.
    case look
  }

  /// The work that this change, and the changes dropped before it, may have put into the queues.
  var occasion: Occasion {
    guard missed == 0 else { return .look }
    switch kind {
    // Values from fetches fill no queue.
    case .stored, .revalidated, .absent, .listed, .pushing, .parked: return .nothing
    // After a wipe every list is to be followed anew.
    case .removed: return collection == nil ? .look : .nothing
    // A process that has put a write off pushes it at its time. A write without such a time is due, for example for a
    // program that can read it.
    case .deferred: return write.map { $0.until == nil } ?? false ? .look : .nothing
    case .written, .pushed:
      guard let collection, let key else { return .look }
      return .write(RecordID(collection, key))
    case .restored, .marked, .resumed, .unknown: return .look
    }
  }
}
