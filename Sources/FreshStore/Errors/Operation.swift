/// What the store was doing when an error happened; the raw value follows "cannot" in messages.
public enum Operation: String, Sendable, Hashable, Codable {
  /// Opening the database file.
  case open
  /// Reading records.
  case read
  /// Storing a record.
  case put
  /// Writing locally, for the source to be told later.
  case write
  /// Handing out, pushing and settling local writes.
  case push
  /// Listing, retrying and dropping local writes.
  case outbox = "look into the outbox"
  /// Taking the lease to fetch a record.
  case claim = "lease"
  /// Storing what a fetch brought.
  case complete = "finish fetching"
  /// Marking records stale.
  case markStale = "mark stale"
  /// Removing records.
  case remove
  /// Pinning a record or letting it go.
  case pin
  /// Sweeping for stale records.
  case sweep
  /// Pruning records.
  case prune
  /// Handing out the refetch queue.
  case due = "look into the queue"
  /// Bringing a list into step with its source.
  case follow
  /// Listing records.
  case list
  /// Counting records.
  case statistics = "count records"
  /// Checking the file.
  case check
  /// Following what other stores on the file commit.
  case observe
  /// Closing the store.
  case close
  /// Copying the store while it is in use.
  case backup = "back up"
  /// Taking over what a damaged file still holds.
  case recover
  /// Writing records out for another store.
  case export
  /// Taking in records that a store wrote out.
  case `import`
}
