internal import CSQLite

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
