public import Strategies

/// The operation that an error interrupted; the raw value follows "cannot" in messages.
public enum StoreOperation: String, Sendable, Hashable, Codable {
  /// Opening the database file.
  case open
  /// Reading records.
  case read
  /// Storing a record.
  case put
  /// Writing locally; the write is sent to the source later.
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
  /// Removing all data of a user from the store.
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

/// The reason why a call to the shared tier failed. It never contains a password, a key or a value.
public struct SharedTierError: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Sendable, Hashable {
    /// The tier cannot be reached, or the connection to it was lost.
    case unreachable
    /// The tier did not answer within the limit.
    case slow
    /// The tier refused the user, the password, the database or the connection's settings.
    case refused
    /// The address cannot be understood.
    case invalidAddress
    /// The client library for the tier is missing or too old.
    case noLibrary
    /// The database has not been set up for a fleet.
    case noSchema
    /// A newer version has set up the database.
    case newerSchema(found: Int, supported: Int)
    /// An older version has set up the database, and it was not migrated yet.
    case olderSchema(found: Int, supported: Int)
    /// The tables of that name belong to another application.
    case foreignTables
    /// The user lacks rights on the tables.
    case noRights
    /// The database can only be read.
    case readOnly
    /// The database's disk is full.
    case full
    /// An argument is beyond the limits.
    case invalidArgument
    /// The task was cancelled.
    case cancelled
    /// The client was closed.
    case closed
    /// Any other failure.
    case other
  }

  /// The kind.
  public let code: Code
  /// The failure in words.
  public let message: String
  /// The database's own code (SQLSTATE), if it gave one.
  public let state: String?
  /// True when the operation may have taken effect despite the error.
  public var isUncertain: Bool

  /// Creates an error.
  public init(_ code: Code, _ message: String, state: String? = nil, isUncertain: Bool = false) {
    (self.code, self.message, self.state) = (code, message, state)
    self.isUncertain = isUncertain
  }
}

extension SharedTierError: CustomStringConvertible {
  /// The message, with the database's code.
  public var description: String {
    state.map { "\(message) (\($0))" } ?? message
  }
}

/// The owner of a running sweep.
public struct SweepHolder: Sendable, Hashable, Codable {
  /// The process id.
  public let process: Int32
  /// The name of the process, as the kernel shows it; empty when the kernel does not show it.
  public let name: String
  /// When the sweep began, on the wall clock.
  public let since: Timestamp
}

extension SweepHolder: CustomStringConvertible {
  /// `process 123 (freshstore), since 2026-01-02T03:04:05Z`
  public var description: String {
    "process \(process)" + (name.isEmpty ? "" : " (\(name))") + ", since \(since)"
  }
}

extension SweepHolder {
  /// The text in the lock file.
  var text: String { "\(process) \(since.millisecondsSinceEpoch) \(name)\n" }

  /// Parses the text of a lock file; `nil` when the text is incomplete.
  package init?(text: String) {
    guard text.hasSuffix("\n") else { return nil }
    let fields = text.dropLast().split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, let process = Int32(fields[0]), let since = Int64(fields[1]) else {
      return nil
    }
    self.init(
      process: process, name: String(fields[2]), since: Timestamp(millisecondsSinceEpoch: since))
  }
}
