internal import CSQLite

/// File operations outside SQLite's statements, always through SQLite's own descriptors: closing
/// another one would drop the locks of this process (https://sqlite.org/howtocorrupt.html, section
/// 2.2).
extension Connection {
  /// One of the files of a database.
  enum File {
    case database, log

    fileprivate var control: Int32 {
      switch self {
      case .database: SQLITE_FCNTL_FILE_POINTER
      case .log: SQLITE_FCNTL_JOURNAL_POINTER
      }
    }
  }

  /// True when the file behind this connection was deleted, renamed or replaced
  /// (https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_HAS_MOVED).
  var fileHasMoved: Bool {
    var moved: Int32 = 0
    let code = unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

  /// The application id in the file, read past SQLite, which refuses to read a truncated file; 0
  /// when there is none.
  var identifierOnDisk: Int64 { headerOnDisk?.identifier ?? 0 }

  /// The header in the file, read past SQLite; `nil` when there is none.
  package var headerOnDisk: FileHeader? {
    guard let file = unsafe pointer(to: .database), let methods = unsafe file.pointee.pMethods
    else { return nil }
    var header = [UInt8](repeating: 0, count: FileHeader.size)
    let answer = unsafe header.withUnsafeMutableBytes { bytes in
      unsafe methods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), 0)
    }
    return answer == SQLITE_OK ? FileHeader(header) : nil
  }

  /// Makes the system write a file to the disk. No lock is needed, and a later checkpoint has less
  /// to wait for.
  borrowing func sync(_ kind: File) {
    guard let file = unsafe pointer(to: kind), let methods = unsafe file.pointee.pMethods
    else { return }
    // A later checkpoint syncs again and finds the failure.
    _ = unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
  }

  /// How much of the log was moved; exact only while no connection writes. `nil` without a log.
  var logProgress: LogProgress? { logIndex?.progress }

  /// The index of the log; `nil` without one, and before the first read of the file. It lies in memory that all
  /// processes share (https://sqlite.org/walformat.html, section 2).
  ///
  /// Asking for it would create an index that is never closed, where SQLite has no log open or keeps the index to
  /// itself.
  var logIndex: LogIndex? {
    guard access == .readOnly || access == .readWrite, let log = unsafe pointer(to: .log),
      unsafe log.pointee.pMethods != nil,
      let file = unsafe pointer(to: .database), let methods = unsafe file.pointee.pMethods,
      unsafe methods.pointee.iVersion >= 2, let map = unsafe methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // The region that SQLite itself has mapped; it is not extended.
    guard unsafe map(file, 0, 32768, 0, &region) == SQLITE_OK, let start = unsafe region
    else { return nil }
    return unsafe LogIndex(start)
  }

  /// Has reads write nothing into the index of the log (``ReadOnlyLogIndex``). Call it only where there is an
  /// index.
  borrowing func leaveLogIndex() {
    guard let file = unsafe pointer(to: .database) else { return }
    unsafe ReadOnlyLogIndex.install(on: file)
  }

  private func pointer(to file: File) -> UnsafeMutablePointer<sqlite3_file>? {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(handle, nil, file.control, &pointer)
    return code == SQLITE_OK ? unsafe pointer : nil
  }
}

/// The first bytes of a database file (https://sqlite.org/fileformat2.html, section 1.3).
package struct FileHeader {
  /// The number of bytes read from the file.
  package static let size = 72
  /// `PRAGMA application_id`.
  package let identifier: Int64
  /// `PRAGMA user_version`.
  package let version: Int

  /// Reads the header; `nil` when the file is not a database.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    identifier = Self.number(bytes[68..<72])
    version = Int(Self.number(bytes[60..<64]))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// SQLite's backup interface (https://sqlite.org/c3ref/backup_finish.html).
extension Connection {
  /// Copies the database as this connection sees it over the database of `destination`, a few pages at a time.
  /// Inside a snapshot no commit restarts the copy.
  ///
  /// After each step `goesOn` gets the number of pages done and the total; false ends the copy,
  /// whose destination must then be discarded.
  package borrowing func copy(
    to destination: borrowing Connection, pagesAtOnce: Int32, _ goesOn: (Int, Int) -> Bool
  ) throws(SQLiteError) -> Bool {
    let target = unsafe destination.handle
    guard let copying = unsafe sqlite3_backup_init(target, "main", handle, "main") else {
      throw unsafe Self.failure(sqlite3_errcode(target), on: target, "beginning a copy")
    }
    var isStopped = false
    while !isStopped, unsafe sqlite3_backup_step(copying, pagesAtOnce) == SQLITE_OK {
      let total = Int(unsafe sqlite3_backup_pagecount(copying))
      isStopped = !goesOn(total - Int(unsafe sqlite3_backup_remaining(copying)), total)
    }
    // This call reports the errors of the steps.
    let code = unsafe sqlite3_backup_finish(copying)
    guard code == SQLITE_OK else {
      throw unsafe Self.failure(code, on: target, "copying the database")
    }
    return !isStopped
  }
}
