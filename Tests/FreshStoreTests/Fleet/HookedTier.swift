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
    var rereadsNews = false
    var address = "here"
    var beforeNextMark: (@Sendable () async -> Void)?
    var afterNextMark: (@Sendable () async -> Void)?
    var beforeNews: (@Sendable () async throws(SharedTierError) -> Void)?
    var beforeEndOfPauses: (@Sendable () async -> Void)?
    var afterNextLookAtPauses: (@Sendable () async -> Void)?
    var refusesMarks: @Sendable ([SharedMark.Scope]) -> SharedTierError? = { _ in nil }
  }

  let inner: InMemorySharedTier
  private let state = Mutex(State())
  private let landings = Tally()
  private let releases = Tally()
  private let questions = Tally()
  private let extensions = Tally()
  private let marks = Tally()
  /// Calls for news alone wait here.
  private let newsLatch = Latch()

  init(_ inner: InMemorySharedTier) { self.inner = inner }

  /// The questions so far.
  var claims: [[SharedClaim]] { state.withLock { $0.claims } }
  /// The leases that were still valid, landing by landing.
  var landed: [Set<SharedLease>] { state.withLock { $0.landed } }

  /// Changes records that are in flight to the tier.
  func changeLanded(_ change: @escaping @Sendable (SharedRecord) -> SharedRecord) {
    state.withLock { $0.changesLanded = change }
  }

  /// Does something while the next answer is in flight. With `rereadsNews` the tier reads the
  /// answer's news after that, like a tier that looks for suspect records last.
  func afterNextClaim(rereadsNews: Bool = false, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      (state.afterNextClaim, state.rereadsNews) = (work, rereadsNews)
    }
  }

  /// Does something while the next mark is in flight to the tier.
  func beforeNextMark(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.beforeNextMark = work }
  }

  /// Does something while the answer to the next mark is in flight.
  func afterNextMark(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.afterNextMark = work }
  }

  /// Does something before each answer to a call for news alone; `nil` for nothing.
  func beforeNews(_ work: (@Sendable () async throws(SharedTierError) -> Void)?) {
    state.withLock { $0.beforeNews = work }
  }

  /// Does something before all pauses are ended next.
  func beforeEndOfPauses(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.beforeEndOfPauses = work }
  }

  /// Does something while the answer to the next look at pauses is in flight.
  func afterNextLookAtPauses(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.afterNextLookAtPauses = work }
  }

  /// Is the tier at another place from now on.
  func move(to address: String) { state.withLock { $0.address = address } }

  /// Lets calls for news alone wait from now on: what follows the tier hears nothing.
  func holdNews() { newsLatch.close() }

  /// Returns once what follows the tier waits there, after a word that there may be news: until they are answered it
  /// does nothing else.
  func newsAreHeld() async {
    inner.fail(with: nil)
    while newsLatch.waiting == 0 { await Task.yield() }
  }

  /// Answers them.
  func releaseNews() { newsLatch.open() }

  /// Refuses marks with an error; `nil` makes them.
  func refuseMarks(_ refusal: @escaping @Sendable ([SharedMark.Scope]) -> SharedTierError?) {
    state.withLock { $0.refusesMarks = refusal }
  }

  /// Returns once that many records have come to the end of their landing; one call may bring several.
  func landings(atLeast count: Int) async { await landings.reaches(count) }

  /// Returns once leases were given back that many times.
  func releases(atLeast count: Int) async { await releases.reaches(count) }

  /// Returns once the ends of leases were moved that many times.
  func extensions(atLeast count: Int) async { await extensions.reaches(count) }

  /// Returns once that many calls have made marks.
  func marks(atLeast count: Int) async { await marks.reaches(count) }

  /// Returns once that many questions were asked.
  func questions(atLeast count: Int) async { await questions.reaches(count) }

  // MARK: The tier

  func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
    let (work, rereadsNews) = state.withLock { state in
      state.claims.append(claims)
      defer { (state.afterNextClaim, state.rereadsNews) = (nil, false) }
      return (state.afterNextClaim, state.rereadsNews)
    }
    questions.note()
    let answer = try await inner.claim(claims, owner: owner, for: duration, since: position)
    await work?()
    guard rereadsNews else { return answer }
    return SharedAnswer(answer.value, news: try await inner.news(since: position))
  }

  func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
    let change = state.withLock { $0.changesLanded }
    var changed: [(lease: SharedLease, record: SharedRecord)] = []
    for (lease, record) in records { changed.append((lease, change(record))) }
    let answer = try await inner.land(changed, since: position)
    state.withLock { $0.landed.append(answer.value) }
    for _ in records { landings.note() }
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
    let valid = try await inner.extend(leases, for: duration)
    extensions.note()
    return valid
  }

  func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
    let first = state.withLock { state in
      defer { state.beforeNextMark = nil }
      return state.beforeNextMark
    }
    await first?()
    if let refusal = state.withLock({ $0.refusesMarks })(scopes) { throw refusal }
    let work = state.withLock { state in
      defer { state.afterNextMark = nil }
      return state.afterNextMark
    }
    let answer = try await inner.mark(scopes, reason: reason, since: position)
    marks.note()
    await work?()
    return answer
  }

  func markAll(
    reason: String, unlessAfter number: Int64
  ) async throws(SharedTierError) -> Bool {
    try await inner.markAll(reason: reason, unlessAfter: number)
  }

  func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
    do {
      try await newsLatch.pass()
    } catch {
      throw SharedTierError(.cancelled, "the test has cancelled it")
    }
    let work = state.withLock { $0.beforeNews }
    try await work?()
    return try await inner.news(since: position)
  }

  func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
    try await inner.pause(origin, pause)
  }

  func pauses(
    of origins: [String]
  ) async throws(SharedTierError) -> [String: SharedPause] {
    let work = state.withLock { state in
      defer { state.afterNextLookAtPauses = nil }
      return state.afterNextLookAtPauses
    }
    let pauses = try await inner.pauses(of: origins)
    await work?()
    return pauses
  }

  func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
    try await inner.endPauses(of: keys)
  }

  func endPauses() async throws(SharedTierError) {
    let work = state.withLock { state in
      defer { state.beforeEndOfPauses = nil }
      return state.beforeEndOfPauses
    }
    await work?()
    try await inner.endPauses()
  }

  func announcements() -> AsyncStream<Void> { inner.announcements() }

  var reach: SharedTierReach { inner.reach }

  var outages: Int { inner.outages }

  var address: String? { state.withLock { $0.address } }
}
