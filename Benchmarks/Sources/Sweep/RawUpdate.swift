internal import BenchmarkKit
internal import Glibc
internal import RawSQLite

/// The floor: one UPDATE of the same rows through the same index, in one transaction, by libsqlite3
/// alone, with the settings of the store. It judges nothing, keeps no checksum, and holds the write
/// lock from beginning to end.
struct RawUpdate {
  let marked: Int
  /// The time until the commit, with the write lock held.
  let held: Duration
  /// The time of the checkpoint after it, with the lock held again.
  let checkpoint: Duration

  init(path: String) throws {
    var handle: OpaquePointer?
    guard unsafe sqlite3_open(path, &handle) == SQLITE_OK, let database = unsafe handle else {
      throw BenchmarkFailure(words: "\(path) cannot be opened")
    }
    defer { unsafe sqlite3_close(database) }
    func run(_ sql: String) throws {
      guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw BenchmarkFailure(words: unsafe String(cString: sqlite3_errmsg(database)))
      }
    }
    unsafe sqlite3_busy_timeout(database, 60_000)
    try run("PRAGMA wal_autocheckpoint=0")
    try run("PRAGMA synchronous=NORMAL")
    try run("BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    try run(Self.statement)
    marked = Int(unsafe sqlite3_changes(database))
    try run("COMMIT")
    held = ContinuousClock.now - start
    let checkpointStart = ContinuousClock.now
    try run("PRAGMA wal_checkpoint(TRUNCATE)")
    checkpoint = ContinuousClock.now - checkpointStart
  }

  private static let statement = """
    UPDATE record INDEXED BY record_sweep SET stale_at = unixepoch() * 1000,
      stale_reason = 'expired', stale_epoch = 0, queue_at = last_update + expiry, sweep_at = NULL
    WHERE sweep_at <= unixepoch() * 1000 AND stale_at IS NULL
      AND last_update + expiry <= unixepoch() * 1000
    """
}
