internal import CSQLite
public import FreshStore
internal import Platform

extension Store {
  /// Copies the store, with its local writes, into one new file while it is in use, and checks the copy.
  ///
  /// The copy shows the store at the beginning of the copying. Writers continue, and the backup does not wait for
  /// them. It writes the copy beside `destination` under a temporary name, checks it (`integrity_check`) and writes
  /// it to the disk. Only then the copy gets its name; nothing is ever overwritten.
  ///
  /// The copy opens as a store, needs no file beside it, and contains no leases and no claims to push. Records are
  /// copied as they are, damaged ones too; `check` finds those. When a copy and its original both push, they send a
  /// local write twice, with the same idempotency key.
  ///
  /// During the copying the write-ahead log of the store cannot be emptied, and grows with every write. Writers wait
  /// at most 100 ms for the postponed checkpoints.
  ///
  /// Cost: one read of the store, and one write and two reads of the copy.
  ///
  /// - Parameter progress: Called after every 256 pages, on another thread.
  /// - Throws: One of these errors; the temporary file is then removed.
  ///   - `damaged` when the store is; only ``recover(_:to:options:)`` can then copy it.
  ///   - `cancelled` when the task is.
  ///   - `alreadyExists`, `full`, `folderMissing`, or the error of the file.
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

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
  /// Pages copied so far; it never decreases.
  public let pages: Int
  /// The total number of pages.
  public let total: Int
}

/// The content of a backup.
public struct BackupResult: Sendable, Hashable, Codable {
  /// The copy's absolute path.
  public var path: String
  /// The size of the copy in bytes.
  public var bytes: Int
  /// Its records.
  public var records: Int
  /// Its local writes that no source has accepted yet.
  public var localWrites: Int
}

/// One running backup, on a thread of its own.
struct Backup: Sendable {
  let file: DatabaseFile
  let destination: String
  let progress: (@Sendable (BackupProgress) -> Void)?

  /// 1 MiB: short enough to stop in good time.
  private static let pagesAtOnce: Int32 = 256

  func run(until stop: StopSignal) throws(StoreError) -> BackupResult {
    let copy = try NewFile(destination, for: .backup)
    try fill(copy.temporary, until: stop)
    let result = try Self.settle(copy.temporary, as: .backup, file.busyTimeout)
    guard !stop.isSet else { throw StoreError(.cancelled, .backup, path: file.path) }
    let path = copy.path
    try copy.publish()
    return BackupResult(
      path: path, bytes: result.bytes, records: result.records, localWrites: result.localWrites)
  }

  private func fill(_ temporary: String, until stop: StopSignal) throws(StoreError) {
    let isWhole: Bool
    do throws(SQLiteError) {
      var source = try file.openReader()
      var before: DatabaseFile.Stamp?
      if !source.lasts {
        _ = consume source
        before = try file.settledStamp()
        source = try file.openReader()
      }
      let copy = try Connection(
        path: temporary, access: .readWrite, busyTimeout: file.busyTimeout)
      // The file gets its name only after it was synced as a whole; until then it needs no journal on the disk.
      try copy.execute("PRAGMA journal_mode=MEMORY")
      try copy.execute("PRAGMA synchronous=OFF")
      isWhole = try source.snapshot { (source) throws(SQLiteError) in
        // The snapshot begins with the first read.
        _ = try source.integer("SELECT count(*) FROM sqlite_schema")
        return try source.copy(to: copy, pagesAtOnce: Self.pagesAtOnce) { pages, total in
          progress?(BackupProgress(pages: pages, total: total))
          return !stop.isSet
        }
      }
      guard before.map({ $0 == file.stamp }) ?? true else {
        throw SQLiteError(
          code: SQLITE_BUSY, message: "somebody wrote meanwhile", activity: "copying the database")
      }
    } catch {
      throw StoreError(error, .backup, path: error.isDamage ? file.path : destination)
    }
    guard isWhole else { throw StoreError(.cancelled, .backup, path: file.path) }
  }

  /// The content of a settled file.
  struct Contents {
    let bytes: Int
    let records: Int
    let localWrites: Int
  }

  /// Turns a store that no other process knows yet into a single file, checks it and counts its content.
  static func settle(
    _ temporary: String, as operation: StoreOperation, _ busyTimeout: Duration
  ) throws(StoreError) -> Contents {
    do throws(SQLiteError) {
      let copy = try Connection(path: temporary, access: .readWrite, busyTimeout: busyTimeout)
      // With exclusive access SQLite needs no shared memory beside the file. A file that is not in WAL mode can be
      // read on a read-only disk, too.
      try copy.execute("PRAGMA locking_mode=EXCLUSIVE")
      try copy.execute("PRAGMA synchronous=OFF")
      guard try copy.text("PRAGMA journal_mode=DELETE") == "delete" else {
        throw SQLiteError(
          code: SQLITE_IOERR, message: "the log cannot be moved into the file",
          activity: "settling the copy")
      }
      try copy.transaction { (copy) throws(SQLiteError) in try Storage.releaseAll(copy) }
      try check(copy)
      return Contents(
        bytes: Int(try copy.integer("PRAGMA page_count") * copy.integer("PRAGMA page_size")),
        records: Int(try copy.integer("SELECT count(*) FROM record WHERE flags & 3 < 2")),
        localWrites: Int(try copy.integer("SELECT count(*) FROM outbox")))
    } catch {
      throw StoreError(error, operation)
    }
  }

  /// Checks the copy, as the copying includes the damage of the source.
  private static func check(_ copy: borrowing Connection) throws(SQLiteError) {
    guard try copy.integer("PRAGMA application_id") == DatabaseSchema.applicationIdentifier,
      try copy.formatVersion() <= DatabaseSchema.version,
      case let words = try copy.text("PRAGMA integrity_check(1)"), words == "ok"
    else {
      throw SQLiteError(
        code: SQLITE_CORRUPT, message: "integrity_check fails", activity: "checking the copy")
    }
  }
}

extension Storage {
  /// Ends the leases, the claims and the registrations of observers in a copy: their holders use the original file.
  static func releaseAll(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.executeScript(
      """
      DELETE FROM lease;
      DELETE FROM observer;
      DELETE FROM change;
      UPDATE outbox SET owner = NULL, fence = NULL, boot = NULL, deadline = NULL
        WHERE owner IS NOT NULL;
      """)
  }
}
