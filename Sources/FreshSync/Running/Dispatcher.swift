internal import FreshStore
internal import Strategies

/// Looks at the queues and decides what begins now: writes first, then lists, then records, the
/// longest due first, within the limits.
struct Dispatcher {
  let store: Store
  let options: SyncOptions
  let ledger: Ledger
  /// What was due by then; `nil` for whatever falls due.
  let cutoff: Cutoff?

  /// Where the work of a run ends that does what is due, and no more.
  struct Cutoff {
    let moment: Timestamp
    /// Later writes are left for another time, as is what a conflict makes of one.
    let lastWrite: OutboxEntry.ID
  }

  private var damper: NetworkDamper
  private var standings: Standings
  private let following = Following()

  /// Records seen in the queue and not yet begun.
  private var records = Lanes<QueuedRecord>()
  private var looksAtQueue = true
  /// When the next record falls due that was not due at the last look.
  private var nextRecord: Timestamp?
  /// When to look again for records that were passed over at the last look, on the boot clock: who
  /// gives a fetch up elsewhere tells nobody.
  private var nextTry: Duration?

  /// Writes seen in the outbox and not yet begun.
  private var writes = Lanes<WaitingWrite>()
  private var looksAtOutbox = true
  /// Where pushes have ended since the last look, which may let the next write of their keys begin.
  private var pushed: Set<Ledger.Account> = []
  private var pushedElsewhere: Set<ExactName> = []
  /// When the next write falls due that was not due at the last look.
  private var nextWrite: Timestamp?
  /// When to look again for writes that were passed over at the last look, on the boot clock: who
  /// pushes them elsewhere may die without a word.
  private var nextWriteTry: Duration?
  /// Where the boot clock began on the wall clock, at the last turn.
  private var bootedAt: Timestamp?

  /// What was taken care of, and what was closed, at the last look.
  private var closedAtLook: Set<Ledger.Account> = []
  private var membersAtLook: Set<ExactName> = []

  init(store: Store, options: SyncOptions, ledger: Ledger, cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.ledger = ledger
    self.cutoff = cutoff
    damper = NetworkDamper(settle: options.settle, longest: options.longestSettle)
    standings = Standings(at: store.configuration.clock.now())
  }

  /// The queues may have grown.
  mutating func noteChange() {
    looksAtQueue = true
    looksAtOutbox = true
  }

  /// Pushes have ended there: the next writes of their keys may be due.
  mutating func note(pushed accounts: Set<Ledger.Account>, elsewhere collections: Set<ExactName>) {
    pushed.formUnion(accounts)
    pushedElsewhere.formUnion(collections)
  }

  /// Decides what begins now, and when to look again. What `turn` holds when this throws was taken
  /// before the store failed, and is to run.
  mutating func take(
    _ registry: Registry, isNetworkWatched: Bool, into turn: inout Turn
  ) async throws(StoreError) {
    let now = turn.now
    noteStep(of: now)
    if looksAtOutbox || looksAtQueue {
      try await store.reclaim()
    } else {
      try await store.giveBackOwed()
      try await store.keepTime()
    }
    let (members, lists) = (registry.collections, registry.lists)
    let settling = damper.note(
      isAway: store.configuration.reachability.reachability().isProvablyOffline, at: now.steady)
    try standings.update(members, settling: settling, at: now)
    turn.pauses = ledger.pauses(at: now)
    if standings.closed != closedAtLook || Set(members.keys) != membersAtLook { noteChange() }
    try await push(members.filter { $0.value.push != nil }, in: &turn, now: now)
    try follow(lists, settling: settling, in: &turn, now: now)
    try await fetch(members, in: &turn, now: now)
    (closedAtLook, membersAtLook) = (standings.closed, Set(members.keys))
    turn.note(standings.all)
    if turn.isAnyOffline, !isNetworkWatched || standings.hasAssumedOffline {
      turn.note(lookAfter: options.reachabilityInterval)
    }
  }

  /// How much of a queue is held in memory, and how much of that for one origin.
  private static let pageSize = 4096
  private static let pageSizePerOrigin = 512

  /// Whom the records of those collections ask.
  static func origins(_ members: [ExactName: SyncedCollection]) -> Store.OriginOfRecord {
    { collection, source in members[collection]?.origin(of: source) }
  }

  /// The same but for those that nothing is sent to now.
  private func openOrigins(_ members: [ExactName: SyncedCollection]) -> Store.OriginOfRecord {
    let closed = standings.closed
    return { collection, source in
      guard let member = members[collection], let origin = member.origin(of: source) else {
        return nil
      }
      let account = Ledger.Account(collection: collection, origin: origin)
      return closed.contains(member.standing(of: account)) ? nil : origin
    }
  }

  // MARK: Writes

  private mutating func push(
    _ members: [ExactName: SyncedCollection], in turn: inout Turn, now: ClockReading
  ) async throws(StoreError) {
    let isDue =
      nextWrite.map { $0 <= now.wall } ?? false || nextWriteTry.map { $0 <= now.steady } ?? false
    if isDue || writesMayLack { looksAtOutbox = true }
    while ledger.free > 0 {
      if looksAtOutbox { try lookAtOutbox(members) }
      let chosen = choose(\.writes, in: &turn, now: now) { _ in 1 }
      let jobs = try await begin(chosen, members)
      turn.jobs += jobs
      if jobs.count < chosen.count { nextWriteTry = now.steady + store.configuration.leaseDuration }
      // What others have in hand keeps nothing back that comes after it, and is not looked at again.
      looksAtOutbox = writes.wantMore && !jobs.isEmpty
      guard looksAtOutbox || jobs.count < chosen.count else { break }
    }
    guard cutoff == nil else { return }
    turn.note(due: nextWrite)
    if let nextWriteTry { turn.note(lookAfter: nextWriteTry - now.steady) }
  }

  /// Looks at everything anew after the wall clock was set: what is remembered here was due by it as it
  /// was.
  private mutating func noteStep(of now: ClockReading) {
    let began = now.wall.advanced(by: .zero - now.steady)
    if let bootedAt, abs(began.duration(since: bootedAt).wholeMilliseconds) >= 1000 { noteChange() }
    bootedAt = began
  }

  /// True when a push has ended where nothing is known to wait. Elsewhere there is enough to do without
  /// another look, each of which costs a pass over the outbox.
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
    } while try meet(page.writes.map { ($0.account, $0.source) })
    if let cutoff {
      page.writes.removeAll { $0.id > cutoff.lastWrite || ledger.hasBegun($0.id) }
    }
    writes = Lanes(page.writes, truncated: page.truncated)
    nextWrite = page.next
    looksAtOutbox = false
  }

  /// Has the store hand out what was chosen, and makes jobs of what it hands out.
  private func begin(
    _ chosen: [Chosen<WaitingWrite>], _ members: [ExactName: SyncedCollection]
  ) async throws(StoreError) -> [SyncJob] {
    guard !chosen.isEmpty else { return [] }
    var handedOut: [OutboxEntry.ID: DueWrite] = [:]
    let wanted = chosen.flatMap(\.batch)
    for write in try await store.claim(wanted, holding: options.holding) {
      handedOut[write.entry.id] = write
    }
    return chosen.compactMap { chosen in
      guard let waiting = chosen.batch.first, let write = handedOut[waiting.id],
        let member = members[waiting.collection], let push = member.push,
        let policy = member.policy(of: waiting.source)
      else {
        ledger.noteUnused()
        return nil
      }
      if cutoff != nil { ledger.note(begun: waiting.id) }
      return SyncJob(
        account: waiting.account, place: chosen.place, isPush: true,
        sourceState: { () throws(StoreError) in try member.sourceState(policy) },
        run: { await push(write, policy) })
    }
  }

  // MARK: Lists

  private mutating func follow(
    _ lists: [SyncedList], settling: Duration, in turn: inout Turn, now: ClockReading
  ) throws(StoreError) {
    var standings: [(String, Standing)] = []
    for list in lists {
      let standing = Standing(
        try list.sourceState(), at: now, settling: list.followsNetwork ? settling : .zero)
      standings.append((list.account.origin, standing))
      guard let rest = following.rest(of: list.name, at: now.steady), let due = try list.due()
      else { continue }
      // What is due already is due at the moment of the question, which is later than the turn's.
      guard due <= store.configuration.clock.now().wall else {
        if cutoff == nil { turn.note(due: due) }
        continue
      }
      guard rest == .zero else {
        // A run that ends when all is done follows each list once.
        if cutoff == nil { turn.note(lookAfter: rest) }
        continue
      }
      guard let place = place(for: list.account, standing, in: &turn, now: now) else { continue }
      let followed = following.begin(list.name)
      turn.jobs.append(
        SyncJob(account: list.account, place: place, sourceState: list.sourceState) {
          [following, clock = store.configuration.clock] in
          let end = await list.follow()
          following.noteEnd(of: list.name, at: clock.now().steady)
          followed.end()
          return end
        })
    }
    turn.note(standings)
  }

  // MARK: Records

  private mutating func fetch(
    _ members: [ExactName: SyncedCollection], in turn: inout Turn, now: ClockReading
  ) async throws(StoreError) {
    if let nextRecord, nextRecord <= now.wall { looksAtQueue = true }
    if let nextTry, nextTry <= now.steady { (looksAtQueue, self.nextTry) = (true, nil) }
    while ledger.free > 0 {
      if looksAtQueue { try await lookAtQueue(members) }
      let batches = choose(\.records, in: &turn, now: now) { members[$0]?.batch ?? 1 }
      let jobs = try await begin(batches, members, now: now)
      turn.jobs += jobs
      looksAtQueue = records.wantMore && !jobs.isEmpty
      guard looksAtQueue || jobs.count < batches.count else { break }
    }
    guard cutoff == nil else { return }
    if let nextTry { turn.note(lookAfter: nextTry - now.steady) }
    nextRecord = try store.nextQueued(origin: Self.origins(members))
    turn.note(due: nextRecord)
  }

  private mutating func lookAtQueue(
    _ members: [ExactName: SyncedCollection]
  ) async throws(StoreError) {
    var page = QueuePage()
    repeat {
      page = try await store.queued(
        limit: Self.pageSize, perOrigin: Self.pageSizePerOrigin, origin: openOrigins(members))
    } while try meet(page.records.map { ($0.account, $0.source) })
    if let cutoff {
      page.records = page.records.filter { $0.queuedAt <= cutoff.moment && !hasFailed($0) }
    }
    records = Lanes(page.records, truncated: page.truncated)
    looksAtQueue = false
    nextTry = nil
    ledger.forgetPassedOver()
  }

  private func hasFailed(_ record: QueuedRecord) -> Bool {
    ledger.hasFailed(record.name)
  }

  /// Has the store hand out what was chosen, and makes jobs of what it hands out.
  private mutating func begin(
    _ batches: [Chosen<QueuedRecord>], _ members: [ExactName: SyncedCollection], now: ClockReading
  ) async throws(StoreError) -> [SyncJob] {
    guard !batches.isEmpty else { return [] }
    let chosen = batches.flatMap(\.batch)
    var claims: [RecordID: QueueClaim] = [:]
    // Before they are handed out, as what is being fetched here may end meanwhile. A run that ends
    // when all is done tries each once.
    if cutoff == nil { ledger.note(passedOver: chosen.map(\.name)) }
    for claim in try await store.claim(chosen, holding: options.holding) {
      claims[claim.name] = claim
    }
    ledger.note(handedOut: claims.keys)
    if claims.count < chosen.count { nextTry = now.steady + store.configuration.leaseDuration }
    return batches.compactMap { chosen in
      let claimed = chosen.batch.compactMap { claims[RecordID($0.collection, $0.key)] }
      guard let first = chosen.batch.first, !claimed.isEmpty,
        let member = members[first.collection], let policy = member.policy(of: first.source)
      else {
        ledger.noteUnused()
        return nil
      }
      return SyncJob(
        account: first.account, place: chosen.place, records: claimed.map(\.name),
        sourceState: { () throws(StoreError) in try member.sourceState(policy) },
        run: { await member.refetch(claimed, policy) })
    }
  }

  // MARK: Both

  /// Meets the sources of a page; true when one of them turns out to be closed, so that the page
  /// holds what cannot be begun.
  private mutating func meet(
    _ met: [(account: Ledger.Account, source: String?)]
  ) throws(StoreError) -> Bool {
    var isAnyClosed = false
    for (account, source) in met where try standings.meet(account, source) {
      if standings.of(account)?.isOpen == false { isAnyClosed = true }
    }
    return isAnyClosed
  }

  /// What is to be begun together, and its place.
  private struct Chosen<Element: Waiting> {
    let batch: [Element]
    let place: Taken
  }

  /// Takes what may begin, in the order of the queue.
  private mutating func choose<Element>(
    _ lanes: WritableKeyPath<Dispatcher, Lanes<Element>>, in turn: inout Turn, now: ClockReading,
    batch: (_ collection: String) -> Int
  ) -> [Chosen<Element>] {
    var chosen: [Chosen<Element>] = []
    var blocked: Set<Ledger.Account> = []
    while let account = self[keyPath: lanes].first(besides: blocked) {
      if let place = place(for: account, standings.of(account), in: &turn, now: now) {
        let batch = self[keyPath: lanes].take(batch(account.collection), of: account)
        chosen.append(Chosen(batch: batch, place: place))
      } else {
        blocked.insert(account)
      }
    }
    return chosen
  }

  /// A place for one more; `nil` when it may not begin.
  private func place(
    for account: Ledger.Account, _ standing: Standing?, in turn: inout Turn, now: ClockReading
  ) -> Taken? {
    guard let standing, standing.isOpen, !turn.isHeldByRate,
      ledger.pause(of: account.origin, at: now) == nil
    else { return nil }
    switch ledger.begin(account, isTrial: standing == .trial, at: now.steady) {
    case .place(let place): return place
    case .none: return nil
    case .wait(let pause):
      turn.isHeldByRate = true
      turn.note(lookAfter: pause)
      return nil
    }
  }
}
