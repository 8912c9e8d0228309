public import FreshStore
internal import Strategies

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
  /// The records as JSON lines, which ``importer(_:)`` reads back, in the order of collection and key.
  ///
  /// An exported record has everything that its freshness depends on. A record with local writes is exported in the
  /// known state of its source, not as it is served. No other store would send those writes to the source.
  /// `localWrites(collection:)` counts them; ``backup(to:progress:)`` has them.
  ///
  /// The export reads parts of 256 records or 1 MiB. Each part has a snapshot of its own, so that even a slow export
  /// delays no checkpoint. Each exported record existed during the export, and no record that existed throughout is
  /// missing. Together the records need not have existed at one moment.
  ///
  /// The first line names the format: `{"format":"freshstore-export","version":1}`. Each other line is an object with
  /// these fields:
  ///
  /// - `collection` and `key`;
  /// - `text` (a value that is UTF-8), `base64` (any other value) or `"absent":true`;
  /// - if known, `lastUpdate` (milliseconds since 1970), `expiry` (milliseconds, or `"never"`) and `stale` (`at`,
  ///   `reason` and `explicit`);
  /// - if known, `entityTag`, `lastModified`, `source`, `address`, `contentType`, `codec`, `variant` and `metadata`;
  /// - if known, `hardEnd`, `graceWhileRevalidating` and `graceOnError` (milliseconds), and `mustRevalidate`;
  /// - if known, `contentVersion`, `fetchCost` (milliseconds), `tags`, `pinned` and `onDemand`.
  public func exporting(collection: String? = nil) -> StoreExport {
    StoreExport(store: self, collection: collection)
  }

  /// The number of local writes that their sources have not accepted yet, including parked ones. An export does not
  /// contain them. Cost: one pass over them.
  package func localWrites(collection: String? = nil) throws(StoreError) -> Int {
    try storage.countLocalWrites(collection)
  }
}

extension Storage {
  /// The position from which an export continues.
  struct ExportPosition: Sendable {
    var collection = ""
    var key = ""
  }

  /// A part of an export, read in one snapshot.
  struct ExportPart: Sendable {
    var records: [ExportedRecord] = []
    /// Records with a wrong checksum.
    var damaged: [ExportPosition] = []
    var end: ExportPosition
    var isLast = false
  }

  /// The number of rows read at once, as a long snapshot delays checkpoints.
  private static let rowsAtOnce: Int64 = 256
  private static let bytesAtOnce = 1 << 20

  /// The records after a position, in the order of collection and key, each in the known state of its source.
  ///
  /// Throws `damaged` if an export that continues after the last of them might return to it again and again.
  func export(
    _ collection: String?, after position: ExportPosition, now: ClockReading
  ) throws(StoreError) -> ExportPart {
    let part = try part(of: collection, after: position, now: now)
    let (start, end) = ((position.collection, position.key), (part.end.collection, part.end.key))
    guard part.isLast || Self.comes(start, before: end) else {
      throw StoreError(.damaged, .export, path: database.file.path)
    }
    return part
  }

  private func part(
    of collection: String?, after position: ExportPosition, now: ClockReading
  ) throws(StoreError) -> ExportPart {
    try database.read(.export) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        var part = ExportPart(end: position)
        var (rows, bytes) = (Int64(0), 0)
        try connection.withStatement(
          collection == nil ? .exportAll : .exportOne, collection ?? position.collection,
          position.key, Self.rowsAtOnce
        ) { (statement) throws(SQLiteError) in
          while bytes < Self.bytesAtOnce, try statement.step() {
            var record = StoredRecord(row: statement, extent: .whole)
            try connection.join(&record)
            rows += 1
            bytes += record.content.value?.count ?? 0
            part.end = ExportPosition(
              collection: record.content.collection, key: record.content.key)
            bytes += try self.add(record, to: &part, now: now, connection)
          }
        }
        part.isLast = rows < Self.rowsAtOnce && bytes < Self.bytesAtOnce
        return part
      }
    }
  }

  /// Adds a record; returns the number of bytes read beside the record's own.
  private func add(
    _ record: StoredRecord, to part: inout ExportPart, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    if record.isPending { return try addBase(beneath: record, to: &part, now: now, connection) }
    guard record.kind != .unfetched || !record.isIntact else { return 0 }
    guard record.isIntact else {
      part.damaged.append(part.end)
      return 0
    }
    part.records.append(
      ExportedRecord(
        record, tags: try Self.tags(of: record.row, connection), isPinned: record.isPinned,
        covering: record.isCovered
          ? try Self.invalidation(record.coveringEpoch, connection) : nil, now: now))
    return 0
  }

  /// Adds the known state of the source below a local write; returns the number of bytes of its value.
  private func addBase(
    beneath record: StoredRecord, to part: inout ExportPart, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let (collection, key) = (record.content.collection, record.content.key)
    guard let base = try Self.base(collection, key, joins: true, connection),
      base.kind != .unfetched || !base.isIntact
    else { return 0 }
    let bytes = base.content.value?.count ?? 0
    guard base.isIntact else {
      part.damaged.append(part.end)
      return bytes
    }
    let tags = try Self.baseTags(collection, key, connection).sorted(by: Self.precedes)
    let covering = try mark(
      over: collection, key, tags: tags, standing: nil, since: base.epoch, connection)
    part.records.append(
      ExportedRecord(base, tags: tags, isPinned: record.isPinned, covering: covering, now: now))
    return bytes
  }

  /// SQLite's order.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func invalidation(
    _ epoch: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark? {
    try connection.first(.exportInvalidation, epoch) {
      StoredRecord.Mark(
        at: Timestamp(millisecondsSinceEpoch: $0.int(0)), reason: $0.text(1), epoch: epoch)
    }
  }

  /// The number of local writes.
  func countLocalWrites(_ collection: String?) throws(StoreError) -> Int {
    try database.read(.export) { (connection) throws(SQLiteError) in
      try connection.first(.countLocalWrites, collection) { Int($0.int(0)) } ?? 0
    }
  }
}

extension SQL {
  private static let selectWhole =
    "SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), \(StoredRecord.value) FROM \(StoredRecord.table)"
  fileprivate static let exportAll = SQL(
    """
    \(selectWhole) WHERE (r.collection, r.key) > (?1, ?2)
    ORDER BY r.collection, r.key LIMIT ?3
    """)
  fileprivate static let exportOne = SQL(
    "\(selectWhole) WHERE r.collection = ?1 AND r.key > ?2 ORDER BY r.key LIMIT ?3")
  fileprivate static let exportInvalidation = SQL(
    "SELECT at, reason FROM invalidation WHERE epoch = ?1")
  fileprivate static let countLocalWrites = SQL(
    "SELECT count(*) FROM outbox WHERE ?1 IS NULL OR collection = ?1")
}
