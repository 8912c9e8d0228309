internal import Strategies
internal import Synchronization

extension Storage {
  /// Removes all content in one transaction that survives a power cut; held origins stay so, without the
  /// reasons. From then on every process sees an empty store, running fetches, pushes and other requests
  /// store nothing, and nothing is recovered from damaged files.
  ///
  /// Numbers go on: the numbers of requests, local writes and logged changes are never drawn again.
  ///
  /// - Parameter droppingUnsent: False leaves all as it is while a source does not have a local write.
  /// - Throws: `pendingWrite` then.
  func removeEverything(droppingUnsent: Bool = true) throws(StoreError) {
    do throws(StoreError) {
      try removeEverything(droppingUnsent, overwrites: true)
    } catch {
      guard error.code == .full else { throw error }
      // Zeros over all pages take as much room in the log as the pages.
      try removeEverything(droppingUnsent, overwrites: false)
    }
    database.emptyMemory()
  }

  private func removeEverything(_ droppingUnsent: Bool, overwrites: Bool) throws(StoreError) {
    defer { overwriteNoMore() }
    let isRemoved = try database.write(.wipe, .full, movesLog: false) {
      (connection) throws(SQLiteError) -> Bool in
      if !droppingUnsent {
        // Local writes in a damaged file have not been taken over yet.
        guard try !self.hasLocalWrites(connection), try !connection.hasRow(.hasKeptMarks),
          self.database.file.unsalvaged.isEmpty
        else {
          return false
        }
      }
      try connection.execute(overwrites ? "PRAGMA secure_delete=ON" : "PRAGMA secure_delete=FAST")
      let number = try self.nextNumber(connection)
      try connection.run(.noteWipe, number)
      try connection.run(
        .logWipe, self.owner, Change.Kind.removed.rawValue, Change.EndedPauses.all.text)
      // Observers find this entry, and so do not take the log for another one.
      try connection.run(.clearLogBefore, connection.lastInsertedRow)
      connection.log.isWritten = true
      connection.log.afterCommit.append { [hub = self.hub] in
        hub.publish(Change(kind: .removed, collection: nil, key: nil))
      }
      for sql in SQL.emptyTables { try connection.run(sql) }
      connection.log.touchesOutbox = true
      if let own = self.database.file.nameOfOwnWrites { try Salvage.noteOwn(own, connection) }
      try connection.run(.forgetKeptMarks)
      // The wipe has signed no user in; a reason may quote the former user.
      try connection.run(.forgetBreakers)
      try connection.run(.keepHolds, Self.wipedWhileHeld)
      // Removing their marks is no part of the transaction: a kill may prevent it.
      for name in self.database.file.namesOfHeld {
        try Salvage.note(name, Salvage.Contents(), connection)
      }
      // Another program may have run ANALYZE, which samples keys.
      if try connection.hasRow(.hasSamples) { try connection.run(.dropSamples) }
      // Before others may write.
      self.wipes.add(1, ordering: .acquiringAndReleasing)
      return true
    }
    guard isRemoved else { throw StoreError(.pendingWrite, .wipe, path: database.file.path) }
    // This also ends puts that have begun during the commit.
    wipes.add(1, ordering: .acquiringAndReleasing)
  }

  /// The reason for a hold that is older than the last wipe.
  static let wipedWhileHeld = "it was held when the store was wiped"

  /// Lets later deletions be as quick as before (``DatabaseFile``).
  private func overwriteNoMore() {
    do throws(StoreError) {
      try database.maintain(.wipe) { (connection) throws(SQLiteError) in
        try connection.execute("PRAGMA secure_delete=FAST")
      }
    } catch {
      // The connection is gone, or its deletions stay slow.
    }
  }

  /// Makes the bytes of removed content unfindable in the files.
  func eraseRemains(now: ClockReading) throws(StoreError) {
    database.file.clearLockNotes(at: now)
    guard try !database.rewrite(.wipe) else { return }
    throw StoreError(
      .wipeUnfinished(holder: LockHolder.ofOthers(at: database.file.resolvedPath)),
      .wipe, path: database.file.path)
  }
}

extension SQL {
  fileprivate static let noteWipe = SQL(
    "UPDATE state SET (wiped, released) = (?1, ?1) WHERE id = 1")
  fileprivate static let logWipe = SQL(
    "INSERT INTO change (owner, kind, collection, key, ended) VALUES (?1, ?2, NULL, NULL, ?3)")
  fileprivate static let clearLogBefore = SQL("DELETE FROM change WHERE sequence < ?1")
  /// All tables but `state`, `clock`, `observer` and `fleet_state`, which hold numbers and the names of
  /// processes, `change`, `origin`, whose holds stay, and `fleet_mark`.
  fileprivate static let emptyTables = [
    "failure", "record_tag", "record", "content_block", "content", "invalidation", "lease",
    "list_member",
    "former_member", "list", "base", "outbox",
  ].map { table in SQL("DELETE FROM \(table)") }
  fileprivate static let forgetBreakers = SQL("DELETE FROM origin WHERE hold IS NULL")
  fileprivate static let keepHolds = SQL(
    """
    UPDATE origin SET (failures, open_until, failure, pause_named, hold) = (0, 0, '', 0, ?1)
    """)
  fileprivate static let hasKeptMarks = SQL("SELECT 1 FROM fleet_mark WHERE lost IS NULL LIMIT 1")
  /// The loss of the fleet's history is not private to any user.
  fileprivate static let forgetKeptMarks = SQL("DELETE FROM fleet_mark WHERE lost IS NULL")
  fileprivate static let hasSamples = SQL(
    "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'")
  fileprivate static let dropSamples = SQL("DELETE FROM sqlite_stat4")
}
