internal import Strategies

extension Storage {
  /// The head of the refetch queue.
  func queued(
    limit: Int, perOrigin: Int, at now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> QueuePage {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(.queued) { (statement) throws(SQLiteError) in
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
        var page = QueuePage(moment: now.wall)
        var waiting = FairPage<QueuedRecord>(limit: limit, perOrigin: perOrigin)
        while try statement.step() {
          let collection = statement.text(1)
          let address = RecordDetails.address(in: statement.optionalBytes(3))
          guard let name = origin(collection, address) else { continue }
          waiting.add(
            QueuedRecord(
              collection: collection, key: statement.text(2), origin: name,
              queuedAt: Timestamp(millisecondsSinceEpoch: statement.int(4)),
              address: address, row: statement.int(0)), of: name)
        }
        waiting.finish()
        (page.records, page.truncated) = (waiting.elements, waiting.truncated)
        return page
      }
    }
  }

  /// The number of rows due by `moment`.
  func countQueued(
    until moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Int {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(.queued) { (statement) throws(SQLiteError) in
        try statement.bind(moment.millisecondsSinceEpoch, at: 1)
        var count = 0
        while try statement.step() {
          let address = RecordDetails.address(in: statement.optionalBytes(3))
          if origin(statement.text(1), address) != nil { count += 1 }
        }
        return count
      }
    }
  }

  /// The first due time after `moment`, past or future.
  func nextQueued(
    after moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Timestamp? {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(.waiting) { (statement) throws(SQLiteError) in
        try statement.bind(moment.millisecondsSinceEpoch, at: 1)
        while try statement.step() {
          let address = RecordDetails.address(in: statement.optionalBytes(3))
          if origin(statement.text(1), address) != nil {
            return Timestamp(millisecondsSinceEpoch: statement.int(4))
          }
        }
        return nil
      }
    }
  }

  /// Takes the leases of rows that still wait in the queue.
  func claim(
    _ records: [QueuedRecord], owner: String, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [QueueClaim] {
    try database.write(.due) { (connection) throws(SQLiteError) in
      let again = self.moment(after: duration, from: now)
      var claims: [QueueClaim] = []
      for queued in records {
        guard let record = try self.dueStamps(of: queued, now: now, connection),
          case .granted(let lease) = try self.lease(
            queued.collection, queued.key, owner: owner, for: duration, now: now, connection)
        else { continue }
        try self.move(.takeQueued, queued.row, from: queued.queuedAt, to: again, connection)
        let due = DueRecord(
          collection: queued.collection, key: queued.key, source: record.content.source,
          address: record.content.addressToAsk,
          deadline: record.deadline, failures: Int(record.failures), lease: lease)
        claims.append(
          QueueClaim(
            record: due, row: queued.row, queuedAt: queued.queuedAt, comesUpAgain: again))
      }
      return claims
    }
  }

  /// Gives back claimed rows. A row returns to its former place in the queue; one that has since
  /// been stored or has failed left the place that the claim gave it, and stays.
  func giveBack(
    _ writes: [OutboxClaim], _ records: [QueueClaim], _ leases: [Lease]
  ) throws(StoreError) {
    try database.write(.due) { (connection) throws(SQLiteError) in
      for claim in writes { try self.giveBack(claim, connection) }
      for lease in leases { _ = try self.end(lease, connection) }
      for claim in records {
        _ = try self.end(claim.record.lease, connection)
        guard let record = try self.stamps(of: claim.row, connection),
          record.content.id == RecordID(claim.record.collection, claim.record.key)
        else { continue }
        try self.move(
          .moveQueued, claim.row, from: claim.comesUpAgain, to: claim.queuedAt, connection)
        try self.log(.resumed, claim.record.collection, claim.record.key, connection)
      }
    }
  }

  /// The row without its value, if it still matches the one that was seen, in its place of the
  /// queue or further to the front.
  private func dueStamps(
    of queued: QueuedRecord, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.withStatement(.queuedStamps) { (statement) throws(SQLiteError) in
      try statement.bind(queued.row, at: 1)
      try statement.bind(queued.queuedAt.millisecondsSinceEpoch, at: 2)
      guard try statement.step() else { return nil }
      let record = StoredRecord(row: statement, extent: .stamps)
      let isSame = record.content.id == RecordID(queued.collection, queued.key)
      return isSame && record.content.addressToAsk.hasSameBytes(as: queued.address) ? record : nil
    }
  }

  private func move(
    _ sql: SQL, _ row: Int64, from place: Timestamp, to newPlace: Timestamp,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(sql) { (statement) throws(SQLiteError) in
      try statement.bind(row, at: 1)
      try statement.bind(place.millisecondsSinceEpoch, at: 2)
      try statement.bind(newPlace.millisecondsSinceEpoch, at: 3)
      try statement.run()
    }
  }
}

extension SQL {
  fileprivate static let queued = SQL(
    """
    SELECT id, collection, key, details, queue_at FROM record
    WHERE queue_at <= ?1 AND \(RecordFlags.isNotPending) ORDER BY queue_at
    """)
  fileprivate static let waiting = SQL(
    """
    SELECT id, collection, key, details, queue_at FROM record
    WHERE queue_at > ?1 AND \(RecordFlags.isNotPending) ORDER BY queue_at
    """)
  fileprivate static let queuedStamps = SQL(
    """
    SELECT \(StoredRecord.columns) FROM \(StoredRecord.table)
    WHERE r.id = ?1 AND r.queue_at <= ?2 AND r.\(RecordFlags.isNotPending)
    """)
  fileprivate static let takeQueued = SQL(
    "UPDATE record SET queue_at = ?3 WHERE id = ?1 AND queue_at <= ?2")
  fileprivate static let moveQueued = SQL(
    "UPDATE record SET queue_at = ?3 WHERE id = ?1 AND queue_at = ?2")
}
