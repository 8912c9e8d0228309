/// One stored record as a get or a read sees it: the decision, and the value if it is usable.
///
/// It is an object because it is passed on many times.
final class JudgedCopy<Value: Sendable>: Sendable {
  let key: String
  let decision: Decision
  let record: StoredRecord?
  /// The value; `nil` unless the outcome is fresh, offline or stale.
  let value: Value?
  /// The header of the log's index before the file was read; `nil` where no record is kept in memory.
  let readUnder: LogHeader?

  init(
    key: String, decision: Decision, record: StoredRecord?, value: Value?,
    readUnder: LogHeader? = nil
  ) {
    self.key = key
    self.decision = decision
    self.record = record
    self.value = value
    self.readUnder = readUnder
  }

  /// The copy that a fetch starts from. A local write is no copy, because the source does not have it.
  var previous: Previous<Value> {
    guard let record, let value, !decision.isLocalWrite else { return Previous(key: key) }
    var previous = Previous(
      key: key, value: value, validators: record.content.validators,
      lastUpdate: decision.lastUpdate, variant: record.content.variant,
      metadata: record.content.metadata)
    previous.expiry = record.content.expiry
    return previous
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

  /// The finding that there is no record under the key; `nil` when there is one, or the finding cannot be reused.
  var emptyLook: EmptyLook? {
    guard record == nil, decision.outcome == .missing else { return nil }
    return readUnder.map { EmptyLook(header: $0, decision: decision) }
  }

  /// The number of the newest invalidation known to cover the key.
  var newestInvalidation: Int64 { max(record?.mark?.epoch ?? 0, record?.coveringEpoch ?? 0) }
}

/// A stored value that may not be served.
@usableFromInline
struct UnusableValue: Error {
  @usableFromInline let cause: Decision.Cause

  @usableFromInline
  init(_ cause: Decision.Cause) {
    self.cause = cause
  }
}

/// Stored bytes of another format, or of another version of the content.
@usableFromInline
struct ValueOfOtherFormat: Error, CustomStringConvertible {
  let codec: String
  let version: Int
  let own: String
  let ownVersion: Int

  @usableFromInline
  init(codec: String, version: Int, own: String, ownVersion: Int) {
    self.codec = codec
    self.version = version
    self.own = own
    self.ownVersion = ownVersion
  }

  @usableFromInline
  var description: String {
    "it was written as \(codec) of content version \(version), not as \(own) of \(ownVersion)"
  }

  /// The reason why the value cannot be served.
  @usableFromInline
  var cause: Decision.Cause {
    version == ownVersion
      ? .undecodable("written as \(codec), read as \(own)")
      : .otherVersion(found: version, required: ownVersion)
  }
}
