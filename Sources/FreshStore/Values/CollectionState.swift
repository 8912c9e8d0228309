internal import Strategies

/// The present state of the observed records of a collection, in one snapshot.
public struct CollectionState<Value: Sendable>: Sendable {
  /// The records, in order of their keys' bytes; as many as the limit at most.
  public let records: [RecordState<Value>]
  /// The failure of the latest look at the store, while it lasts: the records are as the look before
  /// found them.
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
