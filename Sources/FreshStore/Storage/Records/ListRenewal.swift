internal import Strategies

/// Renews the copies that a list's answer vouches for, inside its transaction. The effect is that of a fetch that
/// the source answers with "not modified", at the cost of one row each.
struct ListRenewal {
  let storage: Storage
  let collection: String
  let contentVersion: Int64
  /// The number and the time of the request.
  let number: Int64
  let askedAt: Timestamp
  let now: ClockReading

  private static let batch: Int64 = 200

  /// Renews the members that an answer does not mention; returns their keys.
  ///
  /// The answer says that they have not changed since the state at its cursor. So it vouches for copies that are at
  /// least as new. These are the copies that the list brought or vouched for then, and copies that were asked for
  /// after it was stored. A copy that was asked for in between may be from before that state.
  ///
  /// Cost: every value is read, as a damaged copy must not be renewed. Values in blocks are not read: their readers
  /// find damage of these.
  func renewMembers(
    of row: Int64, since basis: Storage.ListBasis, notSeenSince walk: Int64?,
    besides mentioned: Set<ExactName>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    var renewed: [String] = []
    var last = ""
    var isDone = false
    while !isDone {
      let copies = try copies(.vouched, of: row, after: last, basis, walk, connection)
      isDone = copies.count < Self.batch
      last = copies.last?.content.key ?? last
      for copy in copies where isVouched(copy, by: basis, besides: mentioned) {
        try renew(copy, connection)
        renewed.append(copy.content.key)
      }
    }
    guard try storage.hasLocalWrites(connection) else { return renewed }
    (last, isDone) = ("", false)
    while !isDone {
      let bases = try copies(.vouchedBases, of: row, after: last, basis, walk, connection)
      isDone = bases.count < Self.batch
      last = bases.last?.content.key ?? last
      for base in bases where isVouched(base, by: basis, besides: mentioned) {
        try renewBase(base, connection)
      }
    }
    return renewed
  }

  /// The next members in the order of their keys, without their values.
  private func copies(
    _ sql: SQL, of row: Int64, after last: String, _ basis: Storage.ListBasis, _ walk: Int64?,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoredRecord] {
    let collection = collection
    return try connection.rows(
      sql, collection, row, last, number, basis.asked, basis.answered, walk ?? Int64.max,
      contentVersion, Self.batch
    ) { (statement) throws(SQLiteError) -> StoredRecord in
      let names = (collection, statement.text(StoredRecord.firstAfterJudged + 1))
      var copy = StoredRecord(row: statement, extent: .whole, of: names)
      copy.content.dropBytes()
      return copy
    }
  }

  private func isVouched(
    _ copy: StoredRecord, by basis: Storage.ListBasis, besides mentioned: Set<ExactName>
  ) -> Bool {
    guard copy.isIntact, !mentioned.contains(copy.content.key) else { return false }
    guard copy.epoch >= basis.answered else { return true }
    // A cache on the way may have answered with a value from before.
    return copy.lastUpdate(at: now).map { $0 >= basis.lastUpdate } ?? false
  }

  /// Renews one copy; a mark of many records that is younger than the request covers it still.
  func renew(_ copy: StoredRecord, _ connection: borrowing Connection) throws(SQLiteError) {
    let tags = copy.isTagged ? try Storage.tags(of: copy.row, connection) : []
    let renewed = try renewed(copy, tags: tags, connection)
    if copy.isFailing { try Storage.endFailures(of: copy.row, connection) }
    try connection.run(
      .renewRecord, renewed.row, renewed.epoch, renewed.content.lastUpdate?.millisecondsSinceEpoch,
      renewed.boot, renewed.bootStamp, renewed.mark?.at.millisecondsSinceEpoch,
      renewed.mark?.reason, renewed.mark?.epoch, renewed.rowChecksum,
      renewed.sweepPlace?.millisecondsSinceEpoch,
      renewed.queuePlace(storage.queuePlace(of: renewed.mark, now))?.millisecondsSinceEpoch)
  }

  /// Renews the known state of the source below a local write.
  func renewBase(_ base: StoredRecord, _ connection: borrowing Connection) throws(SQLiteError) {
    let tags = try Storage.baseTags(collection, base.content.key, connection)
    let renewed = try renewed(base, tags: Array(tags), connection)
    try connection.run(
      .renewBase, renewed.row, renewed.epoch, renewed.content.lastUpdate?.millisecondsSinceEpoch,
      renewed.boot, renewed.bootStamp, renewed.mark?.at.millisecondsSinceEpoch,
      renewed.mark?.reason, renewed.mark?.epoch, renewed.rowChecksum)
  }

  private func renewed(
    _ copy: StoredRecord, tags: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    var copy = copy
    copy.mark = try storage.mark(
      over: collection, copy.content.key, tags: tags, standing: nil, since: number, connection)
    copy.epoch = number
    copy.content.lastUpdate = askedAt
    (copy.boot, copy.bootStamp) = (nil, nil)
    copy.stampBoot(now)
    return copy
  }
}

extension SQL {
  /// A copy with a younger mark of its own is left to its refetch: the list itself may have set that.
  private static let isVouched = """
     AND r.epoch < ?4 AND r.epoch > coalesce(m.doubt, -1)
      AND (r.epoch = ?5 OR r.epoch >= ?6 OR (r.epoch = m.seen AND m.seen > ?5))
      AND coalesce(m.seen, 0) < ?7 AND coalesce(r.stale_epoch, 0) < ?4
      AND r.content_version = ?8
    ORDER BY m.key LIMIT ?9
    """
  // The members come first: the planner does not know that they are few.
  fileprivate static let vouched = SQL(
    """
    SELECT \(StoredRecord.columns), 0, r.value, m.key
    FROM list_member m CROSS JOIN record r ON r.collection = ?1 AND r.key = m.key
      \(StoredRecord.failures)
    WHERE m.list = ?2 AND m.key > ?3 AND r.\(RecordFlags.isNotPending) AND r.\(RecordFlags.isValue)
    """ + isVouched)
  fileprivate static let vouchedBases = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, r.value, m.key
    FROM list_member m CROSS JOIN base r ON r.collection = ?1 AND r.key = m.key
    WHERE m.list = ?2 AND m.key > ?3 AND r.\(RecordFlags.isValue)
    """ + isVouched)
  /// A place in the index of the sweep may be too early, and stays.
  fileprivate static let renewRecord = SQL(
    """
    UPDATE record SET epoch = ?2, last_update = ?3, boot = ?4, boot_stamp = ?5, stale_at = ?6,
      stale_reason = ?7, stale_epoch = ?8, checksum = ?9,
      sweep_at = iif(sweep_at <= ?10, sweep_at, ?10), queue_at = ?11
    WHERE id = ?1
    """)
  fileprivate static let renewBase = SQL(
    """
    UPDATE base SET epoch = ?2, last_update = ?3, boot = ?4, boot_stamp = ?5, stale_at = ?6,
      stale_reason = ?7, stale_epoch = ?8, checksum = ?9
    WHERE id = ?1
    """)
}
