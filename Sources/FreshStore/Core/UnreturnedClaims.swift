internal import Synchronization

/// Ended leases and claims that could not be given back, because the store failed at that moment.
/// Their owner is alive, so no other owner would get them before their deadline.
final class UnreturnedClaims: Sendable {
  private struct State {
    var writes: [OutboxClaim] = []
    var records: [DueRecord] = []
    var leases: [Lease] = []
    var isEmpty: Bool { writes.isEmpty && records.isEmpty && leases.isEmpty }
  }

  private let state = Mutex(State())

  init() {}

  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Notes a lease that has ended, and could not be given back.
  func add(_ lease: Lease) { state.withLock { $0.leases.append(lease) } }

  /// Gives these back, and those owed from before; if the store fails they stay owed. False when
  /// there were none.
  func giveBack(
    writes: [OutboxClaim], records: [DueRecord], leases: [Lease], to storage: Storage,
    on queue: WorkQueue
  ) async throws(StoreError) -> Bool {
    let owed = state.withLock { state in
      state.writes += writes
      state.records += records
      state.leases += leases
      defer { state = State() }
      return state
    }
    guard !owed.isEmpty else { return false }
    do throws(StoreError) {
      try await queue.run { () throws(StoreError) in
        try storage.giveBack(owed.writes, owed.records, owed.leases)
      }
      return true
    } catch {
      state.withLock { state in
        state.writes += owed.writes
        state.records += owed.records
        state.leases += owed.leases
      }
      throw error
    }
  }
}

extension Store {
  /// Gives back these leases and claims, and those that could not be given back when they ended; false
  /// when there were none.
  @discardableResult
  func returnClaims(
    writes: [OutboxClaim] = [], records: [DueRecord] = [], leases: [Lease] = []
  ) async throws(StoreError) -> Bool {
    try await owed.giveBack(
      writes: writes, records: records, leases: leases, to: storage, on: queue)
  }

  /// Gives back leases and claims that could not be given back when they ended.
  package func giveBackOwed() async throws(StoreError) {
    if try await returnClaims() { queueSignal.wake() }
  }

  /// The same, and frees the leases and claims of dead owners.
  package func reclaim() async throws(StoreError) {
    try await giveBackOwed()
    let now = now()
    let isAnyDead = try await queue.run { [storage] () throws(StoreError) in
      try storage.releaseDead(now: now)
    }
    if isAnyDead { queueSignal.wake() }
  }

  /// Moves scheduled times after a step of the clock, for callers that only read them; every write
  /// does so by itself. Mostly two clock reads.
  package func keepTime(within patience: Duration? = nil) async throws(StoreError) {
    guard storage.database.clockWatch?.news != nil else { return }
    try await queue.run { [storage] () throws(StoreError) in
      try storage.database.keepTime(.due, within: patience)
    }
  }
}
