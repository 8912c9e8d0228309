internal import Rules
public import Strategies

extension RecordCollection {
  /// Reads one record: never fetches, never waits for a writer or for the network.
  ///
  /// A stale verdict is remembered as a mark, written a moment later, off the reader's path.
  /// Cost: of a record in memory some hundred nanoseconds; of another one SELECT by key and one
  /// decoding.
  ///
  /// - Throws: `invalidKey`, or what the file answered.
  @inlinable
  public func read(_ key: String, policy: Policy? = nil) throws(StoreError) -> Reading<Value> {
    guard let hit = try hit(key, policy),
      // Residents of one kind have values of one type.
      let value = unsafe unsafeDowncast(hit.record.box, to: ValueBox<Value>.self).value
    else { return try readThrough(key, policy) }
    let copy = Copy(value, of: key, hit.record.origin, hit.decision)
    return hit.isServable ? .fresh(copy) : .stale(copy)
  }

  /// The value, when the gate lets it through: fresh, or its source provably out of reach. `nil` when
  /// it has to be fetched, or is not there. As ``read(_:policy:)``, without the words.
  ///
  /// Cost: the least of all reads; of a record in memory some hundred nanoseconds, and no allocation.
  ///
  /// - Throws: `invalidKey`, or what the file answered.
  @inlinable
  public func servableValue(_ key: String) throws(StoreError) -> Value? {
    if let resident = try served(key) {
      // Residents of one kind have values of one type.
      return unsafe unsafeDowncast(resident.box, to: ValueBox<Value>.self).value
    }
    guard case .fresh(let copy) = try read(key) else { return nil }
    return copy.value
  }

  /// Reads what is not in memory, or asks the value itself.
  @usableFromInline
  func readThrough(_ key: String, _ policy: Policy?) throws(StoreError) -> Reading<Value> {
    try examine(key, policy ?? self.policy).reading
  }

  /// Reads many records in one snapshot; every key has a reading.
  public func read(
    _ keys: [String], policy: Policy? = nil
  ) throws(StoreError) -> [String: Reading<Value>] {
    for key in keys { try check(key, .read) }
    if let twin = twin(in: keys) { throw twinError(.read, twin) }
    return try examine(keys, policy ?? self.policy).mapValues(\.reading)
  }

  /// Judges the records of a list as one: fresh only when every one is. `whenEmpty` is the verdict
  /// on an empty list, which only the caller can know.
  public func judge(
    all keys: [String], whenEmpty: Verdict, policy: Policy? = nil
  ) throws(StoreError) -> ListJudgement {
    let readings = try read(keys, policy: policy)
    for (position, key) in keys.enumerated() {
      guard let decision = readings[key]?.decision, !decision.isServable else { continue }
      return ListJudgement(decision.judgement, failedAt: position)
    }
    return keys.isEmpty
      ? ListJudgement(Judgement(Opinion(whenEmpty, .emptyList), decidedBy: nil))
      : ListJudgement(Judgement(.valid(.everyElement(count: keys.count)), decidedBy: nil))
  }

  /// Judges one record by a chain of one's own that may wait, in place of the store's; a record
  /// that is not there is invalid.
  public func judge(
    _ key: String, by chain: AsyncChain<RecordStamps>
  ) async throws(StoreError) -> Judgement {
    try check(key, .read)
    let now = store.now()
    let record = try store.storage.records(name, [key])[key]
    let stamps = record.flatMap { record in
      record.kind == .value && record.isIntact
        ? RecordStamps(name, key, JudgedRecord(record, coveringMark: nil), now: now) : nil
    }
    return await chain.judge(stamps, in: JudgementContext(now: now.wall))
  }

  /// Reads and judges; every key has an entry.
  func examine(
    _ keys: [String], _ policy: Policy
  ) throws(StoreError) -> [String: Examined<Value>] {
    guard keys.count != 1 else { return [keys[0]: try examine(keys[0], policy)] }
    guard !store.isClosed else { throw error(.closed, .read, keys.first) }
    let now = store.now()
    let records = try store.storage.records(name, keys)
    var examined: [String: Examined<Value>] = [:]
    for key in keys where examined[key] == nil {
      let one = examine(key, records[key], policy, now: now)
      examined[key] = one
      note(one)
    }
    return examined
  }

  /// Reads and judges one record, in memory where it is there.
  func examine(_ key: String, _ policy: Policy) throws(StoreError) -> Examined<Value> {
    guard !store.isClosed else { throw error(.closed, .read, key) }
    let now = store.now()
    let memory = store.storage.database.memory
    let one: Examined<Value>
    if case .current(let resident) = memory.find(key, kind) {
      one = examine(key, resident, policy, now: now)
    } else {
      // Before the row is read, so that a commit in between is noticed.
      let header = memory.header
      let record = try store.storage.records(name, [key])[key]
      one = examine(key, record, policy, now: now)
      if let header { offer(one, to: memory, readUnder: header) }
    }
    note(one)
    return one
  }

  private func note(_ one: Examined<Value>) {
    store.report(.decided(one.decision))
    if let record = one.record { store.noteStale(one.decision, record) }
  }

  /// Judges a record and decodes what may be used of it.
  func examine(
    _ key: String, _ record: StoredRecord?, _ policy: Policy, now: ClockReading,
    explains: Bool = false
  ) -> Examined<Value> {
    // A read has no use for words that are not shown.
    let evidence = explains ? reachability(policy: policy) : nil
    let judged = record.map { JudgedRecord($0, coveringMark: coveringMark($0)) }
    let question = Gate.Question(
      collection: name, key: key, record: judged, evidence: evidence)
    let decision = store.gate.decide(question, policy: policy, now: now, explains: explains)
    switch decision.outcome {
    case .absent, .missing, .unusable:
      return Examined(key: key, decision: decision, record: record, value: nil)
    case .fresh, .offline, .stale:
      guard let record else {
        return Examined(key: key, decision: decision, record: nil, value: nil)
      }
      switch usable(record, policy) {
      case .success(let value):
        return Examined(key: key, decision: decision, record: record, value: value)
      case .failure(let unusable):
        return Examined(
          key: key, decision: decision.settled(.unusable, unusable.cause), record: record,
          value: nil)
      }
    }
  }

  private func coveringMark(_ record: StoredRecord) -> StoredRecord.Mark? {
    guard record.isCovered, record.mark == nil else { return nil }
    do {
      return try store.storage.coveringMark(of: record)
    } catch {
      // That it is covered is known; only the moment and the words are lost.
      return nil
    }
  }

  private struct Unusable: Error {
    let cause: Decision.Cause
  }

  func refusesVariant(of record: StoredRecord, _ policy: Policy) -> Bool {
    guard let accepts = policy.acceptsVariant, !record.isPending else { return false }
    return !accepts(record.content.variant)
  }

  /// Why the bytes of a record are not for this collection, whatever they are.
  private func obstacle(in record: StoredRecord, _ policy: Policy) -> Decision.Cause? {
    let content = record.content
    if refusesVariant(of: record, policy) { return .otherVariant }
    guard content.contentVersion == contentVersion else {
      return .otherVersion(found: Int(content.contentVersion), required: Int(contentVersion))
    }
    guard codec.reads(content.codec) else {
      return .undecodable("written as \(content.codec), read as \(codec.identifier)")
    }
    return nil
  }

  private func usable(_ record: StoredRecord, _ policy: Policy) -> Result<Value, Unusable> {
    if let obstacle = obstacle(in: record, policy) {
      return .failure(Unusable(cause: obstacle))
    }
    do {
      let value = try codec.decode(record.content.value ?? [])
      if let refusal = admission.refusal(of: value) {
        return .failure(Unusable(cause: .refused(refusal)))
      }
      return .success(value)
    } catch {
      return .failure(Unusable(cause: .undecodable("\(error)")))
    }
  }
}

extension Decision {
  /// The decision in the terms of a chain.
  fileprivate var judgement: Judgement {
    let reason: Reason = if case .chain(let reason) = cause { reason } else { .custom("\(cause)") }
    return Judgement(
      Opinion(isServable ? .valid : .invalid, reason), decidedBy: decidedBy, trace: trace)
  }
}
