/// Something the store decided or did.
public enum StoreEvent: Sendable {
  /// The gate decided on a record.
  case decided(Decision)
  /// A fetch begins for these keys.
  case fetchBegan(collection: String, keys: [String])
  /// A fetch ended; `failure` is `nil` when it brought something.
  case fetchEnded(
    collection: String, keys: [String], duration: Duration, failure: FetchFailure?)
  /// A fetched value could not be stored; its callers got it all the same.
  case notStored(StoreError)
  /// Another owner's lease makes the caller wait.
  case waitedForLease(collection: String, key: String, owner: String)
  /// A sweep ended.
  case swept(SweepResult)
  /// A prune ended.
  case pruned(PruneResult)
}
