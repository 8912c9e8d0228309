internal import FreshStore
internal import Strategies

/// Turns copied rows into a store, inside the transactions of a recovery.
extension Recovery {
  /// Drops the records with a wrong checksum; returns the number of valid ones.
  func dropDamagedRecords(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    var (intact, last) = (0, Int64.min)
    while true {
      let rows = try connection.withStatement(.readRecords, last) {
        (statement) throws(SQLiteError) in
        try Self.records(statement, connection)
      }
      guard let end = rows.last else { return intact }
      last = end.row
      intact += rows.count { $0.isIntact }
      let damaged = rows.filter { !$0.isIntact }.map(\.row)
      guard !damaged.isEmpty else { continue }
      try connection.transaction { (connection) throws(SQLiteError) in
        for row in damaged { try connection.run(.dropRecord, row) }
      }
    }
  }

  /// The next rows of a statement, without their values, which were verified.
  private static func records(
    _ statement: borrowing Statement, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoredRecord] {
    var rows: [StoredRecord] = []
    var bytes = 0
    while rows.count < 100, bytes < 1 << 20, try statement.step() {
      var row = StoredRecord(row: statement, extent: .whole)
      try connection.verifyBlocks(of: &row)
      bytes += row.content.value?.count ?? 0
      row.content.dropBytes()
      rows.append(row)
    }
    return rows
  }

  /// Rebuilds the records with local writes from those writes; returns how many of them are stale.
  ///
  /// A record whose writes are lost returns to the known state of its source. It is marked stale, as the source may
  /// have received some of the writes, or all.
  func rebuildWrites(
    _ contents: Salvage.Contents, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let pins = try pins(connection)
    let kept = Set(contents.writes.values.map { RecordID($0.collection, $0.key) })
    var orphans: [(base: StoredRecord, tags: Set<String>)] = []
    for (collection, key) in try connection.rows(.readBases, row: { ($0.text(0), $0.text(1)) })
    where !kept.contains(RecordID(collection, key)) {
      guard var base = try Storage.base(collection, key, joins: false, connection),
        base.kind != .unfetched
      else { continue }
      // A value in blocks is not moved.
      try connection.verifyBlocks(of: &base)
      guard base.isIntact else { continue }
      orphans.append((base, try Storage.baseTags(collection, key, connection)))
    }
    // A rebuilt row may get the number of a lost one.
    try connection.executeScript(
      """
      DELETE FROM record WHERE flags & \(RecordFlags.pending);
      DELETE FROM record_tag WHERE record NOT IN (SELECT id FROM record);
      DELETE FROM failure WHERE record NOT IN (SELECT id FROM record);
      DELETE FROM outbox;
      DELETE FROM base;
      DELETE FROM fleet_mark;
      """)
    for (base, tags) in orphans {
      var base = base
      base.mark = base.mark ?? .lostWrite(at: now.wall)
      // The record of its failures is not copied.
      base.isFailing = false
      let isPinned = pins[RecordID(base.content.collection, base.content.key)]
      base.isPinned = isPinned ?? base.isPinned
      base.isTagged = !tags.isEmpty
      _ = try Storage.put(base, tags: tags, queueAt: base.mark?.at, connection)
    }
    try Salvage.store(contents, at: now.wall, connection)
    for (id, isPinned) in pins where isPinned {
      let row = try connection.record(
        of: id.key, in: id.collection, isUncovered: true, joins: false)
      guard var record = row?.record else { continue }
      record.isPinned = true
      try Storage.writeFlags(of: record, connection)
    }
    return orphans.count
  }

  /// Whether the records with local writes are pinned.
  private func pins(_ connection: borrowing Connection) throws(SQLiteError) -> [RecordID: Bool] {
    let rows = try connection.rows(.readPins) {
      (RecordID($0.text(0), $0.text(1)), $0.bool(2))
    }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// Makes the tables without checksums consistent with each other.
  ///
  /// If a record may have been lost (`hasLostRecords`), the next update of each list requests the whole list: a
  /// cursor returns only later changes.
  func mend(
    _ findings: [ScavengedTable: Scavenger.Findings], hasLostRecords: Bool,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.executeScript(
      """
      UPDATE record SET sweep_at = \(StoredRecord.sweepPlaceOfRow);
      DELETE FROM list_member WHERE list NOT IN (SELECT id FROM list);
      DELETE FROM former_member WHERE list NOT IN (SELECT id FROM list);
      DELETE FROM invalidation WHERE epoch NOT BETWEEN 0 AND 9007199254740991;
      """)
    try mendBlocks(connection)
    try Storage.raiseSequence(connection)
    let areListsWhole = findings[.list]?.isWhole != false && findings[.listMember]?.isWhole != false
    if hasLostRecords || !areListsWhole {
      try connection.execute("UPDATE list SET cursor = NULL, due_at = 0")
    }
  }

  /// Keeps only the blocks that belong to a record, or to the state of its source beneath a local write. Their
  /// lengths and owners follow from those.
  private func mendBlocks(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.executeScript(
      """
      DELETE FROM content;
      INSERT OR IGNORE INTO content (id, record, size, size_check, streams)
        SELECT w.content, w.row, 0, ~0, 1
        FROM (
          SELECT content, id AS row FROM record WHERE content IS NOT NULL
          UNION ALL
          SELECT b.content, r.id FROM base b
            LEFT JOIN record r ON r.collection = b.collection AND r.key = b.key
            WHERE b.content IS NOT NULL) w;
      UPDATE content AS c SET
        size = \(StoredRecord.bytesOfBlocks), size_check = ~\(StoredRecord.bytesOfBlocks);
      DELETE FROM content_block WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = place >> 20);
      """)
  }

  /// Marks the records stale whose marks may be lost; returns their number.
  func markUncertain(
    _ findings: [ScavengedTable: Scavenger.Findings], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let isUncertain = findings[.invalidation]?.isWhole == false
    let hasLostTags = findings[.recordTag]?.isWhole == false
    var (marked, last) = (0, Int64.min)
    while true {
      let rows = try connection.withStatement(.readUncertain, last, isUncertain, hasLostTags) {
        (statement) throws(SQLiteError) in
        try Self.records(statement, connection)
      }
      guard let end = rows.last else { return marked }
      last = end.row
      for record in rows {
        try mark(record, connection)
        marked += 1
      }
    }
  }

  private func mark(
    _ record: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var record = record
    record.mark = .init(
      at: now.wall, reason: "recovered from a damaged file, parts of which are lost", epoch: 0)
    try connection.run(
      .markRecord, record.row, record.mark?.at.millisecondsSinceEpoch, record.mark?.reason,
      record.rowChecksum, record.queuePlace(record.mark?.at)?.millisecondsSinceEpoch)
  }
}

extension SQL {
  private static let readable =
    "SELECT \(StoredRecord.columns), 0, \(StoredRecord.value) FROM \(StoredRecord.table)"
  fileprivate static let readRecords = SQL(readable + " WHERE r.id > ?1 ORDER BY r.id")
  fileprivate static let dropRecord = SQL("DELETE FROM record WHERE id = ?1")
  fileprivate static let readPins = SQL(
    """
    SELECT collection, key, \(RecordFlags.isPinned) FROM record
    WHERE flags & \(RecordFlags.pending)
    """)
  fileprivate static let readBases = SQL("SELECT collection, key FROM base")
  fileprivate static let readUncertain = SQL(
    readable
      + """
       WHERE r.id > ?1 AND r.\(RecordFlags.isNotPending) AND r.\(RecordFlags.isAnswer)
        AND r.stale_at IS NULL AND (?2 OR r.\(RecordFlags.isTagged) AND (?3 OR NOT EXISTS (
          SELECT 1 FROM record_tag t WHERE t.record = r.id)))
      ORDER BY r.id
      """)
  fileprivate static let markRecord = SQL(
    """
    UPDATE record SET stale_at = ?2, stale_reason = ?3, stale_epoch = 0, sweep_at = NULL,
      queue_at = max(?5, \(StoredRecord.endOfPause)), checksum = ?4
    WHERE id = ?1
    """)
}
