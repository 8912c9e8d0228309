public import FreshStore
internal import Platform
internal import Synchronization

/// A shared tier in memory, for the hosts of one process: the semantics of a fleet without a database.
///
/// A test can put it out of reach, and set it back to an earlier state, as a restore does. Its tokens and fences are
/// drawn in one sequence, which is never set back.
public final class InMemorySharedTier: SharedTier {
  /// Its whole content at one moment.
  public struct Snapshot: Sendable {
    let contents: Contents
  }

  private let state: Mutex<State>
  private let announced = Multicast<Void, Void>()
  private let now: @Sendable () -> Duration
  /// Its stated address.
  public let address: String?

  /// Creates an empty tier.
  ///
  /// - Parameters:
  ///   - address: The stated address. A host that keeps marks for the tier notes the address with them.
  ///   - now: The tier's own clock, which no host shares.
  public init(address: String? = nil, now: @escaping @Sendable () -> Duration) {
    self.address = address
    self.now = now
    var state = State()
    state.begin()
    self.state = Mutex(state)
  }

  // MARK: Control by a test

  /// Makes every call fail with this error; `nil` ends that. The tier is out of reach from the first call on.
  public func fail(with failure: SharedTierError?) {
    state.withLock { state in
      if failure != nil, state.failure == nil { state.outages += 1 }
      state.failure = failure
    }
    announced.send { _ in () }
  }

  /// Sets the most marks of one answer, which is 1,000 in the beginning.
  public func limitNews(to count: Int) {
    state.withLock { $0.newsLimit = max(1, count) }
  }

  /// The present state.
  public var snapshot: Snapshot { state.withLock { Snapshot(contents: $0.contents) } }

  /// Goes back to an earlier state, without its leases.
  public func restore(_ snapshot: Snapshot) {
    state.withLock { state in
      state.contents = snapshot.contents
      state.contents.leases = [:]
    }
  }

  /// Begins again without content, as a database that was set up anew. Then it is the tier of another fleet.
  public func restartEmpty() {
    state.withLock { state in
      state.contents = Contents()
      state.begin()
    }
  }

  /// Removes the marks before this number, older records that are not handed out any more, and leases and pauses that
  /// have ended.
  public func trim(before number: Int64) {
    let now = now()
    state.withLock { state in
      state.contents.leases = state.contents.leases.filter { _, held in
        held.until > now || held.pausedUntil ?? now > now
      }
      for (key, kept) in state.contents.records where kept.number < number {
        guard state.contents.isFresh(kept, key, at: now) else {
          state.contents.records[key] = nil
          continue
        }
        // A record that no mark covers is as good as one that was fetched after the newest of them.
        state.contents.records[key]?.number = number
      }
      state.contents.marks.removeAll { $0.position.number < number }
    }
  }

  private func run<Result: Sendable>(
    _ body: (inout State, Duration) -> Result
  ) throws(SharedTierError) -> Result {
    let now = now()
    return try state.withLock { state throws(SharedTierError) in
      if let failure = state.failure { throw failure }
      return body(&state, now)
    }
  }

  // MARK: The tier

  /// Finds fresh records, or takes the leases of the keys, or names their lease holders.
  public func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
    try run { state, now in
      var results: [SharedKey: SharedClaimResult] = [:]
      for claim in claims where results[claim.key] == nil {
        results[claim.key] = state.result(of: claim, owner: owner, for: duration, at: now)
      }
      return SharedAnswer(results, news: state.news(since: position))
    }
  }

  /// Stores records under their leases, which end.
  public func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
    try run { state, now in
      var landed: Set<SharedLease> = []
      for (lease, record) in records {
        guard let held = state.contents.leases[lease.key], held.fence == lease.fence else {
          continue
        }
        state.contents.leases[lease.key] = nil
        // The record may arrive long after it was sent.
        let latest = held.granted + (record.updatedAfterGrant ?? .zero)
        state.contents.records[lease.key] = KeptRecord(
          record: record, updated: min(now - record.age, latest), edition: lease.fence,
          number: held.number, owner: held.owner)
        landed.insert(lease)
      }
      return SharedAnswer(landed, news: state.news(since: position))
    }
  }

  /// Ends leases without a record.
  public func release(
    _ leases: [SharedLease], pausing: SharedPause?
  ) async throws(SharedTierError) {
    try run { state, now in
      for lease in leases where state.contents.leases[lease.key]?.fence == lease.fence {
        guard let pausing else {
          state.contents.leases[lease.key] = nil
          continue
        }
        state.contents.leases[lease.key] = HeldLease(
          fence: 0, owner: "", number: 0, until: now, granted: now,
          pausedUntil: now + pausing.duration, reason: pausing.reason)
      }
    }
  }

  /// Extends leases; returns the valid ones.
  public func extend(
    _ leases: [SharedLease], for duration: Duration
  ) async throws(SharedTierError) -> Set<SharedLease> {
    try run { state, now in
      var valid: Set<SharedLease> = []
      for lease in leases where state.contents.leases[lease.key]?.fence == lease.fence {
        state.contents.leases[lease.key]?.until = now + duration
        valid.insert(lease)
      }
      return valid
    }
  }

  /// Marks the records that the scopes cover as stale.
  public func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
    guard !scopes.isEmpty else {
      throw SharedTierError(.invalidArgument, "there is nothing to mark")
    }
    let answer = try run { state, _ in
      let first = state.contents.end.number + 1
      for scope in scopes { state.mark(scope, reason: reason) }
      return SharedAnswer(first...state.contents.end.number, news: state.news(since: position))
    }
    announced.send { _ in () }
    return answer
  }

  /// Marks all records as stale, unless such a mark has a later number than this.
  public func markAll(
    reason: String, unlessAfter number: Int64
  ) async throws(SharedTierError) -> Bool {
    let isMade = try run { state, _ in
      let isThere = state.contents.marks.contains { mark in
        mark.scope == .all && mark.position.number > number
      }
      if !isThere { state.mark(.all, reason: reason, after: number) }
      return !isThere
    }
    if isMade { announced.send { _ in () } }
    return isMade
  }

  /// The marks since a position.
  public func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
    try run { state, _ in state.news(since: position) }
  }

  /// Pauses an origin for the fleet, unless a longer pause stands; `nil` ends its pause.
  public func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
    try run { state, now in
      guard let pause else {
        state.contents.origins[origin] = nil
        return
      }
      let until = now + pause.duration
      if let standing = state.contents.origins[origin], standing.made <= now + State.mostSkew,
        standing.until >= until
      {
        return
      }
      state.contents.origins[origin] = OriginPause(until: until, reason: pause.reason, made: now)
    }
  }

  /// The pauses of origins that have not ended.
  public func pauses(
    of origins: [String]
  ) async throws(SharedTierError) -> [String: SharedPause] {
    try run { state, now in
      var pauses: [String: SharedPause] = [:]
      for origin in origins {
        guard let pause = state.contents.origins[origin], pause.until > now,
          pause.made <= now + State.mostSkew
        else { continue }
        pauses[origin] = SharedPause(pause.until - now, reason: pause.reason)
      }
      return pauses
    }
  }

  /// Ends the pauses of keys, and ends no lease.
  public func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
    try run { state, _ in
      for key in keys where state.contents.leases[key]?.fence == 0 {
        state.contents.leases[key] = nil
      }
    }
  }

  /// Ends all pauses, of keys and of origins.
  public func endPauses() async throws(SharedTierError) {
    try run { state, _ in
      state.contents.leases = state.contents.leases.filter { $0.value.fence != 0 }
      state.contents.origins = [:]
    }
  }

  /// A value at once, on every mark, and each time the tier comes back in reach.
  public func announcements() -> AsyncStream<Void> {
    announced.stream(for: (), buffering: .bufferingNewest(1), first: { _ in () })
  }

  /// Whether calls fail.
  public var reach: SharedTierReach {
    state.withLock { state in
      guard let failure = state.failure else { return SharedTierReach.reached }
      return .outOfReach(failure)
    }
  }

  /// The number of times that calls have begun to fail.
  public var outages: Int { state.withLock { $0.outages } }
}

extension SharedMark.Scope {
  /// True when a mark of this scope covers a record that was asked for before the mark.
  public func covers(_ key: SharedKey, tags: [[UInt8]]) -> Bool {
    applies(to: key, tags: tags)
  }
}
