internal import Rules
public import Strategies

extension RecordCollection {
  /// Reads one record: never fetches, never waits for a writer or for the network.
  ///
  /// A stale verdict is remembered as a mark, written a moment later, off the reader's path.
  /// Cost: one SELECT by key and one decoding.
  ///
  /// - Throws: `invalidKey`, or what the file answered.
  public func read(_ key: String, policy: Policy? = nil) throws(StoreError) -> Reading<Value> {
    try check(key, .read)
    let examined = try examine([key], policy ?? self.policy)
    guard let one = examined[key] else { throw error(.damaged, .read, key) }
    return one.reading
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
        ? RecordStamps(record, coveringReason: nil, now: now) : nil
    }
    return await chain.judge(stamps, in: JudgementContext(now: now.wall))
  }

  /// Reads and judges; every key has an entry.
  func examine(
    _ keys: [String], _ policy: Policy, explains: Bool = false
  ) throws(StoreError) -> [String: Examined<Value>] {
    guard !store.isClosed else { throw error(.closed, .read, keys.first) }
    let now = store.now()
    let records = try store.storage.records(name, keys)
    var examined: [String: Examined<Value>] = [:]
    for key in keys where examined[key] == nil {
      let one = examine(key, records[key], policy, now: now, explains: explains)
      examined[key] = one
      store.report(.decided(one.decision))
      if let record = one.record { store.noteStale(one.decision, record) }
    }
    return examined
  }

  /// Judges a record and decodes what may be used of it.
  func examine(
    _ key: String, _ record: StoredRecord?, _ policy: Policy, now: ClockReading,
    explains: Bool = false
  ) -> Examined<Value> {
    // A read has no use for words that are not shown.
    let evidence = explains ? reachability(policy: policy) : nil
    let question = Gate.Question(
      collection: name, key: key, record: record, coveringMark: record.flatMap(coveringMark),
      evidence: evidence)
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

  private func usable(_ record: StoredRecord, _ policy: Policy) -> Result<Value, Unusable> {
    let content = record.content
    if let accepts = policy.acceptsVariant, !record.isPending, !accepts(content.variant) {
      return .failure(Unusable(cause: .otherVariant))
    }
    guard content.contentVersion == contentVersion else {
      return .failure(
        Unusable(
          cause: .otherVersion(
            found: Int(content.contentVersion), required: Int(contentVersion))))
    }
    guard codec.reads(content.codec) else {
      return .failure(
        Unusable(
          cause: .undecodable("written as \(content.codec), read as \(codec.identifier)")))
    }
    do {
      let value = try codec.decode(content.value ?? [])
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
