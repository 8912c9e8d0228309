internal import Strategies

extension Storage {
  /// Ends the leases and claims of dead owners; false when there were none.
  @discardableResult
  func releaseDead(now: ClockReading) throws(StoreError) -> Bool {
    let owners = try database.maintain(.claim) { (connection) throws(SQLiteError) in
      try connection.rows(.owners) { statement in statement.text(0) }
    }
    let dead = owners.filter(ownerLock.isDead)
    for owner in dead { try release(allOf: owner, now: now) }
    return !dead.isEmpty
  }

  /// Ends the claims and leases of an owner that is certainly dead; its fetches and pushes are due
  /// at once.
  private func release(allOf owner: String, now: ClockReading) throws(StoreError) {
    try database.write(.claim) { (connection) throws(SQLiteError) in
      // Its records first: its leases identify them.
      try connection.run(.requeueRecords, owner, self.moment(from: now).millisecondsSinceEpoch)
      for sql in [SQL.endLeases, SQL.endClaims] {
        try connection.run(sql, owner)
      }
      try self.log(.resumed, nil, nil, connection)
    }
  }
}

extension SQL {
  fileprivate static let owners = SQL(
    "SELECT owner FROM lease UNION SELECT owner FROM outbox WHERE owner IS NOT NULL")
  fileprivate static let requeueRecords = SQL(
    """
    UPDATE record SET queue_at = max(?2, \(StoredRecord.endOfPause))
    WHERE queue_at > ?2 AND id IN (SELECT r.id FROM lease l
      JOIN record r ON r.collection = l.collection AND r.key = l.key WHERE l.owner = ?1)
    """)
  fileprivate static let endLeases = SQL("DELETE FROM lease WHERE owner = ?1")
  fileprivate static let endClaims = SQL(
    """
    UPDATE outbox SET owner = NULL, fence = NULL, boot = NULL, deadline = NULL WHERE owner = ?1
    """)
}
