import CSQLite

/// The write lock of a store, held by a connection outside any store.
@safe
final class WriteLock {
  struct Failure: Error {
    let code: Int32
  }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    let opened = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard opened == SQLITE_OK, let connection = unsafe handle else {
      unsafe sqlite3_close_v2(handle)
      throw Failure(code: opened)
    }
    unsafe self.handle = connection
    let locked = unsafe sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
    guard locked == SQLITE_OK else { throw Failure(code: locked) }
  }

  /// Closing the connection ends its transaction.
  deinit { unsafe sqlite3_close_v2(handle) }
}
