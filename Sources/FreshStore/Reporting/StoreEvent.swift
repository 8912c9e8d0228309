public import Strategies

/// A decision or an action of the store.
public enum StoreEvent: Sendable {
  /// The gate decided on a record.
  case decided(Decision)
  /// A fetch begins for these keys.
  case fetchBegan(collection: String, keys: [String])
  /// A fetch ended; `failure` is `nil` when it succeeded.
  case fetchEnded(
    collection: String, keys: [String], duration: Duration, failure: FetchFailure?)
  /// A fetched value could not be stored; its callers got it anyway.
  case notStored(StoreError)
  /// Another owner's lease makes the caller wait.
  case waitedForLease(collection: String, key: String, owner: String)
  /// The fleet's shared tier did not answer, or refused: the host goes on alone.
  case wentAlone(SharedTierError)
  /// Marks of the fleet were applied, or their number is not known, and everything fetched before is stale.
  case tookFleetMarks(count: Int, unknown: SharedNews.Cause?)
  /// The shared tier refused a mark that was kept for it (``Store/refusedFleetMarks()``): the other hosts do not know
  /// of it.
  case refusedFleetMark(RefusedMark)
  /// A record of the fleet was stored in place of a fetch.
  case foundInFleet(collection: String, key: String, owner: String)
  /// A sweep ended.
  case swept(SweepResult)
  /// The source accepted a local write.
  case pushed(OutboxEntry)
  /// A local write waits for another attempt.
  case deferred(OutboxEntry, until: Timestamp, reason: String)
  /// A local write was parked: it waits until it is retried or dropped on request.
  case parked(OutboxEntry, reason: String)
  /// A conflict was resolved: this write, based on the source's version, is sent in place of those.
  case rewritten(OutboxEntry, inPlaceOf: [OutboxEntry])
  /// Local writes were discarded: the source's version won, or they were dropped on request.
  case discarded([OutboxEntry])
  /// The last local write of a record was dropped, and what its source was known to hold is damaged on the disk: the
  /// record has no value until it is fetched.
  case unrestored(collection: String, key: String)
  /// A prune ended.
  case pruned(PruneResult)
}
