internal import FreshStore
internal import Strategies

/// The local writes in the outbox, and the choice of those that begin now.
struct WriteLane {
  private let store: Store
  private let options: SyncOptions
  private let progress: RunProgress
  private let cutoff: Cutoff?

  /// The writes seen in the outbox and not yet begun.
  private(set) var writes = FairQueue<WaitingWrite>()
  /// True when the outbox is to be looked at.
  var looks = true
  /// The keys whose first write may have become pending since the last look: a write was made, or the write before it
  /// was settled.
  private var keys: Set<RecordID> = []
  /// When the next write falls due that was not due at the last look.
  private var nextWrite: Timestamp?
  /// When to look again for writes that were passed over at the last look, on the boot clock. Another process that
  /// pushes them may die silently.
  private var nextTry: Duration?

  init(_ store: Store, _ options: SyncOptions, _ progress: RunProgress, _ cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.progress = progress
    self.cutoff = cutoff
  }

  /// The number of keys above which a pass over the outbox costs less than looking up each.
  private static let keysAtOnce = 256

  /// The first writes of these keys may be due.
  mutating func note(writesOf keys: Set<RecordID>) {
    self.keys.formUnion(keys)
    guard self.keys.count > Self.keysAtOnce else { return }
    (self.keys, looks) = ([], true)
  }

  mutating func push(
    _ members: [ExactName: SyncedCollection], _ slots: inout Slots, in turn: inout Turn
  ) async throws(StoreError) {
    let now = turn.now
    let isDue =
      nextWrite.map { $0 <= now.wall } ?? false || nextTry.map { $0 <= now.steady } ?? false
    if isDue || (writes.wantMore || options.order == .ofWriting) && !keys.isEmpty { looks = true }
    while progress.free > 0 {
      if looks { try await look(members, &slots) } else { try await lookUp(members, &slots) }
      let chosen = slots.choose(.write, from: &writes, in: &turn) { lane in
        // A large body is enough for one request.
        lane.isLarge ? 1 : members[lane.account.collection]?.pushBatch ?? 1
      }
      let (jobs, areAllBegun) = try await begin(chosen, members, slots)
      turn.jobs += jobs
      if !areAllBegun { nextTry = now.steady + store.configuration.leaseDuration }
      // Writes that another process pushes block nothing behind them, and are not looked at again.
      looks = writes.wantMore && !jobs.isEmpty
      guard looks || jobs.count < chosen.count else { break }
    }
    guard cutoff == nil else { return }
    // Without a free slot, the end of a job leads to the next look.
    let hasSlot = progress.free > 0
    if hasSlot || nextWrite.map({ $0 > now.wall }) ?? false { turn.note(due: nextWrite) }
    if let nextTry, hasSlot || nextTry > now.steady {
      turn.note(lookAfter: nextTry - now.steady)
    }
  }

  private mutating func look(
    _ members: [ExactName: SyncedCollection], _ slots: inout Slots
  ) async throws(StoreError) {
    keys = []
    nextTry = nil
    var page = WritePage()
    repeat {
      let open = slots.openOrigins(members)
      switch options.order {
      case .byKey:
        page = try await OriginLook.result(members, open) {
          [store, options] (origin) throws(StoreError) in
          try store.waitingWrites(
            limit: FairQueue<WaitingWrite>.size, perOrigin: FairQueue<WaitingWrite>.sizePerOrigin,
            largeFrom: options.largeBody, origin: origin)
        }
      case .ofWriting:
        // A write whose source is closed holds up the others.
        page = try await OriginLook.result(members, members.origins) {
          [store, options] (origin) throws(StoreError) in
          try store.nextWrite(largeFrom: options.largeBody, origin: origin)
        }
        page.writes.removeAll { open($0.collection, $0.address) == nil }
      }
    } while try slots.add(page.writes.map { ($0.account, $0.address) })
    writes = FairQueue(page.writes.filter(isWanted), truncated: page.truncated)
    nextWrite = page.next
    looks = false
  }

  /// Inserts the first writes of the noted keys among the pending ones: each goes in its turn, without another pass
  /// over the outbox.
  private mutating func lookUp(
    _ members: [ExactName: SyncedCollection], _ slots: inout Slots
  ) async throws(StoreError) {
    guard !keys.isEmpty else { return }
    var page = WritePage()
    repeat {
      page = try await OriginLook.result(members, slots.openOrigins(members)) {
        [store, options, keys] (origin) throws(StoreError) in
        try store.waitingWrites(of: keys, largeFrom: options.largeBody, origin: origin)
      }
    } while try slots.add(page.writes.map { ($0.account, $0.address) })
    keys = []
    for write in page.writes where isWanted(write) { writes.insert(write) }
    if let next = page.next { nextWrite = min(nextWrite ?? next, next) }
    // A look keeps only the head of a queue that has grown too long.
    if writes.wantMore || writes.count > 2 * FairQueue<WaitingWrite>.size {
      try await look(members, &slots)
    }
  }

  /// False for a write that this run leaves out, as the run ends when all is done.
  private func isWanted(_ write: WaitingWrite) -> Bool {
    guard let cutoff else { return true }
    return write.id <= cutoff.lastWrite && !progress.hasBegun(write.id)
  }

  /// Claims the chosen writes from the store, and makes jobs of the writes that it got; false when some were not
  /// claimed.
  private func begin(
    _ chosen: [Slots.Batch<WaitingWrite>], _ members: [ExactName: SyncedCollection],
    _ slots: Slots
  ) async throws(StoreError) -> ([SyncJob], areAllBegun: Bool) {
    // Built before the claim: a write that was claimed and not begun would have to be given back.
    let sendings = chosen.compactMap { batch -> Sending? in
      guard let write = batch.elements.first, let member = members[write.collection],
        let push = member.push, let policy = member.policy(of: write.address)
      else {
        progress.noteUnused()
        return nil
      }
      return Sending(
        writes: batch.elements, first: write, reservation: batch.reservation, member: member,
        policy: policy,
        push: push)
    }
    guard !sendings.isEmpty else { return ([], chosen.isEmpty) }
    let claimed = try await store.claim(sendings.flatMap(\.writes), holding: options.holding)
    progress.note(parked: claimed.parked.count)
    var handedOut: [OutboxEntry.ID: DueWrite] = [:]
    for write in claimed.due { handedOut[write.entry.id] = write }
    let jobs = sendings.compactMap { sending -> SyncJob? in
      let due = sending.writes.compactMap { handedOut[$0.id] }
      guard !due.isEmpty else {
        progress.noteUnused()
        return nil
      }
      for write in due { progress.note(begun: write.entry.id) }
      return sending.job(due, trial: slots.trial(.write, of: sending.first.account))
    }
    return (jobs, claimed.due.count == chosen.reduce(0) { $0 + $1.elements.count })
  }

  /// Writes to be claimed, with everything that their push needs.
  private struct Sending {
    let writes: [WaitingWrite]
    let first: WaitingWrite
    let reservation: Reservation
    let member: SyncedCollection
    let policy: Policy
    let push: @Sendable ([DueWrite], Policy) async -> JobEnd

    func job(_ due: [DueWrite], trial: Trials.Trial?) -> SyncJob {
      SyncJob(
        account: first.account, reservation: reservation, trial: trial,
        pushes: due.map { RecordID($0.entry.collection, $0.entry.key) },
        sourceState: { [member, policy, address = first.address] () throws(StoreError) in
          try member.sourceState(member.policy(of: address) ?? policy)
        },
        run: { [policy, push] in await push(due, policy) })
    }
  }
}
