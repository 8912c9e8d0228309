internal import Strategies

/// The part of a read that does not depend on the type of the value.
extension Store {
  /// The record to read, and its kind.
  struct Wanted {
    let key: String
    let collection: String
    let kind: ResidentKind
  }

  /// Reads one record from the file and judges it.
  func find(_ wanted: Wanted, _ policy: Policy) throws(StoreError) -> FoundRecord {
    guard !isClosed else {
      throw StoreError(
        .closed, .read, collection: wanted.collection, key: wanted.key, path: path)
    }
    let found = try storage.database.record(of: wanted.key, in: wanted.collection)
    let decision = judge(wanted, found.row?.record, policy, now: now())
    if let row = found.row, row.record.kind == .absent {
      keep(row.record, wanted.kind, box: NoValue.shared, readUnder: found.header)
    }
    return FoundRecord(
      found.row, decision, readUnder: found.header, box: box(of: found.row, wanted))
  }

  /// The box in memory that was made from the same row, even if others have committed since.
  private func box(of row: StoredRow?, _ wanted: Wanted) -> (any AnyObject & Sendable)? {
    guard hasMemory, let row, row.record.isIntact, row.record.kind == .value else { return nil }
    switch storage.database.memory.find(wanted.key, wanted.kind) {
    case .nothing: return nil
    case .current(let resident), .outdated(let resident):
      return resident.hasValue && resident.checksum == row.record.checksum ? resident.box : nil
    }
  }

  /// Decides on a record, and on its bytes as far as that needs no decoding.
  func judge(
    _ wanted: Wanted, _ record: StoredRecord?, _ policy: Policy, now: ClockReading,
    evidence: Reachability? = nil, explains: Bool = false
  ) -> Decision {
    let question = Gate.Question(
      collection: wanted.collection, key: wanted.key,
      record: record.map { JudgedRecord($0, coveringMark: coveringMark($0)) }, evidence: evidence)
    let decision = gate.decide(question, policy: policy, now: now, explains: explains)
    switch decision.outcome {
    case .missing, .unusable: return decision
    case .absent, .fresh, .offline, .stale:
      guard let record, let obstacle = obstacle(in: record, wanted, policy) else {
        return decision
      }
      return decision.settled(.unusable, obstacle)
    }
  }

  private func coveringMark(_ record: StoredRecord) -> StoredRecord.Mark? {
    guard record.isCovered, record.mark == nil else { return nil }
    do {
      return try storage.coveringMark(of: record)
    } catch {
      // It is known to be covered; only the moment and the reason are lost.
      return nil
    }
  }

  /// The reason why a collection cannot use a record's bytes, whatever they are.
  private func obstacle(
    in record: StoredRecord, _ wanted: Wanted, _ policy: Policy
  ) -> Decision.Cause? {
    if let accepts = policy.acceptsVariant, !record.isPending, !accepts(record.content.variant) {
      return .otherVariant
    }
    guard record.kind == .value else { return nil }
    let (found, required) = (record.content.contentVersion, wanted.kind.contentVersion)
    return found == required
      ? nil : .otherVersion(found: Int(found), required: Int(required))
  }

  /// Keeps a record in memory if it is unambiguous: no mark covers it, and no local write waits.
  private func keep(
    _ record: StoredRecord, _ kind: ResidentKind, box: any AnyObject & Sendable,
    readUnder header: LogHeader?
  ) {
    guard let header, record.isIntact, record.mark == nil, !record.isCovered, !record.isPending,
      record.content.contentVersion == kind.contentVersion
    else { return }
    storage.database.memory.admit(
      Resident(record, kind, box: box), size: Int(record.content.size), readUnder: header)
  }

  /// Keeps a record in memory with its decoded value.
  @usableFromInline
  func keep(_ found: FoundRecord, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    guard let row = found.row else { return }
    keep(row.record, kind, box: box, readUnder: found.header)
  }

  /// True when found records are kept in memory.
  @usableFromInline var hasMemory: Bool { storage.database.memory.isKeeping }

  /// Reports a decision, and remembers a stale verdict.
  @usableFromInline
  func note(_ decision: Decision, _ found: FoundRecord) {
    note(decision, found.record)
  }

  func note(_ decision: Decision, _ record: StoredRecord?) {
    report(.decided(decision))
    if decision.outcome != .fresh, let record, record.isIntact, !record.isPending {
      noteStale(
        decision, row: record.row, checksum: record.checksum, isMarked: record.mark != nil)
    }
  }
}
