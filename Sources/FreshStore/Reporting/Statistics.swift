package import Strategies

/// Counts of a store's content.
public struct Statistics: Sendable, Hashable, Codable {
  /// The counts of one collection.
  public struct Collection: Sendable, Hashable, Codable {
    /// The collection's name.
    public var name: String
    /// Records with a value.
    public var records: Int
    /// Records of the answer "does not exist".
    public var absent: Int
    /// Records marked stale.
    public var marked: Int
    /// Records whose expiry has passed, marked or not.
    public var expired: Int
    /// Records whose last fetch failed.
    public var failing: Int
    /// Records that are never pruned.
    public var pinned: Int
    /// Bytes of values.
    public var bytes: Int
  }

  /// By collection, in order of name.
  public var collections: [Collection]
  /// Records that wait for a refetch now.
  public var due: Int
  /// Running fetches of records, in any process.
  public var leases: Int
  /// Origins with failures.
  public var failingOrigins: Int
  /// Local writes that wait to reach their sources, including those being pushed.
  public var waitingWrites: Int
  /// Local writes that wait until they are retried or dropped on request.
  public var parkedWrites: Int
  /// Size of the database file in bytes.
  public var fileBytes: Int
  /// Size of the log in bytes.
  public var logBytes: Int
  /// Free bytes inside the database file.
  public var freeBytes: Int
  /// Bytes of long values that no record has any more. A sweep or a prune removes them.
  /// Values that clients of a gateway may still be reading are removed ten minutes after the record gave them up.
  public var leftBytes: Int
  /// Bytes of long values that are arriving, in any process.
  public var arrivingBytes: Int
}

extension Statistics {
  /// The statistics of an empty store.
  package init() {
    self.init(collections: [], QuickStatistics())
  }

  init(collections: [Collection], _ others: QuickStatistics) {
    self.init(
      collections: collections, due: others.work.due, leases: others.work.fetches,
      failingOrigins: others.work.failingOrigins.count,
      waitingWrites: others.work.waitingWrites, parkedWrites: others.work.parkedWrites,
      fileBytes: others.fileBytes, logBytes: others.logBytes, freeBytes: others.freeBytes,
      leftBytes: others.leftBytes, arrivingBytes: others.arrivingBytes)
  }
}

/// The pending work and the size of a store, at little cost.
package struct QuickStatistics: Sendable, Hashable {
  /// The work that waits; no count passes ``limit``.
  package var work = WaitingWork()
  package var fileBytes = 0
  /// Free bytes inside the database file.
  package var freeBytes = 0
  package var logBytes = 0
  /// Bytes of long values that no record has any more.
  package var leftBytes = 0
  /// Bytes of long values that are arriving.
  package var arrivingBytes = 0

  /// The limit of all counts.
  package static let limit = 100_000
}

/// The counts of some adjacent records of the file.
package struct RecordCounts: Sendable, Hashable {
  package struct Counts: Sendable, Hashable {
    /// Records with a value that has not expired and is not marked.
    package var fresh = 0
    /// Records with a value that has expired, or is marked.
    package var stale = 0
    /// Records of the answer "does not exist".
    package var absent = 0
    package var bytes = 0

    package init() {}

    package static func += (left: inout Counts, right: Counts) {
      left.fresh += right.fresh
      left.stale += right.stale
      left.absent += right.absent
      left.bytes += right.bytes
    }
  }

  package var collections: [ExactName: Counts] = [:]
  /// The next slice begins after this row.
  package var end: Int64
  package var isLast: Bool
  /// The earliest expiry of a fresh record of the slice.
  package var nextExpiry: Timestamp?
}
