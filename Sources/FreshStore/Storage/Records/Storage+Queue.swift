internal import Strategies

extension Storage {
  /// The head of the refetch queue.
  func queued(
    limit: Int, perOrigin: Int, at now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> QueuePage {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(.queued, now.wall.millisecondsSinceEpoch) {
        (statement) throws(SQLiteError) in
        var page = QueuePage(moment: now.wall)
        var waiting = FairPage<QueuedRecord>(limit: limit, perOrigin: perOrigin)
        while try statement.step() {
          guard let record = QueuedRecord(row: statement, origin: origin) else { continue }
          waiting.add(record, of: FairShare(record.origin))
        }
        waiting.finish()
        (page.records, page.truncated) = (waiting.elements, waiting.truncated)
        return page
      }
    }
  }

  /// The number of rows due by `moment` that are not being fetched.
  func countQueued(
    until moment: Timestamp, at now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Int {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(
        .unleased, moment.millisecondsSinceEpoch, String?.none, Int64.max, now.boot, now.sinceBoot
      ) { (statement) throws(SQLiteError) in
        var count = 0
        while try statement.step() {
          if QueuedRecord(row: statement, origin: origin) != nil { count += 1 }
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
      try connection.withStatement(.waiting, moment.millisecondsSinceEpoch) {
        (statement) throws(SQLiteError) in
        while try statement.step() {
          if let record = QueuedRecord(row: statement, origin: origin) { return record.queuedAt }
        }
        return nil
      }
    }
  }

  /// Takes the leases of rows that still wait in the queue.
  func claim(
    _ records: [QueuedRecord], owner: String, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [DueRecord] {
    try database.write(.due) { (connection) throws(SQLiteError) in
      try self.claim(records, owner: owner, for: duration, now: now, connection)
    }
  }

  /// Takes the leases of up to `limit` rows at the head of the queue, without the ones that another owner is
  /// fetching.
  func claim(
    first limit: Int, of collection: String?, owner: String, for duration: Duration,
    now: ClockReading
  ) throws(StoreError) -> [DueRecord] {
    try database.write(.due) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      let records = try connection.rows(
        .unleased, now.wall.millisecondsSinceEpoch, collection, Int64(limit), now.boot,
        now.sinceBoot
      ) { statement in QueuedRecord(row: statement, origin: { _, _ in "" }) }
      return try self.claim(
        records.compactMap(\.self), owner: owner, for: duration, now: now, connection)
    }
  }

  /// A handed-out row is due again after the lease's time, in case its owner never reports back.
  private func claim(
    _ records: [QueuedRecord], owner: String, for duration: Duration, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [DueRecord] {
    let again = moment(after: duration, from: now)
    var claimed: [DueRecord] = []
    for queued in records {
      guard let record = try dueStamps(of: queued, now: now, connection),
        case .granted(let lease) = try lease(
          queued.collection, queued.key, owner: owner, for: duration, now: now, connection)
      else { continue }
      try move(.takeQueued, queued.row, from: queued.queuedAt, to: again, connection)
      claimed.append(
        DueRecord(
          collection: queued.collection, key: queued.key, source: record.content.source,
          address: record.content.addressToAsk, deadline: record.deadline,
          failures: Int(record.failures), lease: lease, row: queued.row,
          queuedAt: queued.queuedAt, comesUpAgain: again))
    }
    return claimed
  }

  /// Gives back claimed rows. A row returns to its former place in the queue. A row that has since been stored or
  /// has failed left the place that the claim gave it, and stays.
  ///
  /// While its lease lasts no other owner can take it. So then it moves back by as much as the claim moved it, even
  /// if the clock was set since.
  func giveBack(
    _ writes: [OutboxClaim], _ records: [DueRecord], _ leases: [Lease]
  ) throws(StoreError) {
    try database.write(.due) { (connection) throws(SQLiteError) in
      for claim in writes { try self.giveBack(claim, connection) }
      for lease in leases { _ = try self.end(lease, connection) }
      for due in records {
        let isOwn = try self.end(due.lease, connection)
        guard let record = try self.stamps(of: due.row, connection),
          record.content.id == RecordID(due.collection, due.key)
        else { continue }
        if isOwn {
          let span = due.comesUpAgain.duration(since: due.queuedAt).wholeMilliseconds
          try connection.run(.moveBack, due.row, span, due.queuedAt.millisecondsSinceEpoch)
        } else {
          try self.move(.moveQueued, due.row, from: due.comesUpAgain, to: due.queuedAt, connection)
        }
        try self.log(.resumed, due.collection, due.key, toOthers: true, connection)
      }
    }
  }

  /// The row without its value, if it is still the row that was seen, in its place of the queue or further to the
  /// front.
  private func dueStamps(
    of queued: QueuedRecord, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.withStatement(.queuedStamps, queued.row, queued.queuedAt.millisecondsSinceEpoch)
    { (statement) throws(SQLiteError) in
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
    try connection.run(sql, row, place.millisecondsSinceEpoch, newPlace.millisecondsSinceEpoch)
  }

  /// The earliest moment at which a row of the refetch queue may be handed out.
  func nextDue(_ collection: String?) throws(StoreError) -> Timestamp? {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.first(.nextMoment, collection) { statement in
        statement.optionalMoment(0)
      } ?? nil
    }
  }
}

extension QueuedRecord {
  /// The row of a statement; `nil` for one without an origin.
  fileprivate init?(row: borrowing Statement, origin: OriginOfRecord) {
    let (collection, address) = (row.text(1), RecordDetails.address(in: row.optionalBytes(3)))
    guard let name = origin(collection, address) else { return nil }
    self.init(
      collection: collection, key: row.text(2), origin: name,
      queuedAt: row.moment(4), address: address, row: row.int(0))
  }
}

extension Storage {
  /// The rows with an unfinished pause after a failure; all of them, or one. Cost: one pass over
  /// the failed rows, in a snapshot, concurrent with writers; with a key one look-up.
  func pausedRecords(
    at now: ClockReading, collection: String? = nil, key: String? = nil
  ) throws(StoreError) -> [Int64] {
    try database.read(.due) { (connection) throws(SQLiteError) in
      let moment = now.wall.millisecondsSinceEpoch
      guard let collection else {
        return try connection.rows(.pausedRecords, moment) { statement in statement.int(0) }
      }
      return try connection.rows(.pausedRecord, moment, collection, key) { statement in
        statement.int(0)
      }
    }
  }

  /// Ends the pauses of rows now; returns their number. The failures stay recorded.
  func endPauses(of rows: ArraySlice<Int64>, now: ClockReading) throws(StoreError) -> Int {
    try database.write(.due, .full) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      var count = 0
      for row in rows {
        try connection.run(.endPause, row, now.wall.millisecondsSinceEpoch)
        guard connection.changes > 0 else { continue }
        count += 1
        try connection.run(.moveUp, row, now.wall.millisecondsSinceEpoch)
      }
      return count
    }
  }

  /// Lets lists that pause after a failure be followed now; returns their number.
  func endListPauses(now: ClockReading) throws(StoreError) -> Int {
    try database.write(.follow, .full, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      let now = self.present(now)
      try connection.run(.endListPauses, now.wall.millisecondsSinceEpoch)
      return connection.changes
    }
  }

  /// Lets local writes that wait for the end of a pause be sent now; returns their number.
  ///
  /// - Parameters:
  ///   - named: Whether pauses end that a source has named, too.
  ///   - origin: Answers with `nil` for writes whose pauses stay.
  func endWritePauses(
    alsoNamed named: Bool = true, where origin: OriginOfRecord? = nil, now: ClockReading
  ) throws(StoreError) -> Int {
    try database.write(.outbox, .full, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      let now = self.present(now).wall.millisecondsSinceEpoch
      let paused = try connection.rows(.pausedWrites, now, named) { row in
        (id: row.int(0), collection: row.text(1), address: row.optionalText(2))
      }
      let chosen = paused.filter { origin == nil || origin?($0.collection, $0.address) != nil }
      for write in chosen { try connection.run(.endWritePause, write.id, now) }
      return chosen.count
    }
  }

  /// Tells other processes that sources may be asked again.
  func noteEndOfPauses(
    _ collection: String?, _ key: String?, _ ended: Change.EndedPauses?
  ) throws(StoreError) {
    try database.write(.observe, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.log(.resumed, collection, key, ended: ended, connection)
    }
  }
}

extension SQL {
  private static let inQueue = """
    SELECT r.id, r.collection, r.key, r.details, r.queue_at FROM record r
    WHERE r.\(RecordFlags.isNotPending) AND r.queue_at
    """
  fileprivate static let queued = SQL(inQueue + " <= ?1 ORDER BY r.queue_at")
  fileprivate static let waiting = SQL(inQueue + " > ?1 ORDER BY r.queue_at")
  fileprivate static let unleased = SQL(
    inQueue
      + """
       <= ?1 AND (?2 IS NULL OR r.collection = ?2)
        AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.collection = r.collection AND l.key = r.key
          AND l.boot = ?4 AND l.deadline > ?5)
      ORDER BY r.queue_at LIMIT ?3
      """)
  fileprivate static let queuedStamps = SQL(
    """
    SELECT \(StoredRecord.columns) FROM \(StoredRecord.table)
    WHERE r.id = ?1 AND r.queue_at <= ?2 AND r.\(RecordFlags.isNotPending)
    """)
  fileprivate static let takeQueued = SQL(
    "UPDATE record SET queue_at = ?3 WHERE id = ?1 AND queue_at <= ?2")
  /// The row moves by the span of the claim, as the clock may have been set back since. It moves at least to its
  /// old place, as the clock may have been set forward.
  fileprivate static let moveBack = SQL(
    "UPDATE record SET queue_at = min(queue_at - ?2, ?3) WHERE id = ?1")
  /// A row that another owner has taken since stays.
  fileprivate static let moveQueued = SQL(
    """
    UPDATE record AS r SET queue_at = ?3 WHERE id = ?1 AND queue_at = ?2
      AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.collection = r.collection AND l.key = r.key)
    """)
  fileprivate static let pausedRecords = SQL("SELECT record FROM failure WHERE next_attempt > ?1")
  fileprivate static let pausedRecord = SQL(
    """
    SELECT f.record FROM failure f JOIN record r ON r.id = f.record
    WHERE r.collection = ?2 AND r.key = ?3 AND f.next_attempt > ?1
    """)
  fileprivate static let endPause = SQL(
    """
    UPDATE failure SET next_attempt = ?2, pause_named = 0
    WHERE record = ?1 AND next_attempt > ?2
    """)
  fileprivate static let moveUp = SQL(
    "UPDATE record SET queue_at = ?2 WHERE id = ?1 AND queue_at > ?2")
  fileprivate static let pausedWrites = SQL(
    """
    SELECT id, collection, address FROM outbox
    WHERE parked = 0 AND next_attempt > ?1 AND (?2 OR pause_named = 0)
    """)
  fileprivate static let endWritePause = SQL(
    "UPDATE outbox SET (next_attempt, pause_named, due_at) = (NULL, 0, ?2) WHERE id = ?1")
  fileprivate static let endListPauses = SQL(
    "UPDATE list SET due_at = ?1 WHERE failures > 0 AND due_at > ?1")
  fileprivate static let nextMoment = SQL(
    """
    SELECT r.queue_at FROM record r
    WHERE r.queue_at IS NOT NULL AND (?1 IS NULL OR r.collection = ?1)
      AND r.\(RecordFlags.isNotPending)
    ORDER BY r.queue_at LIMIT 1
    """)
}
