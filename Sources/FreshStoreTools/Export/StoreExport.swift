public import FreshStore

/// The records of a store as JSON lines, to be iterated over in parts; see
/// ``Store/exporting(collection:)``.
public struct StoreExport: AsyncSequence, Sendable {
  /// Some lines.
  public struct Part: Sendable {
    /// Whole lines, each ended by LF.
    public var lines: [UInt8]
    /// Records on them.
    public var records: Int
    /// Records whose checksum does not hold, as `collection/key`; they are left out.
    public var damagedRecords: [String]
  }

  /// Reads the parts.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let store: Store
    fileprivate let collection: String?
    fileprivate let reads = WorkQueue()
    fileprivate var position: Storage.ExportPosition?
    fileprivate var hasBegun = false

    /// The next part; `nil` when there is none.
    ///
    /// - Throws: `cancelled` when the task is, or what the file answered.
    public mutating func next() async throws(StoreError) -> Part? {
      guard hasBegun else {
        hasBegun = true
        return Part(lines: ExportedRecord.header, records: 0, damagedRecords: [])
      }
      guard let start = position else { return nil }
      guard !Task.isCancelled else {
        throw StoreError(.cancelled, .export, path: store.path)
      }
      let now = store.now()
      let part = try await reads.run { [store, collection] () throws(StoreError) in
        try store.storage.export(collection, after: start, now: now)
      }
      position = part.isLast ? nil : part.end
      return Part(
        lines: part.records.flatMap(\.line), records: part.records.count,
        damagedRecords: part.damaged.map { "\($0.collection)/\($0.key)" })
    }

    /// The next part.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StoreError) -> Part? {
      try await next()
    }
  }

  fileprivate let store: Store
  fileprivate let collection: String?

  /// Begins at the first line.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(store: store, collection: collection, position: Storage.ExportPosition())
  }
}

extension Store {
  /// The records as JSON lines, which ``importer(_:)`` takes in again: everything on which their
  /// freshness rests, in the order of collection and key.
  ///
  /// A record with local writes is exported as its source is known to hold it, not as it is served:
  /// elsewhere nobody would tell the source of those writes. ``localWrites(collection:)`` counts
  /// them; ``backup(to:progress:)`` has them.
  ///
  /// Read in parts of 256 records or 1 MiB, each in a snapshot of its own, so that however slowly it
  /// is written no checkpoint has to wait. So each record is one that stood while the export ran, and
  /// none that stood all the while is missing; together they need not have stood at one moment.
  ///
  /// The first line names the format: `{"format":"freshstore-export","version":1}`. Each other line
  /// is an object with `collection`, `key` and either `text` (a value that is UTF-8), `base64` (any
  /// other) or `"absent":true`; then, where they are known, `lastUpdate` (milliseconds since 1970),
  /// `expiry` (milliseconds, or `"never"`), `stale` (`at`, `reason` and `explicit`), `entityTag`,
  /// `lastModified`, `source`, `contentType`, `codec`, `variant`, `metadata`, `hardEnd`,
  /// `graceWhileRevalidating` and `graceOnError` (milliseconds), `mustRevalidate`,
  /// `contentVersion`, `fetchCost` (milliseconds), `tags` and `pinned`.
  public func exporting(collection: String? = nil) -> StoreExport {
    StoreExport(store: self, collection: collection)
  }

  /// How many local writes wait for their sources to accept them, parked ones included: what an
  /// export does not have. Cost: one pass over them.
  public func localWrites(collection: String? = nil) throws(StoreError) -> Int {
    try storage.countLocalWrites(collection)
  }
}
