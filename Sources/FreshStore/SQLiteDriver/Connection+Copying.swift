internal import CSQLite

/// SQLite's backup interface (https://sqlite.org/c3ref/backup_finish.html).
extension Connection {
  /// Copies the database as this connection sees it over that of `destination`, a few pages at a
  /// time. Inside a snapshot no commit restarts the copy.
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
