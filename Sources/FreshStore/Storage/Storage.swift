internal import Strategies
internal import Synchronization

/// The store's operations on the database, in the terms of the repository above: the one place
/// where records meet SQL.
///
/// Everything here is synchronous and bounded: no statement and no snapshot outlives a call.
package final class Storage: Sendable {
  package let database: Database
  /// The observers of this store.
  let hub: ChangeHub
  let ownerLock: OwnerLock
  let readingLocks: ReadingLocks
  /// This store's name among the owners of changes.
  var owner: String { ownerLock.name }
  /// This store's name among the owners of leases and claims.
  var claimant: String { ownerLock.claimant }

  /// Changes with every wipe by this store. A put, which draws no number, is of whoever was signed in when it
  /// began.
  let wipes = Atomic<Int>(0)

  init(_ database: Database, _ hub: ChangeHub) {
    (self.database, self.hub) = (database, hub)
    let file = database.file
    // A custom file system has no such locks, and a read-only store takes no leases.
    let isShown = file.fileSystem == nil && file.access == .readWrite
    ownerLock = OwnerLock(database: isShown ? file.path : nil)
    readingLocks = ReadingLocks(database: isShown ? file.path : nil)
  }
}

extension Int64 {
  /// This count plus one. A file may hold any number: beyond a trillion the count continues from there.
  var oneMore: Int64 { Swift.min(Swift.max(self, 0), 1 << 40) + 1 }
}
