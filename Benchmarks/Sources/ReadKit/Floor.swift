internal import BenchmarkKit
internal import RawSQLite

/// The floor: libsqlite3 alone, one prepared statement, autocommit, on a table of the same columns that
/// a read needs.
@safe
public final class Floor {
  private let database: OpaquePointer
  private let statement: OpaquePointer

  /// Opens a store's file, read only.
  public init(path: String) throws {
    var handle: OpaquePointer?
    guard
      unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK, let opened = unsafe handle
    else { throw BenchmarkFailure(words: "\(path) cannot be opened") }
    var prepared: OpaquePointer?
    let sql = """
      SELECT last_update, expiry, stale_at, value FROM record WHERE collection = 'people' AND key = ?1
      """
    guard unsafe sqlite3_prepare_v3(opened, sql, -1, 1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(opened))) }
    unsafe database = opened
    unsafe self.statement = statement
  }

  deinit {
    unsafe sqlite3_finalize(statement)
    unsafe sqlite3_close(database)
  }

  /// Reads a record and passes its bytes on, which are only lent; without a record it returns so
  /// low a number that no sum outweighs it.
  public func read(_ key: String, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    defer { unsafe sqlite3_reset(statement) }
    var key = key
    let isFound = key.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        // Lent until the statement is reset.
        unsafe sqlite3_bind_text(statement, 1, text.baseAddress, Int32(text.count), nil)
        return unsafe sqlite3_step(statement) == SQLITE_ROW
      }
    }
    guard isFound else { return -1_000_000_000_000 }
    precondition(unsafe sqlite3_column_int64(statement, 0) > 0, "a record has a last update")
    let count = Int(unsafe sqlite3_column_bytes(statement, 3))
    return unsafe body(
      UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 3), count: count))
  }
}
