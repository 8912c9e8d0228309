internal import Strategies

extension Storage {
  /// The rows that a batch prunes until `count` rows or `bytes` bytes are found. The rows without a recent use come
  /// first, then the others; the oldest come first among both.
  struct PruneBatch: Sendable {
    var collection: String?
    /// Only rows updated by then; `nil` for all.
    var before: Timestamp?
    var count = Int.max
    var bytes = Int.max
    /// The records that were used recently.
    var used = UsedRecords.none
    /// The rows a dry run has already counted: the rows updated by then, and that many of the first others.
    var countedBefore: Timestamp?
    var counted = 0
  }

  /// A record that may be pruned, and the means to detect a later change of it.
  struct Prunable: Sendable {
    let row: Int64
    let bytes: Int
    let checksum: Int64
    /// A record of unknown age comes first.
    let age: Int64
    let isUsed: Bool

    /// Reads the first columns of a statement.
    fileprivate init(row: borrowing Statement, used: UsedRecords) {
      (self.row, bytes, checksum) = (row.int(0), Int(row.int(1)), row.int(2))
      age = row.optionalInt(3) ?? .min
      isUsed = used.contains(checksum: checksum, content: row.optionalInt(4))
    }

    static func goesBefore(_ left: Prunable, _ right: Prunable) -> Bool {
      guard left.isUsed == right.isUsed else { return right.isUsed }
      return (left.age, left.row) < (right.age, right.row)
    }
  }

  /// The rows read in one snapshot: one read of a large table would delay checkpoints.
  private static let rowsAtOnce = 2000

  /// The records of a batch in their order. Cost: reads the whole table, in parts.
  func prunable(_ batch: PruneBatch) throws(StoreError) -> [Prunable] {
    var (first, kept) = ([Prunable](), 0)
    var last: Int64? = .min
    while let start = last {
      last = try add(batch, after: start, to: &first)
      guard last == nil || first.count > 2 * kept + Self.rowsAtOnce else { continue }
      first.sort(by: Prunable.goesBefore)
      first.removeSubrange(batch.end(in: first)...)
      kept = first.count
    }
    return Array(first.dropFirst(batch.counted))
  }

  /// Adds the records of a batch in the next part of the table; returns where that ends, `nil` at
  /// the end of the table.
  private func add(
    _ batch: PruneBatch, after start: Int64, to rows: inout [Prunable]
  ) throws(StoreError) -> Int64? {
    let part = try database.read(.prune) { (connection) throws(SQLiteError) in
      try connection.withStatement(
        .prunable, batch.collection, batch.before?.millisecondsSinceEpoch ?? .max, start,
        batch.countedBefore?.millisecondsSinceEpoch, Int64(Self.rowsAtOnce)
      ) { (statement) throws(SQLiteError) in
        var (rows, seen, last) = ([Prunable](), 0, start)
        while try statement.step() {
          (seen, last) = (seen + 1, statement.int(0))
          if !statement.isNull(1) { rows.append(Prunable(row: statement, used: batch.used)) }
        }
        // In a damaged file rows may come in any order, and never end.
        return (rows: rows, end: seen < Self.rowsAtOnce || last <= start ? nil : last)
      }
    }
    rows += part.rows
    return part.end
  }

  /// Removes as many of the records as the time allows, at least one, in one write transaction.
  ///
  /// A record that was written or pinned since it was found stays. A record that is being fetched stays, too:
  /// without it, a later mark of its tags could not be matched.
  func prune(
    _ rows: ArraySlice<Prunable>, of collection: String?, within budget: Duration
  ) throws(StoreError) -> Database.Turn {
    try database.turn(.prune) { (connection, start) throws(SQLiteError) in
      var work = Database.Work()
      for row in rows {
        if work.done > 0, ContinuousClock.now - start >= budget { break }
        work.done += 1
        guard let (collection, key) = try self.stillPrunable(row, connection) else { continue }
        try self.deleteRow(row.row, connection)
        try self.beginListsAnew(with: key, in: collection, connection)
        work.changed += 1
        work.bytes += row.bytes
      }
      if work.changed > 0 { try self.log(.removed, collection, nil, connection) }
      return work
    }
  }

  private func stillPrunable(
    _ row: Prunable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (collection: String, key: String)? {
    try connection.first(.stillPrunable, row.row, row.checksum) { statement in
      (statement.text(0), statement.text(1))
    }
  }

  /// The number of rows, and their size in bytes. Read in parts: one read of a large table would
  /// delay checkpoints.
  func extent(_ collection: String?) throws(StoreError) -> (count: Int, bytes: Int) {
    var (count, bytes) = (0, 0)
    var last: Int64? = .min
    while let start = last {
      let part = try database.read(.prune) { (connection) throws(SQLiteError) in
        try connection.withStatement(.countSome, collection, start) {
          (statement) throws(SQLiteError) in
          _ = try statement.step()
          return (statement.optionalInt(0), Int(statement.int(1)), Int(statement.int(2)))
        }
      }
      // In a damaged file rows may come in any order, and never end.
      last = part.0.flatMap { $0 > start ? $0 : nil }
      count += part.1
      bytes += part.2
    }
    return (count, bytes)
  }

  /// Forgets the notes on removed, marked and answered keys for which no earlier request is open any more.
  func forgetAnsweredKeys(now: ClockReading) throws(StoreError) {
    _ = try database.turn(.prune) { (connection, _) throws(SQLiteError) in
      try self.dropDeadLeases(now: now, connection)
      try connection.run(.forgetKeys, Scope.keyNumber, Scope.answerNumber)
      return Database.Work()
    }
  }

  /// Returns up to `pages` free pages to the file system.
  func shrink(
    pages: Int, _ operation: StoreOperation
  ) throws(StoreError) -> Database.Turn {
    try database.turn(operation) { (connection, _) throws(SQLiteError) in
      let before = try connection.integer("PRAGMA page_count")
      try connection.setPragma("incremental_vacuum", to: pages)
      let freed = Int(before - (try connection.integer("PRAGMA page_count")))
      let size = Int(try connection.integer("PRAGMA page_size"))
      return Database.Work(done: freed, changed: freed, bytes: freed * size)
    }
  }

  /// Empties the log, which must have been moved before. False while it is being read or written: waiting for
  /// readers of an older state would block every writer.
  func emptyLog(_ operation: StoreOperation) throws(StoreError) -> Bool {
    try database.maintain(operation) { (connection) throws(SQLiteError) in
      try connection.checkpoint(patience: Checkpointer.patienceWithReaders)
    }
  }
}

extension Storage.PruneBatch {
  /// The end of the batch among records in order.
  fileprivate func end(in rows: [Storage.Prunable]) -> Int {
    var found = 0
    return rows.dropFirst(counted).prefix(count).prefix { row in
      defer { found += row.bytes }
      return found < bytes
    }.endIndex
  }
}

/// Room for a write in a file that has reached its limit (``Configuration/maximumSize``).
extension Storage {
  /// Removes copies that their sources can give again, as a part of the write that finds no room. If the write
  /// fails, nothing is removed.
  ///
  /// The copies that a prune by bytes would take first go first. Values that were put or written here stay. So do
  /// records that are pinned, are being fetched, or are read outside of snapshots.
  ///
  /// Cost: a pass over the table.
  ///
  /// - Parameters:
  ///   - wanted: The bytes to remove; more may be needed, as pages are shared.
  ///   - touched: The records that the write is about.
  /// - Returns: False when there is nothing, or nothing more, to remove.
  func evict(
    _ wanted: Int, besides touched: AffectedKeys?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let (found, isAll) = try evictable(wanted, besides: touched, connection)
    guard !found.isEmpty else { return false }
    for record in found {
      guard
        let id = try connection.first(
          .idOfRow, record.row, row: { RecordID($0.text(0), $0.text(1)) })
      else { continue }
      try deleteRow(record.row, connection)
      try beginListsAnew(with: id.key, in: id.collection, connection)
    }
    try removeSomeBlocks(.max, now: now, connection)
    try log(.removed, nil, nil, connection)
    return !isAll
  }

  private func evictable(
    _ wanted: Int, besides touched: AffectedKeys?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (found: [Prunable], isAll: Bool) {
    let used = database.memory.used
    let kept = Set(
      (touched?.parts ?? []).flatMap { part in
        part.keys.map { RecordID(part.collection.text, $0) }
      })
    var (found, last) = ([Prunable](), Int64.min)
    try connection.withStatement(.evictable) { (statement) throws(SQLiteError) in
      // In a damaged file rows may come in any order, and never end.
      while try statement.step(), statement.int(0) > last {
        last = statement.int(0)
        let details = statement.isNull(5) ? nil : RecordDetails(encoded: statement.bytes(5))
        guard statement.bool(6) || details?.isFromSource == true,
          kept.isEmpty || !kept.contains(RecordID(statement.text(7), statement.text(8)))
        else { continue }
        found.append(Prunable(row: statement, used: used))
      }
    }
    found.sort(by: Prunable.goesBefore)
    var bytes = 0
    let first = found.prefix { record in
      defer { bytes += record.bytes }
      return bytes < wanted
    }
    return (Array(first), first.count == found.count)
  }
}

extension SQL {
  private static let isWanted = """
    (?1 IS NULL OR collection = ?1) AND \(isLoose) AND \(isAtRest)
      AND (\(ageOfPrunable) IS NULL AND ?2 = 9223372036854775807 OR \(ageOfPrunable) <= ?2)
      AND (?4 IS NULL OR \(ageOfPrunable) IS NULL OR \(ageOfPrunable) > ?4)
    """
  /// In a fleet a mark that only this host knows goes with no record: the fleet's record may be older.
  static let isLoose = """
    flags & \(RecordFlags.pinned | RecordFlags.pending) = 0
      AND (coalesce(stale_epoch, 0) <= 0 OR stale_epoch & 1
        OR NOT EXISTS (SELECT 1 FROM fleet_state))
    """
  static let isAtRest = """
    NOT EXISTS (SELECT 1 FROM lease l WHERE l.collection = record.collection AND l.key = record.key)
    """
  /// A row that was never fetched successfully is as old as its last failure.
  static let ageOfPrunable = """
    iif(\(RecordFlags.isAnswer), last_update,
      (SELECT next_attempt FROM failure WHERE failure.record = record.id))
    """
  fileprivate static let prunable = SQL(
    """
    SELECT id, iif(\(isWanted), \(StoredRecord.footprint), NULL), checksum, \(ageOfPrunable),
      record.content
    FROM record WHERE id > ?3 ORDER BY id LIMIT ?5
    """)
  fileprivate static let stillPrunable = SQL(
    """
    SELECT collection, key FROM record WHERE id = ?1 AND checksum = ?2 AND \(isLoose)
      AND NOT \(StoredRecord.isPending) AND \(isAtRest)
    """)
  fileprivate static let forgetKeys = SQL(
    """
    DELETE FROM invalidation WHERE scope IN (?1, ?2)
      AND epoch <= coalesce((SELECT min(fence) FROM lease), epoch)
      AND epoch <= coalesce((SELECT min(epoch) FROM base), epoch)
    """)
  fileprivate static let countSome = SQL(
    """
    SELECT max(id), coalesce(sum(counts), 0), coalesce(sum(size * counts), 0) FROM (
      SELECT id, \(StoredRecord.footprint) AS size, ?1 IS NULL OR collection = ?1 AS counts
      FROM record WHERE id > ?2 ORDER BY id LIMIT 2000)
    """)
  fileprivate static let evictable = SQL(
    """
    SELECT id, \(StoredRecord.footprint), checksum, \(ageOfPrunable), record.content, details,
      NOT (\(RecordFlags.isValue)), collection, key
    FROM record WHERE \(isLoose) AND \(isAtRest) AND (record.content IS NULL OR EXISTS (
      SELECT 1 FROM content c WHERE c.id = record.content AND c.streams = 0))
    ORDER BY id
    """)
  fileprivate static let idOfRow = SQL("SELECT collection, key FROM record WHERE id = ?1")
}
