internal import Strategies

/// The part of a read that does not depend on the type of the value.
extension Store {
  /// The record to read, and its kind.
  struct Wanted {
    let key: String
    let kind: ResidentKind
    /// True when values of earlier versions can be read, too.
    var migrates = false

    var collection: String { kind.name }
  }

  /// Reads one record from the file and judges it.
  func find(_ wanted: Wanted, _ policy: SharedPolicy) throws(StoreError) -> FoundRecord {
    guard !isClosed else {
      throw StoreError(
        .closed, .read, collection: wanted.collection, key: wanted.key, path: path)
    }
    let found = try storage.database.record(of: wanted.key, in: wanted.collection)
    let decision = judge(wanted, found.row, policy, now: now())
    if let row = found.row, row.record.kind == .absent {
      keep(row, wanted.kind, box: NoValue.shared, readUnder: found.header)
    }
    return FoundRecord(
      found.row, decision, readUnder: found.header, box: box(of: found.row, wanted))
  }

  /// The box in memory that was made from the same row, even if others have committed since.
  func box(of row: StoredRow?, _ wanted: Wanted) -> (any AnyObject & Sendable)? {
    guard hasMemory, let row, row.record.isIntact, row.record.kind == .value else { return nil }
    guard let found = storage.database.memory.find(wanted.key, wanted.kind),
      found.judged.kind == .value, found.judged.checksum == row.record.checksum
    else { return nil }
    return found.box
  }

  /// Decides on a record, and on its bytes as far as that needs no decoding.
  func judge(
    _ wanted: Wanted, _ row: StoredRow?, _ policy: SharedPolicy, now: ClockReading,
    evidence: Reachability? = nil, explains: Bool = false
  ) -> Decision {
    let question = Gate.Question(
      collection: wanted.collection, key: wanted.key,
      record: row.map { judged($0, at: now) },
      evidence: evidence)
    let decision = gate.decide(question, policy: policy, now: now, explains: explains)
    switch decision.outcome {
    case .missing, .unusable: return decision
    case .absent, .fresh, .offline, .stale:
      guard let row, let obstacle = obstacle(in: row, wanted, policy) else { return decision }
      return decision.settled(.unusable, obstacle)
    }
  }

  private func judged(_ row: StoredRow, at now: ClockReading) -> JudgedRecord {
    let coveringMark = coveringMark(row)
    // Without a copy of the record, which costs more than the look.
    guard fleet?.behind != nil else { return JudgedRecord(row.record, coveringMark: coveringMark) }
    return JudgedRecord(doubted(row.record, at: now), coveringMark: coveringMark)
  }

  func coveringMark(_ row: StoredRow) -> StoredRecord.Mark? {
    guard row.record.isCovered, row.record.mark == nil else { return nil }
    do {
      return try storage.coveringMark(of: row.record)
    } catch {
      // It is known to be covered; only the moment and the reason are lost.
      return nil
    }
  }

  /// The reason why a collection cannot use a record's bytes, whatever they are.
  private func obstacle(
    in row: StoredRow, _ wanted: Wanted, _ shared: SharedPolicy
  ) -> Decision.Cause? {
    if let accepts = shared.policy.acceptsVariant, !row.record.isPending,
      !accepts(row.record.content.variant)
    {
      return .otherVariant
    }
    guard row.record.kind == .value else { return nil }
    let (found, required) = (row.record.content.contentVersion, wanted.kind.contentVersion)
    return found == required || wanted.migrates && found < required
      ? nil : .otherVersion(found: Int(found), required: Int(required))
  }

  /// Keeps a record in memory if it is unambiguous: no mark covers it, and no local write waits.
  func keep(
    _ row: StoredRow, _ kind: ResidentKind, box: any AnyObject & Sendable,
    readUnder header: LogHeader?
  ) {
    let memory = storage.database.memory
    // Most of these are too long for memory.
    if let blocks = row.record.content.blocks { memory.noteUse(of: blocks) }
    guard let header, row.record.isIntact, row.record.mark == nil, !row.record.isCovered,
      !row.record.isPending, row.record.content.contentVersion == kind.contentVersion
    else {
      // It counts as used, although its source is asked: it may be served stale while that is out of reach.
      return memory.noteUse(ofRow: row.record.checksum)
    }
    memory.admit(
      Resident(row, kind, box: box), size: Int(row.record.content.size), readUnder: header)
    // Looked at behind the other's back: who falls behind empties memory after that.
    if fleet?.behind != nil { memory.forget(row.record.content.key, kind) }
  }

  /// Keeps a record in memory with its decoded value.
  @usableFromInline
  func keep(_ found: FoundRecord, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    guard let row = found.row else { return }
    keep(row, kind, box: box, readUnder: found.header)
  }

  /// True when found records are kept in memory.
  @usableFromInline var hasMemory: Bool { storage.database.memory.isKeeping }

  /// Reports a decision, and remembers a stale verdict.
  @usableFromInline
  func note(_ decision: Decision, _ found: FoundRecord) {
    report(.decided(decision))
    if decision.outcome != .fresh { noteStale(decision, found.record) }
  }

  func note(_ decision: Decision, _ record: StoredRecord?) {
    report(.decided(decision))
    if decision.outcome != .fresh { noteStale(decision, record) }
  }

  private func noteStale(_ decision: Decision, _ record: StoredRecord?) {
    guard let record, record.isIntact, !record.isPending else { return }
    noteStale(decision, row: record.row, checksum: record.checksum, isMarked: record.mark != nil)
  }
}

/// A record that was read from the file, and the gate's decision on it before its value was examined.
@usableFromInline
final class FoundRecord: Sendable {
  let row: StoredRow?
  @usableFromInline let decision: Decision
  /// The header of the log's index before the record was read.
  let header: LogHeader?
  /// The ``ValueBox`` of a value that was decoded from the same row; `nil` when it must be decoded.
  @usableFromInline let box: (any AnyObject & Sendable)?

  init(
    _ row: StoredRow?, _ decision: Decision, readUnder header: LogHeader?,
    box: (any AnyObject & Sendable)?
  ) {
    self.row = row
    self.decision = decision
    self.header = header
    self.box = box
  }

  var record: StoredRecord? { row?.record }

  /// Whether there is a value that may be examined.
  @usableFromInline var hasValue: Bool {
    switch decision.outcome {
    case .absent, .missing, .unusable: false
    case .fresh, .offline, .stale: row != nil
    }
  }

  /// The stored bytes of the value, the codec that wrote them, and the version of their layout.
  @usableFromInline var bytes: [UInt8] { row?.record.content.value ?? [] }
  @usableFromInline var codec: String { row?.record.content.codec ?? "" }
  @usableFromInline var version: Int64 { row?.record.content.contentVersion ?? 0 }
  @usableFromInline var origin: CopyOrigin? { row.flatMap { CopyOrigin($0.record) } }
}

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
