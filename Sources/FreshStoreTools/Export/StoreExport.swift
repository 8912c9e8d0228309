public import FreshStore

/// The records of a store as JSON lines, read in parts; see `Store.exporting(collection:)`.
public struct StoreExport: AsyncSequence, Sendable {
  /// A part of the lines.
  public struct Part: Sendable {
    /// Whole lines, each ended by LF.
    public var lines: [UInt8]
    /// Records on them.
    public var records: Int
    /// Records with a wrong checksum, as `collection/key`; they are left out.
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
    /// - Throws: `cancelled` when the task is, or the error of the file.
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
  /// The records as JSON lines, which ``importer(_:)`` reads back: everything that their freshness
  /// depends on, in the order of collection and key.
  ///
  /// A record with local writes is exported in the known state of its source, not as it is served:
  /// no other store would send those writes to the source. `localWrites(collection:)` counts
  /// them; ``backup(to:progress:)`` has them.
  ///
  /// Read in parts of 256 records or 1 MiB, each in a snapshot of its own, so that even a slow
  /// export delays no checkpoint. So each record existed during the export, and none that existed
  /// throughout is missing; together they need not have existed at one moment.
  ///
  /// The first line names the format: `{"format":"freshstore-export","version":1}`. Each other line
  /// is an object with `collection`, `key` and either `text` (a value that is UTF-8), `base64` (any
  /// other) or `"absent":true`; then, where they are known, `lastUpdate` (milliseconds since 1970),
  /// `expiry` (milliseconds, or `"never"`), `stale` (`at`, `reason` and `explicit`), `entityTag`,
  /// `lastModified`, `source`, `address`, `contentType`, `codec`, `variant`, `metadata`, `hardEnd`,
  /// `graceWhileRevalidating` and `graceOnError` (milliseconds), `mustRevalidate`,
  /// `contentVersion`, `fetchCost` (milliseconds), `tags`, `pinned` and `onDemand`.
  public func exporting(collection: String? = nil) -> StoreExport {
    StoreExport(store: self, collection: collection)
  }

  /// The number of local writes that wait for their sources to accept them, including parked ones:
  /// an export does not contain them. Cost: one pass over them.
  package func localWrites(collection: String? = nil) throws(StoreError) -> Int {
    try storage.countLocalWrites(collection)
  }
}
