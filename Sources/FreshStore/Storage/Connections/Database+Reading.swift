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

  /// Makes the first read on the writing connection, if it is idle: opening another costs as much
  /// as a thousand reads, and many programs end after one.
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
