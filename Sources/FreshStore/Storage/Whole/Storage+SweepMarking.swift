internal import Strategies

extension Storage {
  /// A record to be marked: in its marked form, with the means to detect a change since the
  /// verdict; or one that a sweep must examine later.
  struct Candidate: Sendable {
    fileprivate private(set) var record: StoredRecord
    fileprivate let checksum: Int64
    /// `nil` for a record that is not to be marked.
    fileprivate let queueAt: Timestamp?
    /// False for a record that is stale already, by an older mark.
    let isNewlyStale: Bool

    init(_ record: StoredRecord, _ mark: StoredRecord.Mark, queueAt: Timestamp) {
      checksum = record.rowChecksum
      isNewlyStale = record.mark == nil
      self.record = record
      self.queueAt = queueAt
      add(mark)
    }

    /// Marks it in place of the mark that it has.
    mutating func add(_ mark: StoredRecord.Mark) { record.mark = mark.replacing(record.mark) }

    /// A record put after its sweep time was set.
    init(early record: StoredRecord) {
      (self.record, checksum, isNewlyStale) = (record, record.rowChecksum, false)
      queueAt = nil
    }
  }

  /// Marks as many of the candidates as the time allows, at least one, in one write transaction. A
  /// candidate that has changed since its verdict is left alone, as its writer knew better; except
  /// one that an explicit mark still covers, which only a verdict or a note can have changed.
  func mark(
    _ candidates: ArraySlice<Candidate>, within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, start) throws(SQLiteError) in
      var work = Database.Work()
      for candidate in candidates {
        if work.done > 0, ContinuousClock.now - start >= budget { break }
        work.done += 1
        if try self.write(candidate, now, connection), candidate.isNewlyStale { work.changed += 1 }
      }
      if work.changed > 0 { try self.log(.marked, nil, nil, connection) }
      return work
    }
  }

  private func write(
    _ candidate: Candidate, _ now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let queueAt = candidate.queueAt else {
      try connection.run(
        .lookLater, candidate.record.row, candidate.checksum,
        candidate.record.sweepPlace?.millisecondsSinceEpoch)
      return false
    }
    let mark = candidate.record.mark
    try connection.withStatement(.markUnchanged) { (statement) throws(SQLiteError) in
      try statement.bind(candidate.record.row, at: 1)
      try statement.bind(mark?.at.millisecondsSinceEpoch, at: 2)
      try statement.bind(mark?.reason, at: 3)
      try statement.bind(mark?.epoch, at: 4)
      try statement.bind(candidate.record.rowChecksum, at: 5)
      let place = candidate.record.queuePlace(min(queueAt, moment(from: now)))
      try statement.bind(place?.millisecondsSinceEpoch, at: 6)
      try statement.bind(candidate.checksum, at: 7)
      try statement.run()
    }
    if connection.changes > 0 { return true }
    let (collection, key) = (candidate.record.content.collection, candidate.record.content.key)
    guard let mark, mark.epoch > 0,
      let record = try record(collection, key, joins: false, connection),
      record.epoch < mark.epoch, record.mark?.epoch ?? 0 < mark.epoch
    else { return false }
    return try markRow(collection, key, mark, connection)
  }
}

extension SQL {
  fileprivate static let lookLater = SQL(
    "UPDATE record SET sweep_at = ?3 WHERE id = ?1 AND checksum = ?2")
  /// A row whose last fetch failed waits in the queue for the end of its pause; one in the queue
  /// keeps its place. Without a place (NULL) it stays out of the queue.
  fileprivate static let markUnchanged = SQL(
    """
    UPDATE record SET stale_at = ?2, stale_reason = ?3, stale_epoch = ?4, checksum = ?5,
      sweep_at = NULL, queue_at = coalesce(queue_at, max(?6, \(StoredRecord.endOfPause)))
    WHERE id = ?1 AND checksum = ?7 AND \(RecordFlags.isNotPending)
    """)
}
