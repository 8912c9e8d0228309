internal import BenchmarkKit
internal import RawSQLite

/// The floor: libsqlite3 alone, one prepared statement on the store's own table with all of its
/// indices, autocommit. It looks at nothing before it writes, and sums up nothing.
@safe
final class RawWriter {
  private let database: OpaquePointer
  private let statement: OpaquePointer
  private var time: Int64 = 1_800_000_000_000

  /// Opens a store's file.
  init(path: String, survivesPowerLoss: Bool) throws {
    var handle: OpaquePointer?
    guard
      unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK, let opened = unsafe handle
    else { throw BenchmarkFailure(words: "\(path) cannot be opened") }
    unsafe sqlite3_exec(
      opened, "PRAGMA synchronous=\(survivesPowerLoss ? "FULL" : "NORMAL")", nil, nil, nil)
    var prepared: OpaquePointer?
    guard unsafe sqlite3_prepare_v3(opened, Self.upsert, -1, 1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(opened))) }
    unsafe database = opened
    unsafe self.statement = statement
  }

  deinit {
    unsafe sqlite3_finalize(statement)
    unsafe sqlite3_close(database)
  }

  /// Stores one record in a transaction of its own, or in the one that is open.
  func put(_ key: String, _ value: some Collection<UInt8>) throws {
    defer { unsafe sqlite3_reset(statement) }
    time += 1
    var key = key
    let code = key.withUTF8 { key in
      unsafe key.withMemoryRebound(to: CChar.self) { text in
        // Lent until the statement is reset.
        unsafe sqlite3_bind_text(statement, 1, text.baseAddress, Int32(text.count), nil)
        unsafe sqlite3_bind_int64(statement, 2, time)
        unsafe sqlite3_bind_int64(statement, 3, Int64(value.count))
        unsafe sqlite3_bind_int64(statement, 4, time &* 0x1234_5678_9ABC)
        let bound: Void? = value.withContiguousStorageIfAvailable { bytes in
          unsafe sqlite3_bind_blob(statement, 5, bytes.baseAddress, Int32(bytes.count), nil)
        }
        precondition(bound != nil, "the bytes lie in one piece")
        return unsafe sqlite3_step(statement)
      }
    }
    guard code == SQLITE_DONE else { throw failure }
  }

  /// Runs `body` in one transaction.
  func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    try body()
    try execute("COMMIT")
  }

  private func execute(_ sql: String) throws {
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: BenchmarkFailure {
    BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database)))
  }

  private static let upsert = """
    INSERT INTO record (
      collection, key, kind, version, epoch, last_update, expiry, boot, boot_stamp,
      must_revalidate, codec, content_version, tagged, size, content_checksum, checksum, pinned,
      value)
    VALUES ('people', ?1, 0, 1, 0, ?2, 86400000, 123456789, ?2, 0, 'json', 0, 0, ?3, ?4, -?4, 0, ?5)
    ON CONFLICT (collection, key) DO UPDATE SET
      kind = 0, version = version + 1, epoch = 0, last_update = ?2, expiry = 86400000,
      boot = 123456789, boot_stamp = ?2, hard_end = NULL, grace_revalidating = NULL,
      grace_error = NULL, must_revalidate = 0, stale_at = NULL, stale_reason = NULL,
      stale_epoch = NULL, entity_tag = NULL, last_modified = NULL, source = NULL,
      content_type = NULL, codec = 'json', content_version = 0, variant = NULL, metadata = NULL,
      fetch_cost = NULL, tagged = 0, size = ?3, content_checksum = ?4, checksum = -?4,
      queue_at = NULL, pinned = 0, value = ?5, failures = 0, next_attempt = NULL, failure = NULL
    """
}
