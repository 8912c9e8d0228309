internal import Strategies

extension Storage {
  /// Hands out up to `limit` rows of the refetch queue, oldest deadline first, each with its lease;
  /// rows that another owner is fetching are skipped. A handed-out row is due again after the
  /// lease's time, in case its owner never reports back.
  func due(
    _ collection: String?, limit: Int, owner: String, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [(lease: Lease, record: StoredRecord)] {
    try database.write(.due) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      let rows = try connection.withStatement(
        .due, collection, now.wall.millisecondsSinceEpoch, Int64(limit), now.boot, now.sinceBoot
      ) { (statement) throws(SQLiteError) in
        var rows: [StoredRecord] = []
        while try statement.step() {
          rows.append(StoredRecord(row: statement, extent: .whole))
        }
        return rows
      }
      var due: [(lease: Lease, record: StoredRecord)] = []
      for record in rows {
        let claim = try self.lease(
          record.content.collection, record.content.key, owner: owner, for: duration, now: now,
          connection)
        guard case .granted(let lease) = claim else { continue }
        try self.requeue(record.row, at: now.wall.advanced(by: duration), connection)
        due.append((lease, record))
      }
      return due
    }
  }

  /// Puts a handed-out row back into the queue, due at once, and ends its lease.
  func giveBack(_ lease: Lease, now: ClockReading) throws(StoreError) {
    try database.write(.due) { (connection) throws(SQLiteError) in
      guard try self.end(lease, connection),
        let record = try self.record(lease.collection, lease.key, connection)
      else { return }
      // A record marked before its expiry is due anyway.
      let now = self.moment(from: now)
      try self.requeue(record.row, at: min(record.deadline ?? now, now), connection)
      try self.log(.resumed, lease.collection, lease.key, connection)
    }
  }

  private func requeue(
    _ row: Int64, at moment: Timestamp, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.requeue, row, moment.millisecondsSinceEpoch)
  }
}

extension SQL {
  fileprivate static let due = SQL(
    """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), r.value
    FROM \(StoredRecord.table)
    WHERE r.queue_at <= ?2 AND (?1 IS NULL OR r.collection = ?1) AND r.\(RecordFlags.isNotPending)
      AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.collection = r.collection AND l.key = r.key
        AND l.boot = ?4 AND l.deadline > ?5)
    ORDER BY r.queue_at LIMIT ?3
    """)
  fileprivate static let requeue = SQL("UPDATE record SET queue_at = ?2 WHERE id = ?1")
}
