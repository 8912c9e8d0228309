internal import Strategies

/// Reads records in memory, independent of their values' type.
struct MemoryReader: Sendable {
  private let tier: MemoryTier
  private let database: Database
  private let gate: Gate
  private let clock: any StoreClock
  /// True where the clock is the machine's, which is read without a protocol call.
  private let readsMachine: Bool
  /// True when the age alone can settle a read, and no reporter has to be notified.
  private let settlesByAge: Bool
  private let allowedSkew: Int64

  init(_ database: Database, _ gate: Gate, _ configuration: Configuration) {
    self.database = database
    tier = database.memory
    self.gate = gate
    clock = configuration.clock
    readsMachine = configuration.clock is SystemClock
    settlesByAge = gate.settlesByAge && gate.ahead == nil && configuration.reporter == nil
    allowedSkew = max(0, gate.allowedSkew.wholeMilliseconds)
  }

  /// The box of a value that is fresh by its age alone.
  @inline(__always)
  func freshBox(_ key: String, _ kind: ResidentKind) -> (any AnyObject & Sendable)? {
    guard settlesByAge else { return nil }
    let now = bootTime
    database.lookIfDue(at: now.milliseconds)
    return tier.fresh(key, kind, at: now, allowedSkew: allowedSkew)
  }

  /// An unchanged record, and the gate's decision on it.
  func hit(_ key: String, _ kind: ResidentKind, _ policy: SharedPolicy) -> MemoryHit? {
    let now = readsMachine ? SystemClock().reading() : clock.reading()
    database.lookIfDue(at: now.sinceBoot)
    guard let found = tier.find(key, kind), found.isCurrent else { return nil }
    if let accepts = policy.policy.acceptsVariant, !accepts(found.origin?.variant) { return nil }
    let question = Gate.Question(collection: kind.name, key: key, record: found.judged)
    let decision = gate.decide(question, policy: policy, now: now)
    // The value may not be served, not even as a stale one.
    guard decision.outcome != .unusable else { return nil }
    return MemoryHit(
      box: found.box, origin: found.origin, decision: decision,
      hasValue: found.judged.kind == .value)
  }

  private var bootTime: BootTime {
    if readsMachine { return SystemClock.bootTime }
    let now = clock.reading()
    return BootTime(boot: now.boot, milliseconds: now.sinceBoot)
  }
}

extension Store {
  /// The box of a value in memory that is fresh by its age alone; `nil` when more must be checked.
  @usableFromInline
  func freshBox(_ key: String, _ kind: ResidentKind) -> (any AnyObject & Sendable)? {
    memory.freshBox(key, kind)
  }

  /// A record in memory, and the gate's decision on it.
  @usableFromInline
  func hit(_ key: String, _ kind: ResidentKind, _ policy: SharedPolicy) -> MemoryHit? {
    isClosed ? nil : memory.hit(key, kind, policy)
  }

  /// A hit that answers a get by itself: a copy that may be served, and needs no background refresh.
  @usableFromInline
  func answeringHit(
    _ key: String, _ kind: ResidentKind, _ shared: SharedPolicy
  ) -> MemoryHit? {
    switch shared.policy.mode {
    case .cacheFirst, .cacheOnly: break
    case .sourceFirst, .sourceOnly, .bypass: return nil
    }
    guard shared.policy.eagerRefresh == .never, let hit = hit(key, kind, shared), hit.hasValue,
      hit.decision.isServable
    else { return nil }
    return hit
  }

  /// Reports that a record in memory was served.
  @usableFromInline
  func note(_ hit: MemoryHit) {
    report(.decided(hit.decision))
    guard hit.decision.outcome != .fresh, let record = hit.decision.facts.record else { return }
    noteStale(hit.decision, row: record.row, checksum: record.checksum, isMarked: false)
  }
}
