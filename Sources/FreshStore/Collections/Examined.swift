/// One stored record as a get or a read sees it: the decision, and the value where it is usable.
struct Examined<Value: Sendable>: Sendable {
  let key: String
  let decision: Decision
  let record: StoredRecord?
  /// The value; `nil` unless the outcome is fresh, offline or stale.
  let value: Value?

  /// What a fetch is told of the copy.
  var previous: Previous<Value> {
    guard let record, let value else { return Previous(key: key) }
    return Previous(
      key: key, value: value, validators: record.content.validators,
      lastUpdate: decision.lastUpdate, variant: record.content.variant,
      metadata: record.content.metadata)
  }

  /// The copy; `nil` when there is no usable value.
  var copy: Copy<Value>? {
    guard let record, let value else { return nil }
    return Copy(value, of: key, CopyOrigin(record), decision)
  }

  var reading: Reading<Value> {
    guard let copy else {
      return decision.outcome == .unusable ? .unusable(decision) : .missing(decision)
    }
    return decision.isServable ? .fresh(copy) : .stale(copy)
  }

  /// The number of the newest invalidation known to cover the key.
  var newestInvalidation: Int64 { max(record?.mark?.epoch ?? 0, record?.coveringEpoch ?? 0) }
}
