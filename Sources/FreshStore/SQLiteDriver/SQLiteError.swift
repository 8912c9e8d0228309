internal import CSQLite

/// SQLite's answer: its extended result code and message, and the statement that was running.
///
/// Never carries bound values (https://sqlite.org/rescode.html).
package struct SQLiteError: Error, Equatable {
  /// The extended result code.
  package let code: Int32
  /// SQLite's message.
  package let message: String
  /// The activity, in SQLite's terms.
  package let activity: String
  /// The reason why the file is no store that this version knows; `nil` when there is none.
  package var refusal: StoreError.Code?

  package init(code: Int32, message: String, activity: String, refusal: StoreError.Code? = nil) {
    (self.code, self.message, self.activity, self.refusal) = (code, message, activity, refusal)
  }

  /// The primary result code: the low byte of the extended one.
  package var primaryCode: Int32 { code & 0xff }

  var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  /// The disk, or the configured size, is full. SQLite has a separate code for the index of the log.
  var isFull: Bool { primaryCode == SQLITE_FULL || code == SQLITE_IOERR | (19 << 8) }
  /// The log or its index could not be created, or not be read as they are: also
  /// SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE and SQLITE_IOERR_SHMMAP.
  var lacksIndex: Bool {
    isFull || [SQLITE_CANTOPEN, SQLITE_READONLY].contains(primaryCode)
      || [18, 21].contains(code >> 8) && primaryCode == SQLITE_IOERR
  }
  /// There is no connection any more.
  static let connectionClosed = SQLiteError(
    code: SQLITE_MISUSE, message: "closed", activity: "reading")
  /// No moment without a writer was found.
  static let overwritten = SQLiteError(
    code: SQLITE_BUSY, message: "somebody writes again and again", activity: "reading")
  /// The rows of an index come in another order than its own: in a damaged file they may never end.
  static let disordered = SQLiteError(
    code: SQLITE_CORRUPT, message: "the rows of an index are not in its order", activity: "reading")
  /// The file was refused.
  static func refused(_ code: StoreError.Code) -> SQLiteError {
    SQLiteError(
      code: SQLITE_NOTADB, message: "not a store of this version", activity: "opening",
      refusal: code)
  }
  /// The file's content is inconsistent, or is not a database at all.
  package var isDamage: Bool {
    (primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB)
      && (refusal == nil || refusal == .notADatabase)
  }
}

extension StoreError {
  /// The store's error for an error of SQLite.
  package init(
    _ failure: SQLiteError, _ operation: StoreOperation, collection: String? = nil,
    key: String? = nil,
    path: String? = nil, holder: String? = nil
  ) {
    self.init(
      Self.code(of: failure, holder: holder), operation, collection: collection, key: key,
      path: path,
      sqlite: SQLiteAnswer(
        code: failure.code, message: failure.message, activity: failure.activity))
  }

  private static func code(of failure: SQLiteError, holder: String?) -> Code {
    if let refusal = failure.refusal { return refusal }
    return switch failure.primaryCode {
    case _ where failure.isFull: .full
    case SQLITE_BUSY, SQLITE_LOCKED: .busy(holder: holder)
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_TOOBIG: .invalidArgument("the value is larger than SQLite accepts")
    default: .sqlite
    }
  }
}

/// The linked SQLite.
package enum SQLiteLibrary {
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// 3.7.0 to 3.51.2, without the branches that got the fix (https://sqlite.org/wal.html#walresetbug).
  package static var hasWALResetBug: Bool {
    switch sqlite3_libversion_number() {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000, 3_051_003...: false
    default: true
    }
  }
}
