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
  /// Bytes of long values that no record has any more: a sweep or a prune removes them, those that clients of a gateway
  /// may still be reading ten minutes after the record gave them up.
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
