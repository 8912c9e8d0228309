import FreshStore
import FreshStoreTesting
import Synchronization

/// A shared tier in memory whose traffic is kept, can be changed, and can be awaited.
final class HookedTier: SharedTier {
  /// Counts calls that have ended.
  private final class Tally: Sendable {
    private struct State {
      var count = 0
      var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func note() {
      let watchers = state.withLock { state in
        state.count += 1
        let count = state.count
        defer { state.watchers.removeAll { $0.count <= count } }
        return state.watchers.filter { $0.count <= count }
      }
      for watcher in watchers { watcher.continuation.resume() }
    }

    func reaches(_ count: Int) async {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.count >= count { return true }
          state.watchers.append((count, continuation))
          return false
        }
        if isThere { continuation.resume() }
      }
    }
  }

  private struct State {
    var claims: [[SharedClaim]] = []
    var landed: [Set<SharedLease>] = []
    var changesLanded: @Sendable (SharedRecord) -> SharedRecord = { $0 }
    var afterNextClaim: (@Sendable () async -> Void)?
  }

  let inner: InMemorySharedTier
  private let state = Mutex(State())
  private let landings = Tally()
  private let releases = Tally()
  private let questions = Tally()

  init(_ inner: InMemorySharedTier) { self.inner = inner }

  /// The questions so far.
  var claims: [[SharedClaim]] { state.withLock { $0.claims } }
  /// The leases that were still valid, landing by landing.
  var landed: [Set<SharedLease>] { state.withLock { $0.landed } }

  /// Changes records on their way to the tier.
  func changeLanded(_ change: @escaping @Sendable (SharedRecord) -> SharedRecord) {
    state.withLock { $0.changesLanded = change }
  }

  /// Does something while the next answer is on its way.
  func afterNextClaim(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.afterNextClaim = work }
  }

  /// Returns once that many landings have come to their end.
  func landings(atLeast count: Int) async { await landings.reaches(count) }

  /// Returns once leases were given back that many times.
  func releases(atLeast count: Int) async { await releases.reaches(count) }

  /// Returns once that many questions were asked.
  func questions(atLeast count: Int) async { await questions.reaches(count) }

  // MARK: The tier

  func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
    let work = state.withLock { state in
      state.claims.append(claims)
      defer { state.afterNextClaim = nil }
      return state.afterNextClaim
    }
    questions.note()
    let answer = try await inner.claim(claims, owner: owner, for: duration, since: position)
    await work?()
    return answer
  }

  func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
    let change = state.withLock { $0.changesLanded }
    var changed: [(lease: SharedLease, record: SharedRecord)] = []
    for (lease, record) in records { changed.append((lease, change(record))) }
    let answer = try await inner.land(changed, since: position)
    state.withLock { $0.landed.append(answer.value) }
    landings.note()
    return answer
  }

  func release(
    _ leases: [SharedLease], pausing: SharedPause?
  ) async throws(SharedTierError) {
    defer { releases.note() }
    try await inner.release(leases, pausing: pausing)
  }

  func extend(
    _ leases: [SharedLease], for duration: Duration
  ) async throws(SharedTierError) -> Set<SharedLease> {
    try await inner.extend(leases, for: duration)
  }

  func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
    try await inner.mark(scopes, reason: reason, since: position)
  }

  func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
    try await inner.news(since: position)
  }

  func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
    try await inner.pause(origin, pause)
  }

  func pauses(
    of origins: [String]
  ) async throws(SharedTierError) -> [String: SharedPause] {
    try await inner.pauses(of: origins)
  }

  func announcements() -> AsyncStream<Void> { inner.announcements() }

  var reach: SharedTierReach { inner.reach }
}
