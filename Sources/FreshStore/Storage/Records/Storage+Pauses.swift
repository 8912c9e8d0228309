internal import Strategies

extension Storage {
  /// A reading on the clock that the file knows; only for a write, which keeps time before anything
  /// else. All scheduled moments are stamped by this alone: a moment of the clock from before a
  /// step would not be moved with it any more.
  func present(_ now: ClockReading) -> ClockReading { database.clockWatch?.present(now) ?? now }

  /// The scheduled moment at the end of a pause.
  func moment(after pause: Duration = .zero, from now: ClockReading) -> Timestamp {
    present(now).wall.advanced(by: pause)
  }

  /// The rows with an unfinished pause after a failure; all of them, or one. Cost: one pass over
  /// the failed rows, in a snapshot, concurrent with writers; with a key one look-up.
  func pausedRecords(
    at now: ClockReading, collection: String? = nil, key: String? = nil
  ) throws(StoreError) -> [Int64] {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(collection == nil ? .pausedRecords : .pausedRecord) {
        (statement) throws(SQLiteError) in
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
        if collection != nil {
          try statement.bind(collection, at: 2)
          try statement.bind(key, at: 3)
        }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.int(0)) }
        return rows
      }
    }
  }

  /// Ends the pauses of rows now; returns their number. The failures stay recorded.
  func endPauses(of rows: ArraySlice<Int64>, now: ClockReading) throws(StoreError) -> Int {
    try database.write(.due, .full) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      var count = 0
      for row in rows {
        let isEnded = try connection.hasRow(.endPause, row, now.wall.millisecondsSinceEpoch)
        guard isEnded else { continue }
        count += 1
        try connection.run(.moveUp, row, now.wall.millisecondsSinceEpoch)
      }
      return count
    }
  }

  /// Lets lists that pause after a failure be followed now; returns their number.
  func endListPauses(now: ClockReading) throws(StoreError) -> Int {
    try database.write(.follow, .full, touching: Touched()) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      return try connection.withStatement(.endListPauses, now.wall.millisecondsSinceEpoch) {
        (statement) throws(SQLiteError) in
        var count = 0
        while try statement.step() { count += 1 }
        return count
      }
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
    try database.write(.outbox, .full, touching: Touched()) { (connection) throws(SQLiteError) in
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
    try database.write(.observe, touching: Touched()) { (connection) throws(SQLiteError) in
      try self.log(.resumed, collection, key, ended: ended, connection)
    }
  }
}

extension SQL {
  fileprivate static let pausedRecords = SQL("SELECT record FROM failure WHERE next_attempt > ?1")
  fileprivate static let pausedRecord = SQL(
    """
    SELECT f.record FROM failure f JOIN record r ON r.id = f.record
    WHERE r.collection = ?2 AND r.key = ?3 AND f.next_attempt > ?1
    """)
  fileprivate static let endPause = SQL(
    """
    UPDATE failure SET next_attempt = ?2, pause_named = 0
    WHERE record = ?1 AND next_attempt > ?2 RETURNING 1
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
    "UPDATE list SET due_at = ?1 WHERE failures > 0 AND due_at > ?1 RETURNING 1")
}
