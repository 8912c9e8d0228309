public import Rules
public import Strategies

extension RecordCollection {
  /// Reads one record: never fetches, never waits for a writer or for the network.
  ///
  /// A stale verdict is stored as a mark, a moment later, off the reader's path. Cost: for a record
  /// in memory some hundred nanoseconds; for another one SELECT by key and one decoding.
  ///
  /// - Throws: `invalidKey`, or the error of the file.
  @inlinable
  public func read(_ key: String, policy: Policy? = nil) throws(StoreError) -> Reading<Value> {
    guard let hit = hit(key, policy) else { return try readThrough(key, policy) }
    guard hit.hasValue else {
      store.note(hit)
      return .missing(hit.decision)
    }
    // Residents of one kind have values of one type.
    let value = unsafe unsafeDowncast(hit.box, to: ValueBox<Value>.self).value
    guard isPlain || refusal(of: value) == nil else { return try readThrough(key, policy) }
    store.note(hit)
    return reading(Copy(value, of: key, hit.origin, hit.decision))
  }

  /// The value, when the gate serves it: it is fresh, or its source is provably unreachable. `nil` when it must be
  /// fetched, or does not exist.
  ///
  /// This is ``read(_:policy:)-(String,_)`` without the explanation.
  ///
  /// Cost: the least of all reads; for a record in memory some hundred nanoseconds, and no allocation.
  ///
  /// - Throws: `invalidKey`, or the error of the file.
  @inlinable
  public func servableValue(_ key: String) throws(StoreError) -> Value? {
    if isPlain, let box = store.freshBox(key, kind) {
      // Residents of one kind have values of one type.
      return unsafe unsafeDowncast(box, to: ValueBox<Value>.self).value
    }
    guard case .fresh(let copy) = try read(key) else { return nil }
    return copy.value
  }

  /// Reads a record that is not in memory, or may not be served from there.
  @inlinable
  func readThrough(_ key: String, _ policy: Policy?) throws(StoreError) -> Reading<Value> {
    let found = try find(key, policy)
    guard found.hasValue else {
      store.note(found.decision, found)
      return found.decision.outcome == .unusable
        ? .unusable(found.decision) : .missing(found.decision)
    }
    do throws(UnusableValue) {
      let value = try value(of: found)
      store.note(found.decision, found)
      return reading(Copy(value, of: key, found.origin, found.decision))
    } catch {
      let decision = found.decision.settled(.unusable, error.cause)
      store.note(decision, found)
      return .unusable(decision)
    }
  }

  /// The value of a record, which is then kept in memory.
  @inlinable
  func value(of found: FoundRecord) throws(UnusableValue) -> Value {
    if let box = found.box {
      // Residents of one kind have values of one type.
      let value = unsafe unsafeDowncast(box, to: ValueBox<Value>.self).value
      try admit(value)
      store.keep(found, kind, box: box)
      return value
    }
    let value = try decode(found.bytes, writtenBy: found.codec, found.version)
    if store.hasMemory { store.keep(found, kind, box: ValueBox(value)) }
    return value
  }

  /// Decodes stored bytes, and checks the rules.
  @inlinable
  func decode(
    _ bytes: [UInt8], writtenBy name: String, _ version: Int64
  ) throws(UnusableValue) -> Value {
    let value: Value
    do {
      value = try decoded(bytes, writtenBy: name, version)
    } catch let error as ValueOfOtherFormat {
      throw UnusableValue(error.cause)
    } catch {
      throw UnusableValue(.undecodable("\(error)"))
    }
    try admit(value)
    return value
  }

  /// The value of stored bytes, of this version of the content or of one that can be migrated.
  @inlinable
  func decoded(_ bytes: [UInt8], writtenBy name: String, _ version: Int64) throws -> Value {
    if version < contentVersion, let migration { return try migration(bytes, Int(version)) }
    if let other = otherFormat(name, version) { throw other }
    return try codec.decode(bytes)
  }

  /// The format of stored bytes that this program can neither read nor migrate; `nil` for any other format.
  @inlinable
  func otherFormat(_ name: String, _ version: Int64) -> ValueOfOtherFormat? {
    if version < contentVersion, migration != nil { return nil }
    guard version == contentVersion, codec.reads(name) else {
      return ValueOfOtherFormat(
        codec: name, version: Int(version), own: codec.identifier, ownVersion: Int(contentVersion))
    }
    return nil
  }

  @inlinable
  func admit(_ value: Value) throws(UnusableValue) {
    if !isPlain, let refusal = refusal(of: value) { throw UnusableValue(.refused(refusal)) }
  }

  @inlinable
  func reading(_ copy: consuming Copy<Value>) -> Reading<Value> {
    copy.decision.isServable ? .fresh(copy) : .stale(copy)
  }

  /// The rules' objections to a value; `nil` when it passes.
  @usableFromInline
  func refusal(of value: Value) -> Report? {
    admission.refusal(of: value)
  }

  /// Reads a record from the file and judges it, before its value is decoded.
  @usableFromInline
  func find(_ key: String, _ policy: Policy?) throws(StoreError) -> FoundRecord {
    try check(key, .read)
    return try store.find(
      wanted(key), policy.map(SharedPolicy.init) ?? sharedPolicy)
  }

  /// Reads many records in one snapshot; every key has a reading.
  public func read(
    _ keys: [String], policy: Policy? = nil
  ) throws(StoreError) -> [String: Reading<Value>] {
    for key in keys { try check(key, .read) }
    if let ambiguousKey = ambiguousKey(in: keys) { throw ambiguityError(.read, ambiguousKey) }
    return try examine(keys, policy ?? self.policy).mapValues(\.reading)
  }

  /// Judges the records of a list as one: the list is fresh only when every record is. `whenEmpty` is the verdict on an
  /// empty list, which only the caller can know.
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

  /// Judges one record by a custom chain that may wait, instead of the store's; a missing record is
  /// invalid.
  public func judge(
    _ key: String, by chain: AsyncChain<RecordStamps>
  ) async throws(StoreError) -> Judgement {
    try check(key, .read)
    let now = store.now()
    let record = try store.storage.record(name, key)
    let stamps = record.flatMap { record in
      record.kind == .value && record.isIntact
        ? RecordStamps(
          name, key, JudgedRecord(store.doubted(record, at: now), coveringMark: nil), now: now)
        : nil
    }
    return await chain.judge(stamps, in: JudgementContext(now: now.wall))
  }

  /// Reads and judges records; every key has an entry.
  func examine(
    _ keys: [String], _ policy: Policy
  ) throws(StoreError) -> [String: JudgedCopy<Value>] {
    guard keys.count != 1 else { return [keys[0]: try examine(keys[0], policy)] }
    guard !store.isClosed else { throw error(.closed, .read, keys.first) }
    let now = store.now()
    let records = try store.storage.records(name, keys)
    let shared = SharedPolicy(policy)
    var examined: [String: JudgedCopy<Value>] = [:]
    for key in keys where examined[key] == nil {
      let one = examine(key, records[key], shared, now: now)
      examined[key] = one
      store.note(one.decision, one.record)
    }
    return examined
  }

  /// Reads and judges one record, and keeps it in memory; with `isNoted`, the verdict and the
  /// request are stored.
  func examine(
    _ key: String, _ policy: Policy, isNoted: Bool = true
  ) throws(StoreError) -> JudgedCopy<Value> {
    let found = try find(key, policy)
    let one = examined(key, found.record, found.decision, readUnder: found.header) {
      () throws(UnusableValue) in try value(of: found)
    }
    if isNoted { store.note(one.decision, found) }
    return one
  }

  /// Judges a record and decodes its usable value.
  func examine(
    _ key: String, _ record: StoredRecord?, _ shared: SharedPolicy, now: ClockReading,
    explains: Bool = false
  ) -> JudgedCopy<Value> {
    // A read has no use for an explanation that is not shown.
    let evidence = explains ? reachability(policy: shared.policy) : nil
    let decision = store.judge(
      wanted(key), record.map(StoredRow.init), shared, now: now, evidence: evidence,
      explains: explains)
    return examined(key, record, decision) { () throws(UnusableValue) in
      guard let content = record?.content else { throw UnusableValue(.nothingStored) }
      return try decode(content.value ?? [], writtenBy: content.codec, content.contentVersion)
    }
  }

  /// The judged record, with its value if the decision allows one.
  func examined(
    _ key: String, _ record: StoredRecord?, _ decision: Decision,
    readUnder header: LogHeader? = nil,
    _ value: () throws(UnusableValue) -> Value
  ) -> JudgedCopy<Value> {
    switch decision.outcome {
    case .absent, .missing, .unusable:
      return JudgedCopy(
        key: key, decision: decision, record: record, value: nil, readUnder: header)
    case .fresh, .offline, .stale:
      do throws(UnusableValue) {
        return JudgedCopy(key: key, decision: decision, record: record, value: try value())
      } catch {
        return JudgedCopy(
          key: key, decision: decision.settled(.unusable, error.cause), record: record, value: nil)
      }
    }
  }
}

extension Decision {
  /// The decision as a judgement of a chain.
  fileprivate var judgement: Judgement {
    let reason: Reason = if case .chain(let reason) = cause { reason } else { .custom("\(cause)") }
    return Judgement(
      Opinion(isServable ? .valid : .invalid, reason), decidedBy: decidedBy, trace: trace)
  }
}
