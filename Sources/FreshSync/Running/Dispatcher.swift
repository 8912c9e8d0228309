internal import FreshStore
internal import Strategies

/// Looks at the queues and decides which work begins now: writes first, then lists, then records,
/// the longest due first, within the limits.
struct Dispatcher {
  let store: Store
  let options: SyncOptions
  let progress: RunProgress
  /// The end of a run that does only due work; `nil` to go on with later work.
  let cutoff: Cutoff?

  /// The limit of a run that does the work due at its start, and no more.
  struct Cutoff {
    let moment: Timestamp
    /// Later writes are left for another time, as is one that a conflict creates.
    let lastWrite: OutboxEntry.ID
  }

  private var damper: NetworkDamper
  private var availabilities: AvailabilityTable
  private let following: Following
  private let trials: Trials
  /// The number of kinds that passed their turn at a trial in this look, because nothing of theirs
  /// waits.
  private var passedTurns = 0
  private var hasYielded = false

  /// Records seen in the queue and not yet begun.
  private var records = FairQueue<QueuedRecord>()
  private var looksAtQueue = true
  /// When the queue was last looked at; `nil` before.
  private var lookedAt: Timestamp?
  /// When the next record falls due that was not due at the last look.
  private var nextRecord: Timestamp?
  /// When to look again for records that were passed over at the last look, on the boot clock:
  /// another process that abandons a fetch does not report it.
  private var nextTry: Duration?

  /// Writes seen in the outbox and not yet begun.
  private var writes = FairQueue<WaitingWrite>()
  private var looksAtOutbox = true
  /// Accounts whose pushes have ended since the last look, so that the next write of their keys may
  /// begin.
  private var pushed: Set<RunProgress.Account> = []
  private var pushedElsewhere: Set<ExactName> = []
  /// When the next write falls due that was not due at the last look.
  private var nextWrite: Timestamp?
  /// When to look again for writes that were passed over at the last look, on the boot clock:
  /// another process that pushes them may die silently.
  private var nextWriteTry: Duration?
  /// The start of the boot clock on the wall clock, at the last turn.
  private var bootedAt: Timestamp?

  /// When to look at both queues although no change is known, on the boot clock.
  private var nextLook: Duration

  /// The collections and closed sources of the last look.
  private var closedAtLook: Set<RunProgress.Account> = []
  private var membersAtLook: Set<ExactName> = []

  init(store: Store, options: SyncOptions, progress: RunProgress, trials: Trials, cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.progress = progress
    self.trials = trials
    following = Following(once: cutoff != nil)
    self.cutoff = cutoff
    damper = NetworkDamper(settle: options.settle, longest: options.longestSettle)
    let now = store.configuration.clock.now()
    availabilities = AvailabilityTable(at: now)
    nextLook = now.steady + options.longestSleep
  }

  /// The queues may have grown.
  mutating func noteChange() {
    looksAtQueue = true
    looksAtOutbox = true
  }

  /// Pushes have ended there: the next writes of their keys may be due.
  mutating func note(
    pushed accounts: Set<RunProgress.Account>, elsewhere collections: Set<ExactName>
  ) {
    pushed.formUnion(accounts)
    pushedElsewhere.formUnion(collections)
  }

  /// Decides which work begins now, and when to look again. The contents of `turn` when this throws
  /// were taken before the store failed, and are to run.
  mutating func take(
    _ registry: Registry, isNetworkWatched: Bool, into turn: inout Turn
  ) async throws(StoreError) {
    let now = turn.now
    try await store.keepTime()
    noteStep(of: now)
    if nextLook <= now.steady { noteChange() }
    if looksAtOutbox, looksAtQueue { nextLook = now.steady + options.longestSleep }
    if looksAtOutbox || looksAtQueue {
      try await store.reclaim()
    } else {
      try await store.giveBackOwed()
    }
    let (members, lists) = (registry.collections, registry.lists)
    let settling = damper.note(
      isAway: store.configuration.reachability.reachability().isProvablyOffline, at: now.steady)
    let waiting = Array(writes.accounts) + Array(records.accounts)
    try availabilities.update(
      members, waiting: waiting, inUse: progress.standingsInUse, settling: settling, at: now)
    turn.refusals = progress.pauses(at: now)
    if availabilities.closed != closedAtLook || Set(members.keys) != membersAtLook { noteChange() }
    for passed in Trials.Kind.allCases.indices {
      (passedTurns, hasYielded) = (passed, false)
      try await push(members.filter { $0.value.push != nil }, in: &turn, now: now)
      try follow(lists, settling: settling, in: &turn, now: now)
      try await fetch(members, in: &turn, now: now)
      guard hasYielded else { break }
    }
    (closedAtLook, membersAtLook) = (availabilities.closed, Set(members.keys))
    turn.note(availabilities.all)
    let mayGoUnseen = turn.isAnyOffline || progress.inFlight > 0
    if turn.isAnyOffline && availabilities.hasAssumedOffline || mayGoUnseen && !isNetworkWatched {
      turn.note(lookAfter: options.reachabilityInterval)
    }
  }

  /// The part of a queue that is held in memory, and the part of that for one origin.
  private static let pageSize = 4096
  private static let pageSizePerOrigin = 512

  /// The origins of the records of those collections.
  static func origins(_ members: [ExactName: SyncedCollection]) -> OriginOfRecord {
    { collection, address in members[collection]?.origin(of: address) }
  }

  /// The same without those that are closed now.
  private func openOrigins(_ members: [ExactName: SyncedCollection]) -> OriginOfRecord {
    let closed = availabilities.closed
    return { collection, address in
      guard let member = members[collection], let origin = member.origin(of: address) else {
        return nil
      }
      let account = RunProgress.Account(collection: collection, origin: origin)
      return closed.contains(member.availability(of: account)) ? nil : origin
    }
  }

  // MARK: Writes

  private mutating func push(
    _ members: [ExactName: SyncedCollection], in turn: inout Turn, now: ClockReading
  ) async throws(StoreError) {
    let isDue =
      nextWrite.map { $0 <= now.wall } ?? false || nextWriteTry.map { $0 <= now.steady } ?? false
    if isDue || writesMayLack { looksAtOutbox = true }
    while progress.free > 0 {
      if looksAtOutbox { try lookAtOutbox(members) }
      let chosen = choose(.write, \.writes, in: &turn, now: now) { _ in 1 }
      let jobs = try await begin(chosen, members)
      turn.jobs += jobs
      if jobs.count < chosen.count { nextWriteTry = now.steady + store.configuration.leaseDuration }
      // Work that others have in hand blocks nothing behind it, and is not looked at again.
      looksAtOutbox = writes.wantMore && !jobs.isEmpty
      guard looksAtOutbox || jobs.count < chosen.count else { break }
    }
    guard cutoff == nil else { return }
    // Without a free place, the end of a job wakes.
    let hasPlace = progress.free > 0
    if hasPlace || nextWrite.map({ $0 > now.wall }) ?? false { turn.note(due: nextWrite) }
    if let nextWriteTry, hasPlace || nextWriteTry > now.steady {
      turn.note(lookAfter: nextWriteTry - now.steady)
    }
  }

  /// Looks at everything anew after the wall clock was set: the remembered due times followed the
  /// old setting.
  private mutating func noteStep(of now: ClockReading) {
    let began = now.wall.advanced(by: .zero - now.steady)
    if let bootedAt, abs(began.duration(since: bootedAt).wholeMilliseconds) >= 1000 { noteChange() }
    bootedAt = began
  }

  /// True when a push has ended where no waiting write is known. Elsewhere there is enough to do
  /// without another look, each of which costs a pass over the outbox.
  private var writesMayLack: Bool {
    guard !pushed.isEmpty || !pushedElsewhere.isEmpty else { return false }
    return writes.wantMore || pushed.contains { !writes.has($0) }
      || pushedElsewhere.contains { !writes.has(collection: $0) }
  }

  private mutating func lookAtOutbox(
    _ members: [ExactName: SyncedCollection]
  ) throws(StoreError) {
    (pushed, pushedElsewhere) = ([], [])
    nextWriteTry = nil
    var page = WritePage()
    repeat {
      page = try store.waitingWrites(
        limit: Self.pageSize, perOrigin: Self.pageSizePerOrigin, origin: openOrigins(members))
    } while try meet(page.writes.map { ($0.account, $0.address) })
    if let cutoff {
      page.writes.removeAll { $0.id > cutoff.lastWrite || progress.hasBegun($0.id) }
    }
    writes = FairQueue(page.writes, truncated: page.truncated)
    nextWrite = page.next
    looksAtOutbox = false
  }

  /// Has the store hand out the chosen writes, and makes jobs of those it hands out.
  private func begin(
    _ chosen: [Chosen<WaitingWrite>], _ members: [ExactName: SyncedCollection]
  ) async throws(StoreError) -> [SyncJob] {
    // Built before the hand-out: a write that was handed out and not begun would have to be given
    // back.
    let sendings = chosen.compactMap { chosen -> Sending? in
      guard let write = chosen.batch.first, let member = members[write.collection],
        let push = member.push, let policy = member.policy(of: write.address)
      else {
        progress.noteUnused()
        return nil
      }
      return Sending(write: write, place: chosen.place, member: member, policy: policy, push: push)
    }
    guard !sendings.isEmpty else { return [] }
    let claimed = try await store.claim(sendings.map(\.write), holding: options.holding)
    progress.note(parked: claimed.parked.count)
    var handedOut: [OutboxEntry.ID: DueWrite] = [:]
    for write in claimed.due { handedOut[write.entry.id] = write }
    return sendings.compactMap { sending in
      guard let write = handedOut[sending.write.id] else {
        progress.noteUnused()
        return nil
      }
      progress.note(begun: write.entry.id)
      return sending.job(write, trial: trial(.write, of: sending.write.account))
    }
  }

  /// A write that is about to be handed out, with everything needed to send it.
  private struct Sending {
    let write: WaitingWrite
    let place: Taken
    let member: SyncedCollection
    let policy: Policy
    let push: @Sendable (DueWrite, Policy) async -> JobEnd

    func job(_ due: DueWrite, trial: Trials.Trial?) -> SyncJob {
      SyncJob(
        account: write.account, place: place, isPush: true, trial: trial,
        sourceState: { [member, policy, address = write.address] () throws(StoreError) in
          try member.sourceState(member.policy(of: address) ?? policy)
        },
        run: { [policy, push] in await push(due, policy) })
    }
  }

  // MARK: Lists

  private mutating func follow(
    _ lists: [SyncedList], settling: Duration, in turn: inout Turn, now: ClockReading
  ) throws(StoreError) {
    var availabilities: [(String, Availability)] = []
    var waiting: [(list: SyncedList, availability: Availability, due: Timestamp)] = []
    for list in lists {
      let availability = Availability(
        try list.sourceState(), at: now, settling: list.followsNetwork ? settling : .zero)
      availabilities.append((list.account.origin, availability))
      guard let rest = following.rest(of: list.name, at: now.steady), let due = try list.due()
      else { continue }
      // Due work is due at the moment of the question, which is later than the turn's.
      guard due <= store.configuration.clock.now().wall else {
        if cutoff == nil { turn.note(due: due) }
        continue
      }
      guard rest == .zero else {
        if cutoff == nil { turn.note(lookAfter: rest) }
        continue
      }
      waiting.append((list, availability, due))
    }
    turn.note(availabilities)
    for (list, availability, _) in waiting.sorted(by: { $0.due < $1.due }) {
      guard
        let place = place(
          .list, for: list.account, under: list.account, availability, in: &turn, now: now)
      else { continue }
      let followed = following.begin(list.name)
      turn.jobs.append(
        SyncJob(
          account: list.account, place: place,
          trial: availability == .trial
            ? Trials.Trial(kind: .list, origin: list.account.origin) : nil,
          sourceState: list.sourceState
        ) {
          [following, clock = store.configuration.clock] in
          let end = await list.follow()
          following.noteEnd(of: list.name, at: clock.now().steady)
          followed.end()
          return end
        })
    }
  }

  // MARK: Records

  private mutating func fetch(
    _ members: [ExactName: SyncedCollection], in turn: inout Turn, now: ClockReading
  ) async throws(StoreError) {
    if let nextRecord, nextRecord <= now.wall { looksAtQueue = true }
    if let nextTry, nextTry <= now.steady { (looksAtQueue, self.nextTry) = (true, nil) }
    while progress.free > 0 {
      if looksAtQueue { try await lookAtQueue(members) }
      let batches = choose(.record, \.records, in: &turn, now: now) { members[$0]?.batch ?? 1 }
      let jobs = try await begin(batches, members, now: now)
      turn.jobs += jobs
      looksAtQueue = records.wantMore && !jobs.isEmpty
      guard looksAtQueue || jobs.count < batches.count else { break }
    }
    guard cutoff == nil else { return }
    if let nextTry { turn.note(lookAfter: nextTry - now.steady) }
    guard let lookedAt else { return }
    // Records that fell due during the turn were on no page, and are next.
    nextRecord = try store.nextQueued(after: lookedAt, origin: Self.origins(members))
    // Without a free place, the end of a job wakes.
    if progress.free > 0 || nextRecord.map({ $0 > now.wall }) ?? false {
      turn.note(due: nextRecord)
    }
  }

  private mutating func lookAtQueue(
    _ members: [ExactName: SyncedCollection]
  ) async throws(StoreError) {
    var page: QueuePage
    repeat {
      page = try await store.queued(
        limit: Self.pageSize, perOrigin: Self.pageSizePerOrigin, origin: openOrigins(members))
    } while try meet(page.records.map { ($0.account, $0.address) })
    lookedAt = page.moment
    if let cutoff {
      page.records = page.records.filter { $0.queuedAt <= cutoff.moment && !hasFailed($0) }
    }
    records = FairQueue(page.records, truncated: page.truncated)
    looksAtQueue = false
    nextTry = nil
    progress.forgetPassedOver()
  }

  private func hasFailed(_ record: QueuedRecord) -> Bool {
    progress.hasFailed(record.name)
  }

  /// Has the store hand out the chosen records, and makes jobs of those it hands out.
  private mutating func begin(
    _ batches: [Chosen<QueuedRecord>], _ members: [ExactName: SyncedCollection], now: ClockReading
  ) async throws(StoreError) -> [SyncJob] {
    // Built before the hand-out: a record that was handed out and not begun would have to be given
    // back.
    let fetches = batches.compactMap { batch -> Fetch? in
      guard let first = batch.batch.first, let member = members[first.collection],
        let policy = member.policy(of: first.address)
      else {
        progress.noteUnused()
        return nil
      }
      return Fetch(batch: batch.batch, place: batch.place, member: member, policy: policy)
    }
    guard !fetches.isEmpty else { return [] }
    let chosen = fetches.flatMap(\.batch)
    var claims: [RecordID: DueRecord] = [:]
    // Noted before the hand-out, as a fetch that is under way here may end meanwhile. A run that
    // ends when all is done tries each once.
    if cutoff == nil { progress.note(passedOver: chosen.map(\.name)) }
    for claim in try await store.claim(chosen, holding: options.holding) {
      claims[claim.name] = claim
    }
    progress.note(handedOut: claims.keys)
    if claims.count < chosen.count { nextTry = now.steady + store.configuration.leaseDuration }
    return fetches.compactMap { fetch in
      let claimed = fetch.batch.compactMap { claims[$0.name] }
      guard !claimed.isEmpty else {
        progress.noteUnused()
        return nil
      }
      return fetch.job(claimed, trial: trial(.record, of: fetch.batch[0].account))
    }
  }

  /// Records that are about to be handed out, with everything needed to fetch them.
  private struct Fetch {
    let batch: [QueuedRecord]
    let place: Taken
    let member: SyncedCollection
    let policy: Policy

    func job(_ claims: [DueRecord], trial: Trials.Trial?) -> SyncJob {
      SyncJob(
        account: batch[0].account, place: place, trial: trial, records: claims.map(\.name),
        sourceState: { [member, policy, address = batch[0].address] () throws(StoreError) in
          try member.sourceState(member.policy(of: address) ?? policy)
        },
        run: { [member, policy] in await member.refetch(claims, policy) })
    }
  }

  // MARK: Both

  /// Meets the sources of a page; true when one of them turns out to be closed, so that the page
  /// holds elements that cannot begin.
  private mutating func meet(
    _ met: [(account: RunProgress.Account, address: String?)]
  ) throws(StoreError) -> Bool {
    var isAnyClosed = false
    for (account, address) in met where try availabilities.meet(account, address) {
      if availabilities.of(account)?.isOpen == false { isAnyClosed = true }
    }
    return isAnyClosed
  }

  /// Elements that begin together, and their place.
  private struct Chosen<Element: Waiting> {
    let batch: [Element]
    let place: Taken
  }

  /// The trial of an account; `nil` when it is not on trial.
  private func trial(_ kind: Trials.Kind, of account: RunProgress.Account) -> Trials.Trial? {
    guard availabilities.of(account) == .trial else { return nil }
    return Trials.Trial(kind: kind, origin: availabilities.name(of: account).origin)
  }

  /// Takes the elements that may begin, in the order of the queue.
  private mutating func choose<Element>(
    _ kind: Trials.Kind, _ lanes: WritableKeyPath<Dispatcher, FairQueue<Element>>,
    in turn: inout Turn,
    now: ClockReading, batch: (_ collection: String) -> Int
  ) -> [Chosen<Element>] {
    var chosen: [Chosen<Element>] = []
    var blocked: Set<RunProgress.Account> = []
    while progress.free > 0, !turn.isHeldByRate,
      let account = self[keyPath: lanes].first(besides: blocked)
    {
      let name = availabilities.name(of: account)
      let availability = availabilities.of(account)
      if let place = place(kind, for: account, under: name, availability, in: &turn, now: now) {
        let batch = self[keyPath: lanes].take(batch(account.collection), of: account)
        chosen.append(Chosen(batch: batch, place: place))
      } else {
        blocked.insert(account)
      }
    }
    return chosen
  }

  /// A place for one more; `nil` when it may not begin.
  ///
  /// - Parameter name: The name of the source's availability.
  private mutating func place(
    _ kind: Trials.Kind, for account: RunProgress.Account, under name: RunProgress.Account,
    _ availability: Availability?, in turn: inout Turn, now: ClockReading
  ) -> Taken? {
    guard let availability, availability.isOpen, !turn.isHeldByRate,
      progress.pause(of: account.origin, at: now) == nil
    else { return nil }
    if availability == .trial, trials.turn(at: name.origin, after: passedTurns, in: store) != kind {
      hasYielded = true
      return nil
    }
    switch progress.begin(
      account, availability: name, isTrial: availability == .trial, at: now.steady)
    {
    case .place(let place):
      return place
    case .none: return nil
    case .wait(let pause):
      turn.isHeldByRate = true
      turn.note(lookAfter: pause)
      return nil
    }
  }
}
