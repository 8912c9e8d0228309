internal import CSQLite

/// A prepared statement; finalised when its owner releases it.
///
/// Parameters and columns keep SQLite's numbering: parameters from 1, columns from 0.
@safe
package struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Prepares `sql` for long use (https://sqlite.org/c3ref/prepare.html).
  init(_ sql: String, on database: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe Connection.failure(code, on: database, "preparing \(sql)")
    }
    unsafe self.handle = handle
    unsafe self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Steps to the next row; false when there is none.
  package borrowing func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let activity = unsafe String(cString: sqlite3_sql(handle))
      throw unsafe Connection.failure(code, on: database, "running \(activity)")
    }
  }

  /// Runs a statement that returns no rows.
  package borrowing func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Resets the statement and clears its bindings, so that it holds back neither a checkpoint nor
  /// memory.
  borrowing func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Lends two texts as the first parameters, lets `bind` bind the others, and lends bytes as the last one. Then it
  /// runs the statement, which returns no rows.
  borrowing func run(
    lending first: String, _ second: String, _ bytes: [UInt8]?,
    binding bind: (inout Parameters) -> Int32
  ) throws(SQLiteError) {
    try withBound(first, second) { (statement) throws(SQLiteError) in
      var parameters = unsafe Parameters(handle)
      let last = bind(&parameters)
      try statement.check(parameters.code, last)
      guard let bytes, !bytes.isEmpty else {
        try statement.bind(bytes, at: last)
        return try statement.run()
      }
      let outcome: Result<Void, SQLiteError> = unsafe bytes.withUnsafeBytes { lent in
        let code = unsafe sqlite3_bind_blob64(
          handle, last, lent.baseAddress, UInt64(lent.count), nil)
        // Lent memory must not be held any longer.
        defer { reset() }
        do throws(SQLiteError) {
          try check(code, last)
          return .success(try run())
        } catch {
          return .failure(error)
        }
      }
      try outcome.get()
    }
  }

  // MARK: Parameters

  package borrowing func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, index, value), index)
  }

  package borrowing func bind(_ value: Int64?, at index: Int32) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try bind(value, at: index)
  }

  package borrowing func bind(_ value: Bool, at index: Int32) throws(SQLiteError) {
    try bind(value ? 1 : 0 as Int64, at: index)
  }

  /// Binds a text by its UTF-8 length, so a NUL inside survives. SQLite copies the bytes.
  package borrowing func bind(_ value: String?, at index: Int32) throws(SQLiteError) {
    try check(unsafe Parameters.bind(value, at: index, of: handle), index)
  }

  /// Binds bytes. SQLite copies them.
  package borrowing func bind(_ value: [UInt8]?, at index: Int32) throws(SQLiteError) {
    try check(unsafe Parameters.bind(value, at: index, of: handle), index)
  }

  package borrowing func bindNull(at index: Int32) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(handle, index), index)
  }

  private borrowing func check(_ code: Int32, _ index: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw unsafe Connection.failure(code, on: database, "binding parameter \(index)")
  }

  /// Lends two texts as the first parameters while `body` runs, and resets the statement
  /// afterwards. Nothing is copied.
  borrowing func withBound<Result>(
    _ first: String, _ second: String,
    _ body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    var (first, second) = (first, second)
    let outcome: Swift.Result<Result, SQLiteError> = first.withUTF8 { first in
      second.withUTF8 { second in
        defer { reset() }
        do throws(SQLiteError) {
          try unsafe lend(first, at: 1)
          try unsafe lend(second, at: 2)
          return .success(try body(self))
        } catch {
          return .failure(error)
        }
      }
    }
    return try outcome.get()
  }

  private borrowing func lend(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int32
  ) throws(SQLiteError) {
    let code = unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
      unsafe sqlite3_bind_text(
        handle, index, characters.baseAddress ?? Self.emptyText, Int32(characters.count), nil)
    }
    try check(code, index)
  }

  // MARK: Columns

  borrowing func isNull(_ column: Int32) -> Bool { row.isNull(column) }
  package borrowing func int(_ column: Int32) -> Int64 { row.int(column) }
  package borrowing func optionalInt(_ column: Int32) -> Int64? { row.optionalInt(column) }
  package borrowing func bool(_ column: Int32) -> Bool { int(column) != 0 }
  package borrowing func text(_ column: Int32) -> String { row.text(column) }
  package borrowing func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }
  package borrowing func bytes(_ column: Int32) -> [UInt8] { row.bytes(column) }

  borrowing func optionalBytes(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  /// The columns of the current row, until the next step.
  var row: Row { unsafe Row(handle) }

  /// The readable columns of a row.
  @safe
  struct Row {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func isNull(_ column: Int32) -> Bool {
      unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func optionalInt(_ column: Int32) -> Int64? {
      // One look-up of the column instead of two. An unprotected value is enough: one thread at a
      // time uses a connection (https://sqlite.org/c3ref/value.html).
      let value = unsafe sqlite3_column_value(handle, column)
      return unsafe sqlite3_value_type(value) == SQLITE_NULL ? nil : sqlite3_value_int64(value)
    }

    /// The text of a column by its byte count, NULs included; damaged UTF-8 is repaired, which the
    /// row's checksum then notices.
    func text(_ column: Int32) -> String {
      guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      return unsafe String(
        decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
  }

  /// Binds parameters one after the other; the caller checks for an error once.
  @safe
  struct Parameters {
    private let handle: OpaquePointer
    /// The first error code.
    private(set) var code = SQLITE_OK

    fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    mutating func bind(_ value: Int64, _ index: Int32) {
      note(unsafe sqlite3_bind_int64(handle, index, value))
    }

    mutating func bind(_ value: Int64?, _ index: Int32) {
      guard let value else { return note(unsafe sqlite3_bind_null(handle, index)) }
      bind(value, index)
    }

    mutating func bind(_ value: String?, _ index: Int32) {
      note(unsafe Self.bind(value, at: index, of: handle))
    }

    mutating func bind(_ value: [UInt8]?, _ index: Int32) {
      note(unsafe Self.bind(value, at: index, of: handle))
    }

    fileprivate static func bind(
      _ value: String?, at index: Int32, of handle: OpaquePointer
    ) -> Int32 {
      guard var value else { return unsafe sqlite3_bind_null(handle, index) }
      return value.withUTF8 { bytes in
        // An empty buffer may have no address, which SQLite would read as NULL.
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe sqlite3_bind_text(
            handle, index, characters.baseAddress ?? Statement.emptyText, Int32(characters.count),
            Statement.transient)
        }
      }
    }

    fileprivate static func bind(
      _ value: [UInt8]?, at index: Int32, of handle: OpaquePointer
    ) -> Int32 {
      guard let value else { return unsafe sqlite3_bind_null(handle, index) }
      return unsafe value.withUnsafeBytes { bytes in
        if unsafe bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
        return unsafe sqlite3_bind_blob64(
          handle, index, bytes.baseAddress, UInt64(bytes.count), Statement.transient)
      }
    }

    private mutating func note(_ code: Int32) {
      if self.code == SQLITE_OK { self.code = code }
    }
  }

  // MARK: C constants that do not import

  /// `SQLITE_TRANSIENT`: SQLite takes its own copy before the call returns.
  private static var transient: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
  }

  /// The address of an empty C string.
  private static var emptyText: UnsafePointer<CChar> {
    let text: StaticString = ""
    return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
