import CSQLite

/// A connection outside any store: the effect of another program, or a failing disk, on a file.
@safe
package final class RawDatabase {
  package struct Failure: Error {
    let code: Int32
    let message: String
  }

  private let handle: OpaquePointer

  /// A store's background work holds the file's lock for moments, too; a test that expects a refusal
  /// passes no `patience`.
  package init(_ path: String, patience: Duration = .seconds(60)) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      unsafe sqlite3_close_v2(handle)
      throw Failure(code: code, message: "cannot open")
    }
    unsafe sqlite3_busy_timeout(opened, Int32(patience.components.seconds * 1_000))
    unsafe self.handle = opened
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  package func execute(_ sql: String) throws {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The rows of a query, every column as text; NULL as the empty text.
  package func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw failure(code) }
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW:
        let columns = unsafe sqlite3_column_count(statement)
        rows.append(
          (0..<columns).map { column in
            guard let text = unsafe sqlite3_column_text(statement, column) else { return "" }
            return unsafe String(cString: text)
          })
      case SQLITE_DONE: return rows
      case let code: throw failure(code)
      }
    }
  }

  package func integer(_ sql: String) throws -> Int {
    Int(try rows(sql).first?.first ?? "") ?? 0
  }

  private func failure(_ code: Int32) -> Failure {
    Failure(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
  }
}
