internal import FreshStore
internal import Strategies

/// Looks at the queues and decides what begins now: writes first, then lists, then records, the
/// longest due first, within the limits.
struct Dispatcher {
  let store: Store
  let options: SyncOptions
  let ledger: Ledger
  /// What was due by then; `nil` for whatever falls due.
  let cutoff: Timestamp?

  private var damper: NetworkDamper
  private var rate: StartRate
  /// Records seen in the queue and not yet begun.
  private var lanes = Lanes()
  private var looksAtQueue = true
  /// The collections whose records are on the page.
  private var collectionsOfPage: Set<String> = []
  private let following = Following()
  /// Writes that were begun, in a run that ends when all is done: it tries each once.
  private var triedWrites: Set<OutboxEntry.ID> = []
  /// When the next record falls due that was not due at the last look.
  private var nextDue: Timestamp?

  init(store: Store, options: SyncOptions, ledger: Ledger, cutoff: Timestamp?) {
    self.store = store
    self.options = options
    self.ledger = ledger
    self.cutoff = cutoff
    damper = NetworkDamper(settle: options.settle, longest: options.longestSettle)
    rate = StartRate(perSecond: options.startsPerSecond)
  }

  /// The queues may have grown.
  mutating func noteChange() { looksAtQueue = true }

  /// What begins now, and when to look again.
  mutating func turn(
    _ registry: Registry, isNetworkWatched: Bool
  ) async throws(StoreError) -> Turn {
    let now = store.configuration.clock.now()
    if let pause = ledger.storePause(at: now) { return Turn(at: now, nextLook: pause) }
    var turn = Turn(at: now, nextLook: options.longestSleep)
    let (members, lists) = (registry.collections, registry.lists)
    let settling = damper.note(
      isAway: store.configuration.reachability.reachability().isProvablyOffline, at: now.steady)
    var standings: [String: Standing] = [:]
    for member in members {
      standings[member.name] = Standing(
        try member.sourceState(), at: now, settling: member.followsNetwork ? settling : .zero)
    }
    turn.pauses = ledger.pauses(at: now)
    turn.note(members.map { ($0.originName(nil), standings[$0.name] ?? .open) })
    for member in members {
      try await push(member, standings[member.name], in: &turn, now: now)
    }
    try follow(lists, settling: settling, in: &turn, now: now)
    if turn.isAnyOffline, !isNetworkWatched {
      turn.note(lookAfter: options.reachabilityInterval)
    }
    try await fetch(members, standings, in: &turn, now: now)
    return turn
  }

  // MARK: Writes

  private mutating func push(
    _ member: SyncedCollection, _ standing: Standing?, in turn: inout Turn, now: ClockReading
  ) async throws(StoreError) {
    guard let push = member.push, let due = try store.nextWriteDue(collection: member.name) else {
      return
    }
    guard due <= now.wall else {
      if cutoff == nil { turn.note(due: due) }
      return
    }
    let account = Ledger.Account(collection: member.name, origin: member.originName(nil))
    var places = 0
    while mayBegin(account, standing, in: &turn, now: now) { places += 1 }
    guard places > 0 else { return }
    var writes: [DueWrite] = []
    defer {
      for _ in writes.count..<places {
        ledger.giveBack(account)
        rate.giveBack()
      }
    }
    let handedOut = try await store.dueWrites(
      collection: member.name, limit: places, holding: options.holding)
    writes = handedOut.filter { cutoff == nil || triedWrites.insert($0.entry.id).inserted }
    let known = Set(writes.map(\.entry.id))
    let tried = handedOut.filter { !known.contains($0.entry.id) }
    if !tried.isEmpty { try await store.giveBack(tried) }
    turn.jobs += writes.map { write in SyncJob(account: account) { await push(write) } }
    // What is due now and found no place is looked at when a place is given back.
    guard cutoff == nil, let next = try store.nextWriteDue(collection: member.name),
      next > now.wall
    else { return }
    turn.note(due: next)
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
      guard due <= (cutoff ?? now.wall) else {
        if cutoff == nil { turn.note(due: due) }
        continue
      }
      guard rest == .zero else {
        // A run that ends when all is done follows each list once.
        if cutoff == nil { turn.note(lookAfter: rest) }
        continue
      }
      guard mayBegin(list.account, standing, in: &turn, now: now) else { continue }
      following.begin(list.name)
      turn.jobs.append(
        SyncJob(account: list.account) { [following, clock = store.configuration.clock] in
          let end = await list.follow()
          following.end(list.name, at: clock.now().steady)
          return end
        })
    }
    turn.note(standings)
  }

  // MARK: Records

  private mutating func fetch(
    _ members: [SyncedCollection], _ standings: [String: Standing], in turn: inout Turn,
    now: ClockReading
  ) async throws(StoreError) {
    let fetching = Dictionary(
      uniqueKeysWithValues: members.filter { $0.refetch != nil }.map { ($0.name, $0) })
    let open = Set(fetching.keys.filter { standings[$0]?.isOpen == true })
    let isDue = nextDue.map { $0 <= now.wall } ?? false
    if open != collectionsOfPage || isDue { looksAtQueue = true }
    while !open.isEmpty, ledger.free > 0 {
      if looksAtQueue { try await look(fetching.filter { open.contains($0.key) }) }
      let batches = choose(fetching, standings, in: &turn, now: now)
      turn.jobs += try await begin(batches, fetching)
      guard !batches.isEmpty, lanes.wantMore else { break }
      looksAtQueue = true
    }
    guard cutoff == nil else { return }
    nextDue = try store.nextQueued(origin: Self.origins(fetching))
    turn.note(due: nextDue)
  }

  private mutating func look(_ open: [String: SyncedCollection]) async throws(StoreError) {
    var page = try await store.queued(
      limit: Self.pageSize, perOrigin: Self.pageSize / 8, origin: Self.origins(open))
    if let cutoff {
      page.records = page.records.filter { $0.queuedAt <= cutoff && !hasFailed($0) }
    }
    lanes = Lanes(page)
    collectionsOfPage = Set(open.keys)
    looksAtQueue = false
  }

  private func hasFailed(_ record: QueuedRecord) -> Bool {
    ledger.hasFailed(RecordName(record.collection, record.key))
  }

  /// How many records of the queue are held in memory.
  private static let pageSize = 4096

  static func origins(_ members: [String: SyncedCollection]) -> Store.OriginOfRecord {
    { collection, source in members[collection]?.originName(source) }
  }

  /// Takes what may begin, the longest due first.
  private mutating func choose(
    _ members: [String: SyncedCollection], _ standings: [String: Standing], in turn: inout Turn,
    now: ClockReading
  ) -> [[QueuedRecord]] {
    var batches: [[QueuedRecord]] = []
    var blocked: Set<Ledger.Account> = []
    while let account = lanes.first(besides: blocked) {
      if let member = members[account.collection],
        mayBegin(account, standings[account.collection], in: &turn, now: now)
      {
        batches.append(lanes.take(member.batch, of: account))
      } else {
        blocked.insert(account)
      }
    }
    return batches
  }

  private mutating func mayBegin(
    _ account: Ledger.Account, _ standing: Standing?, in turn: inout Turn, now: ClockReading
  ) -> Bool {
    guard let standing, standing.isOpen, !turn.isHeldByRate,
      ledger.pause(of: account.origin, at: now) == nil,
      ledger.begin(account, isTrial: standing == .trial)
    else { return false }
    guard let wait = rate.take(at: now.steady) else { return true }
    ledger.giveBack(account)
    turn.isHeldByRate = true
    turn.note(lookAfter: wait)
    return false
  }

  /// Has the store hand out what was chosen, and makes jobs of what it hands out.
  private mutating func begin(
    _ batches: [[QueuedRecord]], _ members: [String: SyncedCollection]
  ) async throws(StoreError) -> [SyncJob] {
    guard !batches.isEmpty else { return [] }
    var claims: [RecordName: QueueClaim] = [:]
    do throws(StoreError) {
      for claim in try await store.claim(batches.flatMap { $0 }, holding: options.holding) {
        claims[claim.name] = claim
      }
    } catch {
      for batch in batches { giveUp(batch) }
      throw error
    }
    return batches.compactMap { batch in
      let claimed = batch.compactMap { claims[RecordName($0.collection, $0.key)] }
      guard let first = batch.first, !claimed.isEmpty,
        let refetch = members[first.collection]?.refetch
      else {
        giveUp(batch)
        return nil
      }
      let account = Ledger.Account(collection: first.collection, origin: first.origin)
      return SyncJob(account: account) { await refetch(claimed) }
    }
  }

  /// Gives the place of a batch back that nothing came of.
  private mutating func giveUp(_ batch: [QueuedRecord]) {
    guard let first = batch.first else { return }
    let account = Ledger.Account(collection: first.collection, origin: first.origin)
    ledger.giveBack(account)
    rate.giveBack()
  }
}
