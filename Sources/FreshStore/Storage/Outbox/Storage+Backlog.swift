internal import Strategies

extension Storage {
  /// Work that waits to be fetched and pushed.
  func backlog(now: ClockReading) throws(StoreError) -> Backlog {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        var backlog = Backlog()
        backlog.due = try connection.withStatement(.countWaiting) {
          (statement) throws(SQLiteError) in
          try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
          _ = try statement.step()
          return Int(statement.int(0))
        }
        backlog.nextDue = try self.nextDue(nil, connection)
        (backlog.waitingWrites, backlog.parkedWrites) = try self.outboxCounts(connection)
        backlog.nextWrite = try self.nextDueWrite(nil, now: now, connection)
        backlog.oldestWrite = try connection.withStatement(.oldestWrite) {
          (statement) throws(SQLiteError) in
          guard try statement.step() else { return nil }
          return Timestamp(millisecondsSinceEpoch: statement.int(0))
        }
        backlog.failingOrigins = try self.failingOrigins(connection)
        return backlog
      }
    }
  }

  private func failingOrigins(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Backlog.Origin] {
    try connection.withStatement(.failingOrigins) { (statement) throws(SQLiteError) in
      var origins: [Backlog.Origin] = []
      while try statement.step() {
        origins.append(
          Backlog.Origin(
            name: statement.text(0), failures: Int(statement.int(1)),
            pausedUntil: Timestamp(millisecondsSinceEpoch: statement.int(2)),
            failure: statement.text(3)))
      }
      return origins
    }
  }
}

extension SQL {
  fileprivate static let countWaiting = SQL(
    "SELECT count(*) FROM record WHERE queue_at <= ?1 AND \(RecordFlags.isNotPending)")
  fileprivate static let oldestWrite = SQL("SELECT written_at FROM outbox ORDER BY id LIMIT 1")
  fileprivate static let failingOrigins = SQL(
    """
    SELECT name, failures, open_until, failure FROM origin WHERE failures > 0 ORDER BY name
    """)
}
