internal import Strategies
internal import Synchronization

extension Storage {
  /// Stores puts, ahead of any running fetch for these keys: an earlier lease is gone, so the late
  /// answer is refused. One transaction for all of them.
  ///
  /// Stores nothing of a put when one of its records has a local write, or when this store was wiped since the
  /// put began.
  func put(_ puts: [PutQueue.Put]) throws(StoreError) -> [PutQueue.Outcome] {
    let isFull = puts.contains { $0.durability == .full }
    return try database.write(.put, isFull ? .full : .normal, touching: Self.touched(by: puts)) {
      (connection) throws(SQLiteError) in try self.put(puts, connection)
    }
  }

  /// As ``put(_:)``, at once; `nil` when another writer is active.
  func putAtOnce(_ puts: [PutQueue.Put]) throws(StoreError) -> [PutQueue.Outcome]? {
    try database.writeAtOnce(.put, touching: Self.touched(by: puts)) {
      (connection) throws(SQLiteError) in try self.put(puts, connection)
    }
  }

  private static func touched(by puts: [PutQueue.Put]) -> AffectedKeys {
    var touched = AffectedKeys()
    for write in puts.lazy.flatMap(\.writes) {
      touched.add(write.content.key, of: write.content.collection)
    }
    return touched
  }

  private func put(
    _ puts: [PutQueue.Put], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PutQueue.Outcome] {
    let (known, hasLeases) = try situation(connection)
    // A put is newer than every open request.
    let number: Int64 =
      if hasLeases {
        try nextNumber(connection)
      } else if let known {
        known
      } else {
        try currentNumber(connection)
      }
    var answers: [PutQueue.Outcome] = []
    let wipes = wipes.load(ordering: .acquiring)
    for put in puts {
      guard put.wipes == wipes else {
        answers.append(.wiped)
        continue
      }
      answers.append(try self.put(put, number, hasLeases: hasLeases, connection))
    }
    return answers
  }

  /// The facts a put needs about the store, in one query:
  /// - the number of the newest invalidation or fetch, `nil` when that was damaged on the disk;
  /// - whether any fetch is running;
  /// - whether there may be observers, for ``log(_:_:_:_:)``.
  private func situation(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (number: Int64?, hasLeases: Bool) {
    try connection.withStatement(.situation) { (statement) throws(SQLiteError) in
      guard try statement.step() else { return (nil, true) }
      if !statement.bool(2) { connection.log.isWanted = false }
      return (statement.optionalInt(0), statement.bool(1))
    }
  }

  private func put(
    _ put: PutQueue.Put, _ number: Int64, hasLeases: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PutQueue.Outcome {
    // All records are stored, or none.
    if put.writes.count > 1, try hasLocalWrites(connection) {
      for write in put.writes
      where try identity(write.content.collection, write.content.key, connection)?.isPending
        == true
      {
        return .pending(write.content.key)
      }
    }
    for write in put.writes {
      let (collection, key) = (write.content.collection, write.content.key)
      if try !storeAtOnce(write, epoch: number, now: put.now, connection) {
        let old = try identity(collection, key, connection)
        if old?.isPending == true { return .pending(key) }
        _ = try store(write, over: old, epoch: number, mark: nil, now: put.now, connection)
      }
      if hasLeases { try dropLease(collection, key, connection) }
      try log(.stored, collection, key, connection)
    }
    return .stored
  }

  /// Stores a new record, or replaces a plain one, by one statement that touches no index of an existing row. False
  /// if nothing was stored, because more must be known about that row.
  private func storeAtOnce(
    _ write: Write, epoch: Int64, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard write.tags?.isEmpty != false, write.isPinned != true, !write.content.isLong else {
      return false
    }
    let record = Self.row(of: write, epoch: epoch, mark: nil, now: now)
    try Self.run(.putPlain, record, connection) { parameters, index in
      parameters.bind(record.sweepPlace?.millisecondsSinceEpoch, index)
      return index + 1
    }
    return connection.changes > 0
  }

  // MARK: Removing

  /// Removes records. Running fetches for them store nothing. A value from another request is stale on arrival, and
  /// a later get waits for none of them.
  ///
  /// Removes nothing at all when one of them has a local write, and returns its key.
  func remove(
    _ collection: String, _ keys: [String], _ durability: Durability, now: ClockReading
  ) throws(StoreError) -> (removed: [String], pending: String?) {
    try database.write(.remove, durability, touching: AffectedKeys(collection, keys)) {
      (connection) throws(SQLiteError) in
      for key in keys where try self.identity(collection, key, connection)?.isPending == true {
        return ([], key)
      }
      var removed: [String] = []
      for key in keys where try self.removeRow(collection, key, now: now, connection) {
        removed.append(key)
      }
      return (removed, nil)
    }
  }

  /// Removes a record, and has open requests about it store nothing; false when there is none.
  @discardableResult
  func removeRow(
    _ collection: String, _ key: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try coverQuestions(about: key, in: collection, now: now, connection)
    try dropLease(collection, key, connection)
    guard try delete(collection, key, connection) else { return false }
    try beginListsAnew(with: key, in: collection, connection)
    try log(.removed, collection, key, connection)
    return true
  }

  /// Begins to remove all records of a collection: open requests store nothing, or their answers
  /// are stale. Returns the number that is newer than all of them.
  func beginRemovingAll(_ collection: String, now: ClockReading) throws(StoreError) -> Int64 {
    try database.write(.remove, .full) { (connection) throws(SQLiteError) in
      try self.coverQuestions(about: nil, in: collection, now: now, connection)
      try connection.run(.dropLeases, collection)
      return try self.nextNumber(connection)
    }
  }

  /// Removes up to `limit` records of a collection that are older than a number: later ones stay.
  /// Returns the number removed; fewer than `limit` when none is left.
  func removeAll(
    _ collection: String, before number: Int64, limit: Int
  ) throws(StoreError) -> Int {
    try database.write(.remove, .full) { (connection) throws(SQLiteError) in
      let rows = try connection.rows(.removable, collection, number, Int64(limit)) { statement in
        (statement.int(0), statement.text(1))
      }
      for (row, key) in rows {
        try self.deleteRow(row, connection)
        try self.beginListsAnew(with: key, in: collection, connection)
      }
      if !rows.isEmpty { try self.log(.removed, collection, nil, connection) }
      return rows.count
    }
  }
}

extension SQL {
  fileprivate static let situation = SQL(
    """
    SELECT (SELECT sequence FROM state WHERE id = 1 AND sequence_check = -1 - sequence),
      EXISTS (SELECT 1 FROM lease), EXISTS (SELECT 1 FROM observer)
    """)
  /// Leaves a row's places in both indexes unchanged, and the row itself where they would be wrong, or where it has a
  /// value in blocks.
  fileprivate static let putPlain = SQL(
    """
    INSERT INTO record (\(RecordColumns.list), sweep_at, value)
    VALUES (\(RecordColumns.parameters), ?\(RecordColumns.first), ?\(RecordColumns.second))
    ON CONFLICT (collection, key) DO UPDATE SET \(RecordColumns.assignments), value = excluded.value
    WHERE \(RecordFlags.isPlain) AND NOT \(StoredRecord.isPending) AND queue_at IS NULL
      AND content IS NULL AND (sweep_at <= excluded.sweep_at OR excluded.sweep_at IS NULL)
    """)
  fileprivate static let dropLeases = SQL("DELETE FROM lease WHERE collection = ?1")
  fileprivate static let removable = SQL(
    """
    SELECT id, key FROM record
    WHERE collection = ?1 AND epoch < ?2 AND NOT \(StoredRecord.isPending) LIMIT ?3
    """)
}
