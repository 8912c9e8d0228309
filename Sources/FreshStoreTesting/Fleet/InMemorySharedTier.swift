public import FreshStore
internal import Platform
internal import Synchronization

/// A shared tier in memory, for the hosts of one process: the semantics of a fleet without a database.
///
/// It can be put out of reach, and set back to an earlier state, as by a restore. Its tokens and fences are
/// drawn in one sequence, which is never set back.
public final class InMemorySharedTier: SharedTier {
  /// All that it holds at one moment.
  public struct Snapshot: Sendable {
    fileprivate var contents: Contents
  }

  fileprivate struct Contents: Sendable {
    /// As that of a database: drawn when it is set up.
    var generation = Int64.random(in: 1...(.max))
    /// The journal; the first mark is its beginning.
    var marks: [SharedMark] = []
    var records: [SharedKey: KeptRecord] = [:]
    var leases: [SharedKey: HeldLease] = [:]
    var origins: [String: OriginPause] = [:]
  }

  fileprivate struct KeptRecord: Sendable {
    let record: SharedRecord
    let updated: Duration
    let edition: Int64
    var number: Int64
    let owner: String
  }

  /// A lease, or the pause after its failed fetch.
  fileprivate struct HeldLease: Sendable {
    var fence: Int64
    var owner: String
    var number: Int64
    var until: Duration
    var granted: Duration
    var pausedUntil: Duration?
    var reason = ""
  }

  fileprivate struct OriginPause: Sendable {
    let until: Duration
    let reason: String
    let made: Duration
  }

  fileprivate struct State {
    var contents = Contents()
    var drawn: Int64 = 0
    var failure: SharedTierError?
    var outages = 0
    var newsLimit = 1000

    /// What is later than this by the tier's clock is from before that was set back.
    static let mostSkew = Duration.seconds(5)

    mutating func draw() -> Int64 {
      drawn += 1
      return drawn
    }
  }

  private let state: Mutex<State>
  private let announced = Multicast<Void, Void>()
  private let now: @Sendable () -> Duration
  /// Where it is said to be.
  public let address: String?

  /// Creates an empty tier.
  ///
  /// - Parameters:
  ///   - address: Where it is said to be; a host that keeps marks for it notes that.
  ///   - now: The tier's own clock, which no host shares.
  public init(address: String? = nil, now: @escaping @Sendable () -> Duration) {
    self.address = address
    self.now = now
    var state = State()
    state.begin()
    self.state = Mutex(state)
  }

  // MARK: What a test does to it

  /// Lets every call fail with this error, or none: it is out of reach from the first one on.
  public func fail(with failure: SharedTierError?) {
    state.withLock { state in
      if failure != nil, state.failure == nil { state.outages += 1 }
      state.failure = failure
    }
    announced.send { _ in () }
  }

  /// Sets the most marks of one answer; 1,000 in the beginning.
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

  /// Begins again with nothing, as a database that was set up anew: it is another fleet's by then.
  public func restartEmpty() {
    state.withLock { state in
      state.contents = Contents()
      state.begin()
    }
  }

  /// Removes the marks before this number, older records that are not handed out any more, and leases and pauses that
  /// are over.
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
        // What no mark covers is as good as fetched after the newest of them.
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

  /// Finds fresh records, or takes the leases of the keys, or tells who has them.
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
        // It may come long after it was sent.
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

  /// Moves the ends of leases; returns those that are still valid.
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

  /// Marks what the scopes cover as stale.
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

  /// Ends the pauses of keys, and takes nobody's lease.
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

  /// A value at once, on every mark, and whenever it comes back in reach.
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

  /// How often calls have begun to fail.
  public var outages: Int { state.withLock { $0.outages } }
}

extension InMemorySharedTier.State {
  /// Makes the first mark, at which the journal begins.
  fileprivate mutating func begin() {
    let beginning = SharedPosition(
      number: 1, token: draw(), generation: contents.generation)
    contents.marks = [SharedMark(position: beginning, scope: .all, reason: "the beginning")]
  }

  fileprivate mutating func mark(
    _ scope: SharedMark.Scope, reason: String, after number: Int64 = 0
  ) {
    let position = SharedPosition(
      number: max(contents.end.number, number) + 1, token: draw(),
      generation: contents.generation)
    contents.marks.append(SharedMark(position: position, scope: scope, reason: reason))
  }

  fileprivate func news(since position: SharedPosition?) -> SharedNews {
    contents.news(since: position, limit: newsLimit)
  }

  fileprivate mutating func result(
    of claim: SharedClaim, owner: String, for duration: Duration, at now: Duration
  ) -> SharedClaimResult? {
    let key = claim.key
    if !claim.asksAlways, let kept = contents.records[key], kept.edition != claim.known,
      contents.isFresh(kept, key, at: now)
    {
      var record = kept.record
      (record.age, record.updatedAfterGrant) = (max(.zero, now - kept.updated), nil)
      return .found(
        SharedFinding(
          record: record, edition: kept.edition, number: kept.number, owner: kept.owner))
    }
    if let held = contents.leases[key], held.granted <= now + Self.mostSkew {
      if held.until > now { return .held(by: held.owner, remaining: held.until - now) }
      if let until = held.pausedUntil, until > now, !claim.ignoresPause {
        return .paused(remaining: until - now, reason: held.reason)
      }
    }
    guard claim.takesLease else { return nil }
    let lease = SharedLease(key: key, fence: draw(), number: contents.end.number)
    contents.leases[key] = InMemorySharedTier.HeldLease(
      fence: lease.fence, owner: owner, number: lease.number, until: now + duration, granted: now)
    return .granted(lease)
  }
}

extension InMemorySharedTier.Contents {
  /// The position of the newest mark.
  fileprivate var end: SharedPosition {
    marks.last?.position ?? SharedPosition(number: 0, token: 0, generation: generation)
  }

  fileprivate func isFresh(
    _ kept: InMemorySharedTier.KeptRecord, _ key: SharedKey, at now: Duration
  ) -> Bool {
    if let lifetime = kept.record.lifetime, now >= kept.updated + lifetime { return false }
    guard kept.updated <= now + InMemorySharedTier.State.mostSkew else { return false }
    guard kept.number >= marks.first?.position.number ?? 0 else { return false }
    return !marks.contains { mark in
      mark.position.number > kept.number && mark.scope.covers(key, tags: kept.record.tags)
    }
  }

  fileprivate func news(since position: SharedPosition?, limit: Int) -> SharedNews {
    guard let position, position.generation == generation else {
      return .suspect(.new, position: end)
    }
    guard let place = marks.firstIndex(where: { $0.position == position }) else {
      let isTrimmed = position.number < marks.first?.position.number ?? 0
      return .suspect(isTrimmed ? .trimmed : .historyLost, position: end)
    }
    let missed = marks[(place + 1)...]
    let part = Array(missed.prefix(limit))
    return .marks(
      part, position: part.last?.position ?? position, isMore: missed.count > part.count)
  }
}

extension SharedMark.Scope {
  /// Whether a mark of this scope covers a record, if that was asked for before.
  public func covers(_ key: SharedKey, tags: [[UInt8]]) -> Bool {
    applies(to: key, tags: tags)
  }
}
