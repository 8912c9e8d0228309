internal import Strategies

/// The store's operations on the database, each in the terms of the repository above: the one
/// place where records meet SQL.
///
/// Everything here is synchronous and bounded: no statement and no snapshot outlives a call.
final class Storage: Sendable {
  let database: Database
  let ownerLock: OwnerLock
  /// Names this store among the owners of changes.
  var owner: String { ownerLock.name }
  /// Names this store among the owners of leases and claims.
  var claimant: String { ownerLock.claimant }

  init(_ database: Database) {
    self.database = database
    let file = database.file
    // A file system of the caller's own has no such locks, and who only reads takes nothing.
    let isShown = file.fileSystem == nil && file.access == .readWrite
    ownerLock = OwnerLock(database: isShown ? file.path : nil)
  }

  /// Moves every invalidation that comes later to a higher number; each fetch and each explicit
  /// mark takes one.
  func nextNumber(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try connection.withStatement(.advanceSequence) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return statement.int(0)
    }
  }

  /// The number of the newest invalidation or fetch.
  func currentNumber() throws(StoreError) -> Int64 {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try self.currentNumber(connection)
    }
  }

  func currentNumber(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try connection.withStatement(.readSequence) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return statement.int(0)
    }
  }
}

extension Int64 {
  /// This count and one more. A file may say anything: beyond a trillion it goes on counting from there.
  var oneMore: Int64 { Swift.min(Swift.max(self, 0), 1 << 40) + 1 }
}

extension SQL {
  fileprivate static let advanceSequence = SQL(
    "UPDATE state SET sequence = sequence + 1 WHERE id = 1 RETURNING sequence")
  fileprivate static let readSequence = SQL("SELECT sequence FROM state WHERE id = 1")
}
