internal import Platform
internal import Strategies
internal import Synchronization

/// Reads, which wait for no writer.
extension Database {
  /// Runs `body` on a reading connection; waits for no writer.
  package func read<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try whileOpen(operation) { () throws(SQLiteError) in
      try readers.run(body)
    }
  }

  /// As ``read(_:_:)``, to inspect damage: a damaged file stays in its place.
  func inspect<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try inspecting(operation) { () throws(SQLiteError) in try readers.run(body) }
  }

  /// The same on a connection of its own, so that a long inspection blocks no reads.
  func inspectApart<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try inspecting(operation) { () throws(SQLiteError) in
      let connection = try file.openReader()
      return try body(connection)
    }
  }

  private func inspecting<Result>(
    _ operation: StoreOperation, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, operation, path: file.path)
    }
    lookIfDue(at: SystemClock.bootTime.milliseconds)
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw isClosed.load(ordering: .acquiring)
        ? StoreError(.closed, operation, path: file.path)
        : StoreError(error, operation, path: file.path)
    }
  }

  /// Reads the record of one key, in a snapshot shared with other such reads.
  func record(
    of key: String, in collection: String
  ) throws(StoreError) -> ReadingConnection.Found {
    try whileOpen(.read) { () throws(SQLiteError) in
      if let found = try firstRecord(of: key, in: collection) { return found }
      return try readers.record(of: key, in: collection)
    }
  }

  /// Makes the first read on the writing connection, if it is idle. Opening another one costs as much as a thousand
  /// reads, and many programs end after one read.
  private func firstRecord(
    of key: String, in collection: String
  ) throws(SQLiteError) -> ReadingConnection.Found? {
    guard !hasRead.load(ordering: .relaxed), !hasRead.exchange(true, ordering: .relaxed) else {
      return nil
    }
    return try writer.withLockIfAvailable {
      (writer) throws(SQLiteError) -> ReadingConnection.Found? in
      switch writer.connection {
      case .some(let connection):
        let header = connection.logIndex?.header
        return ReadingConnection.Found(
          row: try connection.record(of: key, in: collection, isUncovered: false, joins: true),
          header: header)
      case .none: return nil
      }
    } ?? nil
  }

  private func whileOpen<Result>(
    _ operation: StoreOperation, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    // A closed store would reopen its readers.
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, operation, path: file.path)
    }
    lookIfDue(at: SystemClock.bootTime.milliseconds)
    return try replacingDamaged { () throws(StoreError) in
      let read = generation.load(ordering: .acquiring)
      do throws(SQLiteError) {
        return try body()
      } catch {
        note(error, of: read)
        // The store was closed while this read waited for its turn.
        guard !isClosed.load(ordering: .acquiring) else {
          throw StoreError(.closed, operation, path: file.path)
        }
        throw StoreError(error, operation, path: file.path)
      }
    }
  }
}

extension Connection {
  /// Makes statements that read records omit the columns that a file of an older schema lacks: a
  /// file that is only read is not migrated.
  package borrowing func reads(version: Int) {
    goWithout(RecordColumns.all.names(after: version))
  }

  /// The record of one key.
  ///
  /// - Parameters:
  ///   - isUncovered: True when it is known that no invalidation covers it.
  ///   - joins: False for a caller that needs no value: a value in blocks is then not read.
  package func record(
    of key: String, in collection: String, isUncovered: Bool, joins: Bool
  ) throws(SQLiteError) -> StoredRow? {
    try withLendingStatement(isUncovered ? .readUncovered : .readOne) {
      (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        var record = StoredRecord(row: statement, extent: .whole, of: (collection, key))
        if record.isFailing { try readFailure(of: &record) }
        if joins, record.content.blocks != nil { try join(&record) }
        return StoredRow(record)
      }
    }
  }

  /// The same without its value, which is not read, as it may be large, and without its failures.
  func judgedRecord(
    of key: String, in collection: String
  ) throws(SQLiteError) -> StoredRecord? {
    try first(.readJudged, collection, key) { statement in
      StoredRecord(row: statement, extent: .judged, of: (collection, key))
    }
  }

  private func readFailure(of record: inout StoredRecord) throws(SQLiteError) {
    try withStatement(.readFailure, record.row) { (statement) throws(SQLiteError) in
      if try statement.step() { record.readFailure(statement, at: 0) }
    }
  }

  /// True when no collection, prefix or tag was ever invalidated, or sweeps have turned all
  /// invalidations into marks.
  func hasNoInvalidation() throws(SQLiteError) -> Bool {
    try !hasRow(.anyInvalidation)
  }

  /// True when there is a value under the key, or a note of its absence.
  package func hasAnswer(for key: String, in collection: String) throws(SQLiteError) -> Bool {
    try hasRow(.hasAnswer, collection, key)
  }
}

extension SQL {
  fileprivate static let readOne = SQL(
    """
    SELECT \(StoredRecord.plainColumns), \(StoredRecord.coveringEpoch), \(StoredRecord.value) FROM record r
    WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readUncovered = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, \(StoredRecord.value) FROM record r WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readJudged = SQL(
    "SELECT \(StoredRecord.plainColumns), 0 FROM record r WHERE r.collection = ?1 AND r.key = ?2")
  fileprivate static let readFailure = SQL(
    "SELECT failures, next_attempt, message, pause_named FROM failure WHERE record = ?1")
  fileprivate static let anyInvalidation = SQL("SELECT 1 FROM invalidation LIMIT 1")
  fileprivate static let hasAnswer = SQL(
    "SELECT 1 FROM record WHERE collection = ?1 AND key = ?2 AND \(RecordFlags.isAnswer)")
}
