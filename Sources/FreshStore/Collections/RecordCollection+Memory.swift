internal import Strategies

extension RecordCollection {
  /// Judges a record that is in memory and has a value. `nil` when the file has to be asked, or the
  /// value itself.
  ///
  /// What is generic is left to the caller, where it is compiled for the type of the value.
  @usableFromInline
  func hit(_ key: String, _ policy: Policy?) throws(StoreError) -> MemoryHit? {
    try check(key, .read)
    guard !store.isClosed else { throw error(.closed, .read, key) }
    guard admission.rule == nil else { return nil }
    if let policy { return hit(key, by: policy) }
    return hit(key, by: self.policy)
  }

  private func hit(_ key: String, by policy: Policy) -> MemoryHit? {
    guard policy.acceptsVariant == nil,
      case .current(let resident) = store.storage.database.memory.find(key, kind)
    else { return nil }
    let question = Gate.Question(collection: name, key: key, record: resident.judged)
    let decision = store.gate.decide(question, policy: policy, now: store.now())
    switch decision.outcome {
    case .absent, .missing, .unusable: return nil
    case .fresh: break
    case .offline, .stale: store.noteStale(decision, resident.record)
    }
    store.report(.decided(decision))
    return MemoryHit(resident, decision)
  }

  /// A record in memory whose value may be served; `nil` when more has to be asked.
  @usableFromInline
  func served(_ key: String) throws(StoreError) -> ResidentRecord? {
    try check(key, .read)
    guard !store.isClosed else { throw error(.closed, .read, key) }
    guard admission.rule == nil, policy.acceptsVariant == nil,
      store.configuration.reporter == nil,
      case .current(let resident) = store.storage.database.memory.find(key, kind),
      store.gate.serves(name, key, resident.judged, policy: policy, now: store.now())
    else { return nil }
    return resident
  }

  /// Judges a record in memory. Its value was decoded from what is in the file, and by the same codec.
  func examine(
    _ key: String, _ resident: ResidentRecord, _ policy: Policy, now: ClockReading
  ) -> Examined<Value> {
    let question = Gate.Question(collection: name, key: key, record: resident.judged)
    let decision = store.gate.decide(question, policy: policy, now: now)
    // Residents of one kind have values of one type.
    let value = unsafe unsafeDowncast(resident.box, to: ValueBox<Value>.self).value
    switch decision.outcome {
    case .absent, .missing, .unusable:
      return Examined(key: key, decision: decision, record: resident.record, value: nil)
    case .fresh, .offline, .stale:
      let cause =
        refusesVariant(of: resident.record, policy)
        ? .otherVariant : value.flatMap(admission.refusal).map(Decision.Cause.refused)
      return Examined(
        key: key, decision: cause.map { decision.settled(.unusable, $0) } ?? decision,
        record: resident.record, value: cause == nil ? value : nil)
    }
  }

  /// Has a record kept in memory that is what it seems: no mark covers it, and no local write waits.
  func offer(_ one: Examined<Value>, to memory: MemoryTier, readUnder header: LogHeader) {
    guard var record = one.record, record.isIntact, record.mark == nil, !record.isCovered,
      !record.isPending, one.value != nil || record.kind == .absent
    else { return }
    record.content.value = nil
    memory.admit(ResidentRecord(record, kind, box: ValueBox(one.value)), readUnder: header)
  }
}
