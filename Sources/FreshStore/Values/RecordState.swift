internal import Strategies

/// The present state of one record: the result of a read, and the local write that waits.
public struct RecordState<Value: Sendable>: Sendable {
  /// The result of a read: the copy, fresh or stale, or the reason why there is none.
  public let reading: Reading<Value>
  /// The local write that is sent first; `nil` when none waits.
  ///
  /// Of several it is the oldest, because it blocks the others. It is being sent, waits for the end of a pause, or has
  /// to be retried, corrected or dropped. The ``value`` is the value of the newest write: when other writes follow a
  /// refused one (``waitingCount``), the value of the refused write is not shown.
  public let waiting: OutboxEntry?
  /// The number of local writes that wait, ``waiting`` included.
  public let waitingCount: Int
  /// The failure of the latest look at the store, while it lasts; only an observation has one.
  /// The other properties are as the look before found them.
  public let failure: StoreError?

  /// The key.
  public var key: String { decision.key }
  /// The value of the copy, fresh or stale; `nil` when there is none that may be shown.
  public var value: Value? { reading.copy?.value }
  /// True when there is a value and it has to be fetched again.
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
  /// The checksum of the row of the value; `nil` without a value.
  var checksumOfValue: Int64? {
    reading.copy == nil ? nil : decision.facts.record?.checksum
  }
}

extension RecordState: ObservedState {
  /// Compares the states without their values: rows with one checksum have the same value.
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

/// The present state of the observed records of a collection, in one snapshot.
public struct CollectionState<Value: Sendable>: Sendable {
  /// The records, in order of their keys' bytes, at most as many as the limit.
  public let records: [RecordState<Value>]
  /// The failure of the latest look at the store, while it lasts.
  /// The records are then as the look before found them.
  public let failure: StoreError?

  init(_ records: [RecordState<Value>], failure: StoreError? = nil) {
    self.records = records
    self.failure = failure
  }
}

extension CollectionState: ObservedState {
  func isSame(as other: CollectionState) -> Bool {
    failure?.code == other.failure?.code && records.count == other.records.count
      && zip(records, other.records).allSatisfy { new, old in new.isSame(as: old) }
  }

  func failing(_ failure: StoreError) -> CollectionState {
    CollectionState(records, failure: failure)
  }

  func nextChange(after now: ClockReading, by gate: Gate) -> Timestamp? {
    records.lazy.compactMap { $0.nextChange(after: now, by: gate) }.min()
  }
}

/// A state that an observation shows.
protocol ObservedState: Sendable {
  /// True when an observer of the other state needs no news of this one.
  func isSame(as other: Self) -> Bool

  /// This state after a look that failed.
  func failing(_ failure: StoreError) -> Self

  /// The next moment on the wall clock at which the decisions change although nothing is committed;
  /// `nil` when there is none.
  ///
  /// - Parameter now: The time of the look, or a moment before it.
  func nextChange(after now: ClockReading, by gate: Gate) -> Timestamp?
}

/// The result of one look at the store.
struct ObservedLook<State: Sendable>: Sendable {
  /// The state; `nil` when it is the state of the last element.
  var news: State?
  /// The time since boot at which to look again if no news come until then.
  var again: Duration?
}

extension ObservedState {
  /// Looks at the store; `nil` when it is closed.
  ///
  /// - Parameters:
  ///   - last: The last element.
  ///   - initial: The state in place of a last one when the first look fails.
  static func look(
    after last: Self?, at store: Store, initial: (StoreError) -> Self,
    _ find: (Self?) throws(StoreError) -> Self
  ) -> ObservedLook<Self>? {
    let now = store.now()
    let sinceBoot = Duration.milliseconds(now.sinceBoot)
    do throws(StoreError) {
      let state = try find(last)
      let next = state.nextChange(after: now, by: store.gate)
      return ObservedLook(
        news: state.unless(last), again: next.map { sinceBoot + $0.duration(since: now.wall) })
    } catch {
      guard error.code != .closed, error.code != .forked else { return nil }
      let state = last?.failing(error) ?? initial(error)
      return ObservedLook(news: state.unless(last), again: sinceBoot + retryPause)
    }
  }

  private func unless(_ last: Self?) -> Self? {
    if let last, isSame(as: last) { nil } else { self }
  }

  /// The pause after a look that failed.
  private static var retryPause: Duration { .seconds(1) }
}
