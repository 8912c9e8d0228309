internal import FreshStore
internal import Strategies

/// Looks at the queues and decides which work begins now, within the limits: writes first, then lists, then records,
/// the longest due first.
struct Dispatcher {
  private let store: Store
  private let options: SyncOptions
  private let progress: RunProgress
  /// True in a run that goes on until it is stopped.
  private let goesOn: Bool

  private var damper: NetworkDamper
  private var slots: Slots
  private var writes: WriteLane
  private let lists: ListLane
  private var records: RecordLane
  /// The start of the boot clock on the wall clock, at the last turn.
  private var bootedAt: Timestamp?
  /// When to look at both queues without a known change, on the boot clock.
  private var nextLook: Duration
  /// The collections and closed sources of the last look.
  private var closedAtLook: Set<RunProgress.Account> = []
  private var membersAtLook: Set<ExactName> = []

  /// - Parameter cutoff: The limit of a run that does only due work; `nil` to go on with later work.
  init(store: Store, options: SyncOptions, progress: RunProgress, trials: Trials, cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.progress = progress
    goesOn = cutoff == nil
    damper = NetworkDamper(settle: options.settle, longest: options.longestSettle)
    let now = store.configuration.clock.reading()
    slots = Slots(store, progress, trials, at: now)
    writes = WriteLane(store, options, progress, cutoff)
    lists = ListLane(store, once: cutoff != nil)
    records = RecordLane(store, options, progress, cutoff)
    nextLook = now.steady + options.longestSleep
  }

  /// The queues may have grown.
  mutating func noteChange() { (writes.looks, records.looks) = (true, true) }

  /// The first writes of these keys may be due.
  mutating func note(writesOf keys: Set<RecordID>) { writes.note(writesOf: keys) }

  /// Decides which work begins now, and when to look again.
  ///
  /// When this throws, the jobs in `turn` were begun before the store failed, and are to run.
  mutating func take(
    _ registry: Registry, isNetworkWatched: Bool, into turn: inout Turn
  ) async throws(StoreError) {
    let now = turn.now
    try await store.keepTime()
    noteStep(of: now)
    if nextLook <= now.steady { noteChange() }
    if writes.looks, records.looks { nextLook = now.steady + options.longestSleep }
    if writes.looks || records.looks {
      try await store.reclaim()
    } else {
      try await store.giveBackOwed()
    }
    let (members, followed) = (registry.collections, registry.lists)
    let settlement = noteNetwork(at: now.steady)
    // A connection that is lost in one gap after the other would wait longer and longer for its timers. A run that
    // ends when all is done has no other attempt.
    let isVain = goesOn && damper.hasReturnedInVain(within: options.outage)
    turn.patience = isVain ? .zero : options.outage
    if goesOn, let rest = settlement.rest { turn.note(lookAfter: rest) }
    // An attempt that failed over the old network need not fail over this one.
    if goesOn, damper.takeReturn(at: now.steady) {
      progress.noteReturn()
      if try await store.endWritePauses() > 0 { writes.looks = true }
    }
    let waiting = Array(writes.writes.accounts) + Array(records.records.accounts)
    try slots.update(members, waiting: waiting, settlement: settlement, at: now)
    turn.refusals = progress.pauses(at: now)
    let hasOthers = Set(members.keys) != membersAtLook
    if hasOthers || slots.availabilities.closed != closedAtLook { noteChange() }
    for passed in Trials.Kind.allCases.indices {
      slots.begin(afterPassed: passed)
      try await writes.push(members.filter { $0.value.push != nil }, &slots, in: &turn)
      try lists.follow(followed, settlement: settlement, &slots, in: &turn)
      try await records.fetch(members, &slots, in: &turn)
      guard slots.hasYielded else { break }
    }
    if slots.hasLargeYielded {
      slots.admitLarge()
      try await writes.push(members.filter { $0.value.push != nil }, &slots, in: &turn)
    }
    (closedAtLook, membersAtLook) = (slots.availabilities.closed, Set(members.keys))
    turn.note(slots.availabilities.all)
    let mayGoUnseen =
      turn.isAnyOffline && slots.availabilities.hasAssumedOffline
      || !isNetworkWatched && (turn.isAnyOffline || progress.inFlight > 0)
    if mayGoUnseen {
      turn.note(lookAfter: options.reachabilityInterval)
    }
  }

  private mutating func noteNetwork(at now: Duration) -> NetworkSettlement {
    let provider = store.configuration.reachability
    // Read before the state: the next turn sees a change in between.
    let generation = provider.generation
    return damper.note(
      isAway: provider.reachability().isProvablyOffline, generation: generation, at: now)
  }

  /// Looks at everything anew after the wall clock was set: the remembered due times follow the old setting.
  private mutating func noteStep(of now: ClockReading) {
    let began = now.wall.advanced(by: .zero - now.steady)
    if let bootedAt, abs(began.duration(since: bootedAt).wholeMilliseconds) >= 1000 { noteChange() }
    bootedAt = began
  }
}

/// The limit of a run that does only the work due at its start.
struct Cutoff {
  let moment: Timestamp
  /// Later writes are left for another time, also a write that a conflict creates.
  let lastWrite: OutboxEntry.ID
}

/// The result of one look at the queues.
struct Turn {
  var jobs: [SyncJob] = []
  /// When to look again without an event, on the boot clock.
  private(set) var nextLook: Duration
  let now: ClockReading
  /// True when only the rate of starts delays work.
  var isHeldByRate = false
  /// True while the store pauses because it failed.
  var isHeldByStore = false
  /// True when there may be more work than was seen.
  var isHeld: Bool { isHeldByRate || isHeldByStore }
  /// The reason why every source is out of reach; `nil` when a source is in reach.
  var offline: String? { isAnyOnline ? nil : offlineReasons.min() }
  var isAnyOffline: Bool { !offlineReasons.isEmpty }
  private var offlineReasons: [String] = []
  private var isAnyOnline = false
  /// The pauses of origins where an attempt could not be made just now.
  var refusals: [ExactName: Duration] = [:]
  /// The shortest pause among the availabilities of each origin.
  private var standingPauses: [ExactName: Duration] = [:]
  /// The held origins, and the reasons.
  private(set) var holds: [ExactName: String] = [:]
  /// The rest of each origin's pause: work may begin again when both pauses are over.
  var pauses: [ExactName: Duration] { refusals.merging(standingPauses) { max($0, $1) } }
  /// How long work in flight waits for a source that is out of reach.
  var patience = Duration.zero
  /// When the next record or write falls due.
  var nextDue: Timestamp?

  /// The failure that kept the store from being used to the end of the turn.
  var failure: StoreError?

  init(at now: ClockReading, nextLook: Duration) {
    self.now = now
    self.nextLook = now.steady + nextLook
  }

  /// Asks for another look after so long.
  mutating func note(lookAfter pause: Duration) {
    nextLook = min(nextLook, now.steady + max(.milliseconds(1), pause))
  }

  /// Notes the availabilities of the sources of origins.
  mutating func note(_ availabilities: [(origin: String, availability: Availability)]) {
    for (origin, availability) in availabilities {
      switch availability {
      case .paused(let pause):
        standingPauses[origin] = min(standingPauses[origin] ?? pause, pause)
        isAnyOnline = true
      case .held(let reason):
        holds[origin] = reason
        isAnyOnline = true
      case .offline(let reason): offlineReasons.append(reason)
      case .open, .trial, .cautious: isAnyOnline = true
      }
    }
    if let pause = pauses.values.min() { note(lookAfter: pause) }
  }

  /// Asks for another look when work falls due.
  mutating func note(due moment: Timestamp?) {
    guard let moment else { return }
    nextDue = min(nextDue ?? moment, moment)
    note(lookAfter: moment.duration(since: now.wall))
  }
}
