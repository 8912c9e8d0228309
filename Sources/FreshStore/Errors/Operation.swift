/// What the store was doing when an error happened.
public enum Operation: String, Sendable, Hashable, Codable {
  /// Opening the database file.
  case open
  /// Reading records.
  case read
  /// Storing a record.
  case put
  /// Taking the lease to fetch a record.
  case claim
  /// Storing what a fetch brought.
  case complete
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
  case due
  /// Listing records.
  case list
  /// Counting records.
  case statistics
  /// Checking the file.
  case check
  /// Closing the store.
  case close
}
