import CSQLite

/// The write lock of a store, held by a connection outside any store.
@safe
final class WriteLock {
  struct Failure: Error {
    let code: Int32
  }

  private var handle: OpaquePointer?

  init(_ path: String) throws {
    let opened = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard opened == SQLITE_OK else { throw Failure(code: opened) }
    let locked = unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
    guard locked == SQLITE_OK else { throw Failure(code: locked) }
  }

  /// Closing the connection ends its transaction.
  func end() {
    unsafe sqlite3_close_v2(handle)
    unsafe handle = nil
  }

  deinit { end() }
}
