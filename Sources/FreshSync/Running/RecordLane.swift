internal import FreshStore
internal import Strategies

/// The records in the refetch queue, and the choice of those that begin now.
struct RecordLane {
  private let store: Store
  private let options: SyncOptions
  private let progress: RunProgress
  private let cutoff: Cutoff?

  /// The records seen in the queue and not yet begun.
  private(set) var records = FairQueue<QueuedRecord>()
  /// True when the queue is to be looked at.
  var looks = true
  /// When the queue was last looked at; `nil` before.
  private var lookedAt: Timestamp?
  /// When the next record falls due that was not due at the last look.
  private var nextRecord: Timestamp?
  /// When to look again for records that were passed over at the last look, on the boot clock. Another process does
  /// not report that it has abandoned a fetch.
  private var nextTry: Duration?

  init(_ store: Store, _ options: SyncOptions, _ progress: RunProgress, _ cutoff: Cutoff?) {
    self.store = store
    self.options = options
    self.progress = progress
    self.cutoff = cutoff
  }

  mutating func fetch(
    _ members: [ExactName: SyncedCollection], _ slots: inout Slots, in turn: inout Turn
  ) async throws(StoreError) {
    let now = turn.now
    if let nextRecord, nextRecord <= now.wall { looks = true }
    if let nextTry, nextTry <= now.steady { (looks, self.nextTry) = (true, nil) }
    while progress.free > 0 {
      if looks { try await look(members, &slots) }
      let batches = slots.choose(.record, from: &records, in: &turn) {
        members[$0.account.collection]?.batch ?? 1
      }
      let jobs = try await begin(batches, members, slots, now: now)
      turn.jobs += jobs
      looks = records.wantMore && !jobs.isEmpty
      guard looks || jobs.count < batches.count else { break }
    }
    guard cutoff == nil else { return }
    if let nextTry { turn.note(lookAfter: nextTry - now.steady) }
    guard let lookedAt else { return }
    // Records that fell due during the turn were on no page, and come next.
    nextRecord = try await OriginLook.result(members, members.origins) {
      [store] (origin) throws(StoreError) in
      try store.nextQueued(after: lookedAt, origin: origin)
    }
    // Without a free slot, the end of a job leads to the next look.
    if progress.free > 0 || nextRecord.map({ $0 > now.wall }) ?? false {
      turn.note(due: nextRecord)
    }
  }

  private mutating func look(
    _ members: [ExactName: SyncedCollection], _ slots: inout Slots
  ) async throws(StoreError) {
    var page: QueuePage
    repeat {
      page = try await OriginLook.result(members, slots.openOrigins(members)) {
        [store] (origin) async throws(StoreError) in
        try await store.queued(
          limit: FairQueue<QueuedRecord>.size, perOrigin: FairQueue<QueuedRecord>.sizePerOrigin,
          origin: origin)
      }
    } while try slots.add(page.records.map { ($0.account, $0.address) })
    lookedAt = page.moment
    if let cutoff {
      page.records.removeAll { $0.queuedAt > cutoff.moment || progress.hasFailed($0.name) }
    }
    records = FairQueue(page.records, truncated: page.truncated)
    looks = false
    nextTry = nil
    progress.forgetPassedOver()
  }

  /// Claims the chosen records from the store, and makes jobs of the records that it got.
  private mutating func begin(
    _ batches: [Slots.Batch<QueuedRecord>], _ members: [ExactName: SyncedCollection],
    _ slots: Slots, now: ClockReading
  ) async throws(StoreError) -> [SyncJob] {
    // Built before the claim: a record that was claimed and not begun would have to be given back.
    let fetches = batches.compactMap { batch -> Fetch? in
      guard let first = batch.elements.first, let member = members[first.collection],
        let policy = member.policy(of: first.address)
      else {
        progress.noteUnused()
        return nil
      }
      return Fetch(
        batch: batch.elements, reservation: batch.reservation, member: member, policy: policy)
    }
    guard !fetches.isEmpty else { return [] }
    let chosen = fetches.flatMap(\.batch)
    var claims: [RecordID: DueRecord] = [:]
    // Noted before the claim, as another fetch of a record may end here meanwhile. A run that ends when all is done
    // tries each record once.
    if cutoff == nil { progress.note(passedOver: chosen.map(\.name)) }
    for claim in try await store.claim(chosen, holding: options.holding) {
      claims[claim.name] = claim
    }
    progress.note(claimed: claims.keys)
    if claims.count < chosen.count { nextTry = now.steady + store.configuration.leaseDuration }
    return fetches.compactMap { fetch in
      let claimed = fetch.batch.compactMap { claims[$0.name] }
      guard !claimed.isEmpty else {
        progress.noteUnused()
        return nil
      }
      return fetch.job(claimed, trial: slots.trial(.record, of: fetch.batch[0].account))
    }
  }

  /// Records to be claimed, with everything that their fetch needs.
  private struct Fetch {
    let batch: [QueuedRecord]
    let reservation: Reservation
    let member: SyncedCollection
    let policy: Policy

    func job(_ claims: [DueRecord], trial: Trials.Trial?) -> SyncJob {
      SyncJob(
        account: batch[0].account, reservation: reservation, trial: trial,
        records: claims.map(\.name),
        sourceState: { [member, policy, address = batch[0].address] () throws(StoreError) in
          try member.sourceState(member.policy(of: address) ?? policy)
        },
        run: { [member, policy] in await member.refetch(claims, policy) })
    }
  }
}
