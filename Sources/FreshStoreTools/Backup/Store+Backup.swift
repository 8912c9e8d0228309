public import FreshStore
internal import Platform

extension Store {
  /// Copies the store, its local writes included, into one new file while it is in use, and checks
  /// the copy.
  ///
  /// The copy is the store as it was at one moment, when the copying began: writers go on and are not
  /// waited for. It is written beside `destination` under a temporary name, checked
  /// (`integrity_check`), written to the disk, and only then gets its name; nothing is ever
  /// overwritten. It opens as a store, needs no file beside it, and nobody holds anything in it: leases
  /// and claims to push are ended. Records are copied as they are, damaged ones too; `check` finds
  /// those. A copy and its original that both push send a local write twice, with the same
  /// idempotency key.
  ///
  /// Until it is copied the log beside the store cannot be emptied and grows by what is written
  /// meanwhile; writers wait at most 100 ms for the checkpoints that are then put off.
  ///
  /// Cost: one read of the store and one write and two reads of the copy.
  ///
  /// - Parameter progress: Called after every 256 pages, on another thread.
  /// - Throws: `alreadyExists`; `damaged` when the store is, which only ``recover(_:to:options:)``
  ///   can then copy; `cancelled` when the task is; `full`, `folderMissing`, or what the file answered.
  ///   The temporary file is then taken away.
  public func backup(
    to destination: String, progress: (@Sendable (BackupProgress) -> Void)? = nil
  ) async throws(StoreError) -> BackupResult {
    guard !destination.isEmpty, !destination.utf8.contains(0) else {
      throw StoreError(
        .invalidArgument("the path of a copy must not be empty or hold a NUL"), .backup)
    }
    await flushMarks()
    let backup = Backup(
      file: storage.database.file, destination: PathName.absolute(destination),
      progress: progress)
    return try await WorkQueue().runUntilStopped { [storage] (stop) throws(StoreError) in
      // Refuses where the store may not be used any more.
      _ = try storage.database.read(.backup) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA user_version")
      }
      return try backup.run(until: stop)
    }
  }
}
