internal import BenchmarkKit
internal import Glibc
internal import RawSQLite

/// The smallest table that could hold the data of a read, written by libsqlite3 alone: one prepared
/// statement, and checkpoints at SQLite's choice.
@safe
final class FloorTable {
  private let database: OpaquePointer
  private let statement: OpaquePointer

  /// Makes the file.
  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard unsafe sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK,
      let opened = unsafe handle
    else { throw BenchmarkFailure(words: "\(path) cannot be opened") }
    let table = """
      PRAGMA journal_mode=WAL;
      PRAGMA synchronous=NORMAL;
      CREATE TABLE record (key TEXT PRIMARY KEY, last_update INTEGER NOT NULL,
        expiry INTEGER NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID
      """
    let sql = """
      INSERT INTO record VALUES (?1, ?2, 86400000, ?3) ON CONFLICT (key) DO UPDATE SET
        last_update = excluded.last_update, expiry = excluded.expiry, value = excluded.value
      """
    var prepared: OpaquePointer?
    guard unsafe sqlite3_exec(opened, table, nil, nil, nil) == SQLITE_OK,
      unsafe sqlite3_prepare_v3(opened, sql, -1, 1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(opened))) }
    unsafe database = opened
    unsafe self.statement = statement
  }

  deinit {
    unsafe sqlite3_finalize(statement)
    unsafe sqlite3_close(database)
  }

  /// Stores one record, in a transaction of its own where none is open.
  func put(_ key: String, _ value: [UInt8]) throws {
    defer { unsafe sqlite3_reset(statement) }
    var key = key
    let isDone = key.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        unsafe value.withUnsafeBytes { blob in
          // Lent until the statement is reset.
          unsafe sqlite3_bind_text(statement, 1, text.baseAddress, Int32(text.count), nil)
          unsafe sqlite3_bind_int64(statement, 2, Int64(time(nil)) * 1000)
          unsafe sqlite3_bind_blob(statement, 3, blob.baseAddress, Int32(blob.count), nil)
          return unsafe sqlite3_step(statement) == SQLITE_DONE
        }
      }
    }
    guard isDone else {
      throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database)))
    }
  }

  /// One transaction around some writes.
  func inTransaction(_ body: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE")
    try body()
    try run("COMMIT")
  }

  private func run(_ sql: String) throws {
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database)))
    }
  }
}
