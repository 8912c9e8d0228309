internal import FreshStore

/// The content of the tier, and the decisions on it.
extension InMemorySharedTier {
  struct Contents: Sendable {
    /// The number of this content, drawn when it is set up, as a database does.
    var generation = Int64.random(in: 1...(.max))
    /// The journal, which the first mark begins.
    var marks: [SharedMark] = []
    var records: [SharedKey: KeptRecord] = [:]
    var leases: [SharedKey: HeldLease] = [:]
    var origins: [String: OriginPause] = [:]
  }

  struct KeptRecord: Sendable {
    let record: SharedRecord
    let updated: Duration
    let edition: Int64
    var number: Int64
    let owner: String
  }

  /// A lease, or the pause after its failed fetch.
  struct HeldLease: Sendable {
    var fence: Int64
    var owner: String
    var number: Int64
    var until: Duration
    var granted: Duration
    var pausedUntil: Duration?
    var reason = ""
  }

  struct OriginPause: Sendable {
    let until: Duration
    let reason: String
    let made: Duration
  }

  struct State {
    var contents = Contents()
    var drawn: Int64 = 0
    var failure: SharedTierError?
    var outages = 0
    var newsLimit = 1000

    /// A moment that is later than the tier's clock by more than this is from before the clock was set back.
    static let mostSkew = Duration.seconds(5)

    mutating func draw() -> Int64 {
      drawn += 1
      return drawn
    }
  }
}

extension InMemorySharedTier.State {
  /// Makes the first mark, at which the journal begins.
  mutating func begin() {
    let beginning = SharedPosition(
      number: 1, token: draw(), generation: contents.generation)
    contents.marks = [SharedMark(position: beginning, scope: .all, reason: "the beginning")]
  }

  mutating func mark(
    _ scope: SharedMark.Scope, reason: String, after number: Int64 = 0
  ) {
    let position = SharedPosition(
      number: max(contents.end.number, number) + 1, token: draw(),
      generation: contents.generation)
    contents.marks.append(SharedMark(position: position, scope: scope, reason: reason))
  }

  func news(since position: SharedPosition?) -> SharedNews {
    contents.news(since: position, limit: newsLimit)
  }

  mutating func result(
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
  var end: SharedPosition {
    marks.last?.position ?? SharedPosition(number: 0, token: 0, generation: generation)
  }

  func isFresh(
    _ kept: InMemorySharedTier.KeptRecord, _ key: SharedKey, at now: Duration
  ) -> Bool {
    if let lifetime = kept.record.lifetime, now >= kept.updated + lifetime { return false }
    guard kept.updated <= now + InMemorySharedTier.State.mostSkew else { return false }
    guard kept.number >= marks.first?.position.number ?? 0 else { return false }
    return !marks.contains { mark in
      mark.position.number > kept.number && mark.scope.covers(key, tags: kept.record.tags)
    }
  }

  func news(since position: SharedPosition?, limit: Int) -> SharedNews {
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
