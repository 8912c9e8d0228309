internal import FreshStore
internal import Strategies

/// Looks at the queues and decides which work begins now: writes first, then lists, then records,
/// the longest due first, within the limits.
struct Dispatcher {
  private let store: Store
  private let options: SyncOptions
  private let progress: RunProgress
  /// True in a run that goes on until it is stopped.
  private let goesOn: Bool

  private var damper: NetworkDamper
  private var places: Places
  private var writes: WriteLane
  private let lists: ListLane
  private var records: RecordLane
  /// The start of the boot clock on the wall clock, at the last turn.
  private var bootedAt: Timestamp?
  /// When to look at both queues although no change is known, on the boot clock.
  private var nextLook: Duration
  /// The collections and closed sources of the last look.
  private var closedAtLook: Set<RunProgress.Account> = []
  private var membersAtLook: Set<ExactName> = []

  /// - Parameter cutoff: The end of a run that does only due work; `nil` to go on with later work.
  init(store: Store, options: SyncOptions, progress: RunProgress, trials: Trials, cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.progress = progress
    goesOn = cutoff == nil
    damper = NetworkDamper(settle: options.settle, longest: options.longestSettle)
    let now = store.configuration.clock.reading()
    places = Places(store, progress, trials, at: now)
    writes = WriteLane(store, options, progress, cutoff)
    lists = ListLane(store, once: cutoff != nil)
    records = RecordLane(store, options, progress, cutoff)
    nextLook = now.steady + options.longestSleep
  }

  /// The queues may have grown.
  mutating func noteChange() { (writes.looks, records.looks) = (true, true) }

  /// The first writes of these keys may be due.
  mutating func note(writesOf keys: Set<RecordID>) { writes.note(writesOf: keys) }

  /// Decides which work begins now, and when to look again. The contents of `turn` when this throws
  /// were taken before the store failed, and are to run.
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
    let settling = noteNetwork(at: now.steady)
    // A connection that is lost in one gap after the other waits longer and longer for its timers; a run
    // that ends when all is done has no other attempt.
    let isVain = goesOn && damper.hasReturnedInVain(within: options.outage)
    turn.patience = isVain ? .zero : options.outage
    if goesOn, let rest = settling.rest { turn.note(lookAfter: rest) }
    // What failed over the old network need not fail over this one.
    if goesOn, damper.takeReturn(at: now.steady) {
      progress.noteReturn()
      if try await store.endWritePauses() > 0 { writes.looks = true }
    }
    let waiting = Array(writes.writes.accounts) + Array(records.records.accounts)
    try places.update(members, waiting: waiting, settling: settling, at: now)
    turn.refusals = progress.pauses(at: now)
    let hasOthers = Set(members.keys) != membersAtLook
    if hasOthers || places.availabilities.closed != closedAtLook { noteChange() }
    for passed in Trials.Kind.allCases.indices {
      places.begin(afterPassed: passed)
      try await writes.push(members.filter { $0.value.push != nil }, &places, in: &turn)
      try lists.follow(followed, settling: settling, &places, in: &turn)
      try await records.fetch(members, &places, in: &turn)
      guard places.hasYielded else { break }
    }
    if places.hasLargeYielded {
      places.admitLarge()
      try await writes.push(members.filter { $0.value.push != nil }, &places, in: &turn)
    }
    (closedAtLook, membersAtLook) = (places.availabilities.closed, Set(members.keys))
    turn.note(places.availabilities.all)
    let mayGoUnseen =
      turn.isAnyOffline && places.availabilities.hasAssumedOffline
      || !isNetworkWatched && (turn.isAnyOffline || progress.inFlight > 0)
    if mayGoUnseen {
      turn.note(lookAfter: options.reachabilityInterval)
    }
  }

  private mutating func noteNetwork(at now: Duration) -> Settling {
    let provider = store.configuration.reachability
    // Before the state: a change in between is seen at the next turn.
    let generation = provider.generation
    return damper.note(
      isAway: provider.reachability().isProvablyOffline, generation: generation, at: now)
  }

  /// Looks at everything anew after the wall clock was set: the remembered due times followed the
  /// old setting.
  private mutating func noteStep(of now: ClockReading) {
    let began = now.wall.advanced(by: .zero - now.steady)
    if let bootedAt, abs(began.duration(since: bootedAt).wholeMilliseconds) >= 1000 { noteChange() }
    bootedAt = began
  }
}
