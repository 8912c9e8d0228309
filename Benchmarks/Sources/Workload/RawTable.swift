internal import BenchmarkKit
internal import RawSQLite

/// The floor: libsqlite3 alone, prepared statements on the store's own table with all of its
/// indices, autocommit. It reads nothing before it writes, and computes no checksum.
@safe
public final class RawTable {
  private let database: OpaquePointer
  private let select: OpaquePointer
  private let upsert: OpaquePointer
  private let delete: OpaquePointer
  private var time: Int64 = 1_800_000_000_000

  /// Opens a store's file.
  public init(path: String, survivesPowerLoss: Bool) throws {
    var handle: OpaquePointer?
    guard
      unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK, let opened = unsafe handle
    else { throw BenchmarkFailure(words: "\(path) cannot be opened") }
    unsafe sqlite3_busy_timeout(opened, 5000)
    unsafe sqlite3_exec(
      opened, "PRAGMA synchronous=\(survivesPowerLoss ? "FULL" : "NORMAL")", nil, nil, nil)
    unsafe database = opened
    unsafe select = try Self.prepare(Self.selectText, opened)
    unsafe upsert = try Self.prepare(Self.upsertText, opened)
    unsafe delete = try Self.prepare(Self.deleteText, opened)
  }

  deinit {
    unsafe sqlite3_finalize(select)
    unsafe sqlite3_finalize(upsert)
    unsafe sqlite3_finalize(delete)
    unsafe sqlite3_close(database)
  }

  private static func prepare(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
    var prepared: OpaquePointer?
    guard unsafe sqlite3_prepare_v3(database, sql, -1, 1, &prepared, nil) == SQLITE_OK,
      let statement = unsafe prepared
    else { throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database))) }
    return unsafe statement
  }

  /// The bytes of a record; `nil` when there is none.
  public func get(_ key: String) throws -> [UInt8]? {
    defer { unsafe sqlite3_reset(select) }
    switch unsafe run(select, key, binding: {}) {
    case SQLITE_ROW:
      let count = Int(unsafe sqlite3_column_bytes(select, 3))
      return unsafe Array(
        UnsafeRawBufferPointer(start: sqlite3_column_blob(select, 3), count: count))
    case SQLITE_DONE: return nil
    default: throw failure
    }
  }

  /// Stores one record in a transaction of its own, or in the one that is open.
  public func put(_ key: String, _ value: [UInt8]) throws {
    defer { unsafe sqlite3_reset(upsert) }
    time += 1
    let code = unsafe value.withUnsafeBufferPointer { bytes in
      unsafe run(upsert, key) {
        unsafe sqlite3_bind_int64(upsert, 2, time)
        unsafe sqlite3_bind_int64(upsert, 3, time &* 0x1234_5678_9ABC)
        // Lent until the statement is reset.
        unsafe sqlite3_bind_blob(upsert, 4, bytes.baseAddress, Int32(bytes.count), nil)
      }
    }
    guard code == SQLITE_DONE else { throw failure }
  }

  /// Removes one record.
  public func remove(_ key: String) throws {
    defer { unsafe sqlite3_reset(delete) }
    guard unsafe run(delete, key, binding: {}) == SQLITE_DONE else { throw failure }
  }

  /// Runs `body` in one transaction.
  public func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    try body()
    try execute("COMMIT")
  }

  private func run(
    _ statement: OpaquePointer, _ key: String, binding bind: () -> Void
  ) -> Int32 {
    var key = key
    return key.withUTF8 { key in
      unsafe key.withMemoryRebound(to: CChar.self) { text in
        // Lent until the statement is reset.
        unsafe sqlite3_bind_text(statement, 1, text.baseAddress, Int32(text.count), nil)
        bind()
        return unsafe sqlite3_step(statement)
      }
    }
  }

  private func execute(_ sql: String) throws {
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: BenchmarkFailure {
    BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database)))
  }

  private static let selectText = """
    SELECT last_update, expiry, stale_at, value FROM record WHERE collection = 'people' AND key = ?1
    """
  private static let deleteText = "DELETE FROM record WHERE collection = 'people' AND key = ?1"
  private static let upsertText = """
    INSERT INTO record (
      collection, key, flags, epoch, last_update, expiry, boot, boot_stamp, codec, content_version,
      content_checksum, checksum, sweep_at, value)
    VALUES ('people', ?1, 0, 0, ?2, 86400000, 123456789, ?2, 'json', 0, ?3, -?3,
      ?2 + 86400000, ?4)
    ON CONFLICT (collection, key) DO UPDATE SET
      flags = 0, epoch = 0, last_update = ?2, expiry = 86400000, boot = 123456789, boot_stamp = ?2,
      stale_at = NULL, stale_reason = NULL, stale_epoch = NULL, codec = 'json',
      content_version = 0, details = NULL, content_checksum = ?3, checksum = -?3, value = ?4
    """
}
