internal import Strategies

extension Storage {
  /// An explicit mark that covers many rows.
  struct Invalidation: Sendable {
    let scope: Int64
    let collection: String
    let name: [UInt8]
    let number: Int64
    let at: Timestamp
    let reason: String

    /// True where its rows come in the order of their numbers.
    fileprivate var isByRow: Bool { [Scope.tagNumber, Scope.allNumber].contains(scope) }
  }

  /// The invalidations in force.
  func invalidations() throws(StoreError) -> [Invalidation] {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.rows(.invalidations) { statement in
        Invalidation(
          scope: statement.int(0), collection: statement.text(1), name: statement.bytes(2),
          number: statement.int(3),
          at: statement.moment(4), reason: statement.text(5))
      }
    }
  }

  /// The last row of a batch of rows that an invalidation covers.
  struct CoveredPosition: Sendable {
    var row = Int64.min
    /// Rows of a collection or a prefix come in the order of their keys.
    var key: String?
  }

  /// Rows that invalidations cover.
  struct CoveredBatch: Sendable {
    var examined = 0
    var candidates: [Candidate] = []
    /// The number of invalidations, from the first, without further rows.
    var ended = 0
    /// The last row of the next invalidation.
    var end = CoveredPosition()
  }

  /// The next rows that invalidations cover and that have no mark of theirs yet, one invalidation after the other.
  /// A row that several of them cover is one candidate.
  ///
  /// - Parameter position: The last row of the first of the invalidations.
  func covered(
    by invalidations: ArraySlice<Invalidation>, after position: CoveredPosition, limit: Int
  ) throws(StoreError) -> CoveredBatch {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      var batch = CoveredBatch(end: position)
      var places: [Int64: Int] = [:]
      for invalidation in invalidations {
        let room = limit - batch.examined
        guard room > 0 else { break }
        let rows = try self.rows(of: invalidation, after: batch.end, room, connection)
        batch.examined += rows.count
        for record in rows where record.isIntact {
          let mark = StoredRecord.Mark(
            at: invalidation.at, reason: invalidation.reason, epoch: invalidation.number)
          if let place = places[record.row] {
            batch.candidates[place].add(mark)
          } else {
            places[record.row] = batch.candidates.count
            batch.candidates.append(Candidate(record, mark, queueAt: invalidation.at))
          }
        }
        guard Self.isEnd(rows, of: invalidation, after: batch.end, room) else {
          batch.end =
            rows.last.map { CoveredPosition(row: $0.row, key: $0.content.key) } ?? batch.end
          break
        }
        batch.ended += 1
        batch.end = CoveredPosition()
      }
      return batch
    }
  }

  private func rows(
    of invalidation: Invalidation, after position: CoveredPosition, _ limit: Int,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoredRecord] {
    let sql: SQL
    switch invalidation.scope {
    case Scope.collectionNumber: sql = .coveredByCollection
    case Scope.tagNumber: sql = .coveredByTag
    case Scope.prefixNumber: sql = .coveredByPrefix
    case Scope.allNumber: sql = .coveredByAll
    // The row has its own mark.
    default: return []
    }
    let rows = try self.rows(sql, limit, connection) { (statement) throws(SQLiteError) in
      try statement.bind(invalidation.number, at: 4)
      if invalidation.isByRow {
        try statement.bind(position.row, at: 3)
      } else {
        try statement.bind(invalidation.collection, at: 1)
        try statement.bind(position.key, at: 3)
      }
      if ![Scope.collectionNumber, Scope.allNumber].contains(invalidation.scope) {
        try statement.bind(invalidation.name, at: 5)
      }
    }
    return rows.map(\.record)
  }

  /// True after the last row of an invalidation. In a damaged file rows may come in any order, and forever.
  private static func isEnd(
    _ rows: [StoredRecord], of invalidation: Invalidation, after position: CoveredPosition,
    _ limit: Int
  ) -> Bool {
    guard rows.count >= limit, let last = rows.last else { return true }
    return invalidation.isByRow
      ? position.row >= last.row
      : !comes(("", position.key ?? ""), before: ("", last.content.key))
  }

  /// Forgets invalidations whose rows all carry marks, as many as the time allows, at least one.
  ///
  /// An invalidation stays while an earlier request is open, by a fetch, a list or an import: the answer must still
  /// be covered. It also stays while local writes hide an earlier state of their sources. An answer stored between
  /// the marking of the rows and this has its mark already (``land(_:asked:now:_:)``).
  ///
  /// Expired leases are removed first, so that an owner that wakes up late stores nothing.
  func forget(
    _ invalidations: ArraySlice<Invalidation>, within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, start) throws(SQLiteError) in
      try self.dropDeadLeases(now: now, connection)
      var work = Database.Work()
      for invalidation in invalidations {
        if work.done > 0, ContinuousClock.now - start >= budget { break }
        work.done += 1
        try connection.run(.forgetInvalidation, invalidation.number)
      }
      return work
    }
  }
}

extension SQL {
  fileprivate static let invalidations = SQL(
    "SELECT scope, collection, name, epoch, at, reason FROM invalidation ORDER BY epoch")
  /// A newer mark replaces an older one: a copy from between the two must not end both.
  private static let covered = """
    SELECT \(StoredRecord.columns), 0, 0 FROM \(StoredRecord.table)
    WHERE r.epoch < ?4 AND coalesce(r.stale_epoch, 0) < ?4
      AND r.\(RecordFlags.isNotPending) AND r.\(RecordFlags.isAnswer)
    """
  // The rows come in the order of the index, from the end of the last query, so that a batch costs only its rows.
  fileprivate static let coveredByCollection = SQL(
    covered + " AND r.collection = ?1 AND r.key > coalesce(?3, '') ORDER BY r.key LIMIT ?2")
  fileprivate static let coveredByAll = SQL(
    covered + " AND r.id > ?3 ORDER BY r.id LIMIT ?2")
  fileprivate static let coveredByTag = SQL(
    covered
      + """
       AND r.id > ?3 AND r.id IN (SELECT record FROM record_tag WHERE tag = CAST(?5 AS TEXT))
      ORDER BY r.id LIMIT ?2
      """)
  // No byte of UTF-8 is 0xFF: a key with that prefix lies before the prefix and such a byte.
  fileprivate static let coveredByPrefix = SQL(
    covered
      + """
       AND r.collection = ?1 AND r.key >= coalesce(?3, CAST(?5 AS TEXT)) AND r.key IS NOT ?3
        AND r.key < CAST(?5 AS TEXT) || CAST(x'FF' AS TEXT)
        AND substr(CAST(r.key AS BLOB), 1, length(?5)) = ?5
      ORDER BY r.key LIMIT ?2
      """)
  fileprivate static let forgetInvalidation = SQL(
    """
    DELETE FROM invalidation WHERE epoch = ?1
      AND NOT EXISTS (SELECT 1 FROM lease WHERE fence < ?1)
      AND NOT EXISTS (SELECT 1 FROM base WHERE epoch < ?1)
    """)
}
