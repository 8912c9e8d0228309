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
  var isForWantOfIndex: Bool {
    isFull || [SQLITE_CANTOPEN, SQLITE_READONLY].contains(primaryCode)
      || [18, 21].contains(code >> 8) && primaryCode == SQLITE_IOERR
  }
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
