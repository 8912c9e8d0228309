internal import Strategies

/// The store's operations on the database, each in the terms of the repository above: the one
/// place where records meet SQL.
///
/// Everything here is synchronous and bounded: no statement and no snapshot outlives a call.
final class Storage: Sendable {
  let database: Database
  /// Names this store among the owners of leases, and of changes.
  let owner = "\(ProcessIdentity.current)-\(String(UInt64.random(in: .min ... .max), radix: 36))"

  init(_ database: Database) {
    self.database = database
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

extension SQL {
  fileprivate static let advanceSequence = SQL(
    "UPDATE state SET sequence = sequence + 1 WHERE id = 1 RETURNING sequence")
  fileprivate static let readSequence = SQL("SELECT sequence FROM state WHERE id = 1")
}
