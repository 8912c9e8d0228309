internal import Strategies

extension Storage {
  /// Ends the leases and claims of dead owners; false when there were none.
  @discardableResult
  func releaseDead(now: ClockReading) throws(StoreError) -> Bool {
    let owners = try database.maintain(.claim) { (connection) throws(SQLiteError) in
      try connection.withStatement(.owners) { (statement) throws(SQLiteError) in
        var owners: [String] = []
        while try statement.step() { owners.append(statement.text(0)) }
        return owners
      }
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
      try connection.withStatement(.requeueRecords) { (statement) throws(SQLiteError) in
        try statement.bind(owner, at: 1)
        try statement.bind(self.moment(from: now).millisecondsSinceEpoch, at: 2)
        try statement.run()
      }
      for sql in [SQL.endLeases, SQL.endClaims] {
        try connection.withStatement(sql) { (statement) throws(SQLiteError) in
          try statement.bind(owner, at: 1)
          try statement.run()
        }
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
