public import FreshStore
internal import Platform

extension Store {
  /// Copies the store, its local writes included, into one new file while it is in use, and checks
  /// the copy.
  ///
  /// The copy shows the store at one moment, the beginning of the copying: writers continue and are
  /// not waited for. It is written beside `destination` under a temporary name, checked
  /// (`integrity_check`), written to the disk, and only then gets its name; nothing is ever
  /// overwritten. It opens as a store, needs no file beside it, and contains no leases or claims to
  /// push. Records are copied as they are, damaged ones too; `check` finds those. A copy and its
  /// original that both push send a local write twice, with the same idempotency key.
  ///
  /// During the copying the log beside the store cannot be emptied and grows with every write;
  /// writers wait at most 100 ms for the postponed checkpoints.
  ///
  /// Cost: one read of the store and one write and two reads of the copy.
  ///
  /// - Parameter progress: Called after every 256 pages, on another thread.
  /// - Throws: `alreadyExists`; `damaged` when the store is, which only ``recover(_:to:options:)``
  ///   can then copy; `cancelled` when the task is; `full`, `folderMissing`, or the error of the
  ///   file. The temporary file is then removed.
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
      // Refuses a store that may not be used any more.
      _ = try storage.database.read(.backup) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA user_version")
      }
      return try backup.run(until: stop)
    }
  }
}
