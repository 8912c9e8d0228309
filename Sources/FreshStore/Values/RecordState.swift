internal import Strategies

/// The present state of one record: what a read gives, and the local write that waits.
public struct RecordState<Value: Sendable>: Sendable {
  /// What a read gives: the copy, fresh or stale, or the reason why there is none.
  public let reading: Reading<Value>
  /// The local write that is sent first; `nil` when none waits.
  ///
  /// Of several it is the oldest, as it blocks the others: it is the one that is being sent, waits
  /// for the end of a pause, or has to be retried, corrected or dropped. The ``value`` is that of the newest:
  /// where a refused write is followed by others (``waitingCount``), what it has written is not what is shown.
  public let waiting: OutboxEntry?
  /// The number of local writes that wait, ``waiting`` included.
  public let waitingCount: Int
  /// The failure of the latest look at the store, while it lasts: the rest is as the look before
  /// found it. Only an observation has one.
  public let failure: StoreError?

  /// The key.
  public var key: String { decision.key }
  /// The value of the copy, fresh or stale; `nil` when there is none that may be shown.
  public var value: Value? { reading.copy?.value }
  /// True when the value is old: there is one, and it is to be fetched again.
  public var isStale: Bool { if case .stale = reading { true } else { false } }
  /// The gate's decision.
  public var decision: Decision { reading.decision }

  init(
    _ reading: Reading<Value>, waiting: OutboxEntry? = nil, waitingCount: Int = 0,
    failure: StoreError? = nil
  ) {
    self.reading = reading
    self.waiting = waiting
    self.waitingCount = waitingCount
    self.failure = failure
  }
}

extension RecordState {
  /// The checksum of the row that the value is from; `nil` without a value.
  var checksumOfValue: Int64? {
    reading.copy == nil ? nil : decision.facts.record?.checksum
  }
}

extension RecordState: ObservedState {
  /// Compares what was found, without the values: rows with one checksum have the same value.
  func isSame(as other: RecordState) -> Bool {
    guard key.hasSameBytes(as: other.key), decision.outcome == other.decision.outcome,
      decision.decidedBy == other.decision.decidedBy, waiting == other.waiting,
      waitingCount == other.waitingCount, failure?.code == other.failure?.code
    else { return false }
    return decision.facts.record.isSame(as: other.decision.facts.record)
  }

  func failing(_ failure: StoreError) -> RecordState {
    RecordState(reading, waiting: waiting, waitingCount: waitingCount, failure: failure)
  }

  func nextChange(after now: ClockReading, by gate: Gate) -> Timestamp? {
    guard !decision.isLocalWrite, let record = decision.facts.record else { return nil }
    return gate.nextChange(of: record, decision, after: now)
  }
}

extension JudgedRecord? {
  /// True when both are one row, under the same marks and with the same failures, or both are none.
  fileprivate func isSame(as other: JudgedRecord?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    guard self.row == other.row, self.checksum == other.checksum, self.mark == other.mark else {
      return false
    }
    return self.failures == other.failures && self.failure == other.failure
      && self.nextAttempt == other.nextAttempt
  }
}
