/// The operation that an error interrupted; the raw value follows "cannot" in messages.
public enum StoreOperation: String, Sendable, Hashable, Codable {
  /// Opening the database file.
  case open
  /// Reading records.
  case read
  /// Storing a record.
  case put
  /// Writing locally; the source is told later.
  case write
  /// Handing out, pushing and settling local writes.
  case push
  /// Listing, retrying and dropping local writes.
  case outbox = "look into the outbox"
  /// Taking the lease to fetch a record.
  case claim = "lease"
  /// Storing the result of a fetch.
  case complete = "finish fetching"
  /// Marking records stale.
  case markStale = "mark stale"
  /// Removing records.
  case remove
  /// Pinning or unpinning a record.
  case pin
  /// Sweeping for stale records.
  case sweep
  /// Pruning records.
  case prune
  /// Removing all that a user has left in the store.
  case wipe
  /// Handing out the refetch queue.
  case due = "look into the queue"
  /// Synchronizing a list with its source.
  case follow
  /// Listing records.
  case list
  /// Counting records.
  case statistics = "count records"
  /// Checking the file.
  case check
  /// Observing the commits of other stores on the file.
  case observe
  /// Closing the store.
  case close
  /// Copying the store while it is in use.
  case backup = "back up"
  /// Recovering the readable content of a damaged file.
  case recover
  /// Exporting records for another store.
  case export
  /// Importing records that a store exported.
  case `import`
}
