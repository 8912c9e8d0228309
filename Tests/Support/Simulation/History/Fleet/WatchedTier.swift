import FreshStore
import FreshStoreTesting
import Synchronization

/// The shared tier of a history, in which one thing may be wrong on purpose: all that it makes, grants and takes is
/// noted.
final class WatchedTier: SharedTier {
  let inner: InMemorySharedTier
  let laws: FleetLaws
  private let flaw: HistoryFlaw?
  /// The record whose value is not taken.
  private let withheld: SharedKey?
  private let state = Mutex(State())

  private struct State {
    /// The records that came under ended leases, for a tier that hands them out.
    var late: [SharedKey: SharedFinding] = [:]
    var drawn: Int64 = 0
  }

  init(
    _ inner: InMemorySharedTier, _ laws: FleetLaws, withholding record: Int?, flaw: HistoryFlaw?
  ) {
    (self.inner, self.laws, self.flaw) = (inner, laws, flaw)
    withheld = record.map { laws.keys[$0] }
  }

  /// Notes where the journal begins.
  private func begin() async throws(SharedTierError) {
    if laws.end == nil { laws.begin(at: try await inner.news(since: nil).position) }
  }

  /// Notes the marks that are new in the journal.
  private func noteMarks() async throws(SharedTierError) {
    while let end = laws.end,
      case .marks(let marks, _, _) = try await inner.news(since: end), !marks.isEmpty
    {
      laws.note(made: marks)
    }
  }

  func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
    try await begin()
    let answer = try await inner.claim(claims, owner: owner, for: duration, since: position)
    var results = answer.value
    for claim in claims { results[claim.key] = flawed(results[claim.key], of: claim) }
    laws.note(claims: results, by: owner, for: duration)
    return SharedAnswer(results, news: flawed(answer.news))
  }

  private func flawed(
    _ result: SharedClaimResult?, of claim: SharedClaim
  ) -> SharedClaimResult? {
    switch (flaw, result) {
    case (.grantsTwice?, .held?):
      let fence = state.withLock { state in
        state.drawn += 1
        return -state.drawn
      }
      return .granted(
        SharedLease(key: claim.key, fence: fence, number: laws.end?.number ?? 0))
    case (.handsOutLate?, _) where !claim.asksAlways:
      let late = state.withLock { $0.late[claim.key] }
      guard let late, late.edition != claim.known else { return result }
      return .found(late)
    default: return result
    }
  }

  private func flawed(_ news: SharedNews) -> SharedNews {
    guard flaw == .hidesMarks, case .marks(_, let position, let isMore) = news else {
      return news
    }
    return .marks([], position: position, isMore: isMore)
  }

  func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
    try await begin()
    let records = records.map { landing in
      var landing = landing
      if landing.lease.key == withheld { landing.record.value = nil }
      return landing
    }
    let answer = try await inner.land(records, since: position)
    laws.note(landed: answer.value)
    if flaw == .handsOutLate {
      for (lease, record) in records where !answer.value.contains(lease) {
        let finding = SharedFinding(
          record: record, edition: lease.fence, number: lease.number, owner: "a late one")
        state.withLock { $0.late[lease.key] = finding }
      }
    }
    return answer
  }

  func release(_ leases: [SharedLease], pausing: SharedPause?) async throws(SharedTierError) {
    try await inner.release(leases, pausing: pausing)
    laws.note(released: leases)
  }

  func extend(
    _ leases: [SharedLease], for duration: Duration
  ) async throws(SharedTierError) -> Set<SharedLease> {
    let valid = try await inner.extend(leases, for: duration)
    laws.note(extended: valid, for: duration)
    return valid
  }

  func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
    try await begin()
    if flaw == .losesMarks {
      let first = (laws.end?.number ?? 0) + 1
      let news = try await inner.news(since: position)
      return SharedAnswer(first...(first + Int64(scopes.count) - 1), news: news)
    }
    let answer = try await inner.mark(scopes, reason: reason, since: position)
    try await noteMarks()
    return answer
  }

  func markAll(
    reason: String, unlessAfter number: Int64
  ) async throws(SharedTierError) -> Bool {
    try await begin()
    let isMade = try await inner.markAll(reason: reason, unlessAfter: number)
    try await noteMarks()
    return isMade
  }

  func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
    try await begin()
    let news = flawed(try await inner.news(since: position))
    guard flaw == .stepsBack, let position, position.number > 2,
      case .marks(let marks, _, _) = news, marks.isEmpty
    else { return news }
    let before = SharedPosition(
      number: position.number - 1, token: position.token, generation: position.generation)
    return .marks([], position: before, isMore: false)
  }

  func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
    try await inner.pause(origin, pause)
    laws.note(pause: pause, of: origin)
  }

  func pauses(
    of origins: [String]
  ) async throws(SharedTierError) -> [String: SharedPause] {
    let pauses = try await inner.pauses(of: origins)
    return flaw == .hidesPauses ? [:] : pauses
  }

  func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
    try await inner.endPauses(of: keys)
  }

  func endPauses() async throws(SharedTierError) {
    try await inner.endPauses()
    laws.noteEndOfPauses()
  }

  func announcements() -> AsyncStream<Void> { inner.announcements() }

  var reach: SharedTierReach { inner.reach }

  var outages: Int { inner.outages }
}
