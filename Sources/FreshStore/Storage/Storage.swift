internal import Strategies

/// The store's operations on the database, each in the terms of the repository above: the one
/// place where records meet SQL.
///
/// Everything here is synchronous and bounded: no statement and no snapshot outlives a call.
package final class Storage: Sendable {
  package let database: Database
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
}

extension Int64 {
  /// This count and one more. A file may say anything: beyond a trillion it goes on counting from there.
  var oneMore: Int64 { Swift.min(Swift.max(self, 0), 1 << 40) + 1 }
}
