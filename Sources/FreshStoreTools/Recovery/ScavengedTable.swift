internal import CSQLite
internal import FreshStore

/// A table whose rows are recovered.
enum ScavengedTable: String, CaseIterable {
  case outbox, base
  case salvage
  case invalidation, record, failure
  case recordTag = "record_tag"
  case list
  case listMember = "list_member"

  /// The tables of local writes.
  static let ofWrites: [ScavengedTable] = [.outbox, .base]

  var hasRowNumbers: Bool {
    switch self {
    case .outbox, .base, .record, .failure, .list: true
    case .salvage, .invalidation, .recordTag, .listMember: false
    }
  }

  /// An index with an entry for every row.
  var index: String? {
    switch self {
    case .outbox: "outbox_order"
    case .record: "sqlite_autoindex_record_1"
    default: nil
    }
  }

  /// Writes a row as it was read. A row that its table does not accept is left out.
  func insert(
    _ row: DamagedTree.Row, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    // A row from before a column was added has fewer.
    guard row.values.count <= columns else { return }
    do throws(SQLiteError) {
      try connection.withStatement(insertion) { (statement) throws(SQLiteError) in
        for (index, value) in row.values.enumerated() {
          guard try Self.bind(value, at: Int32(index + 1), statement) else { return }
        }
        // The row number is not among the values.
        if hasRowNumbers { try statement.bind(row.number, at: 1) }
        try statement.run()
      }
    } catch {
      // A value of the wrong type, which only damage causes.
      guard error.primaryCode == SQLITE_CONSTRAINT || error.primaryCode == SQLITE_MISMATCH else {
        throw error
      }
    }
  }

  private static func bind(
    _ value: StoredValue, at index: Int32, _ statement: borrowing Statement
  ) throws(SQLiteError) -> Bool {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let number): try statement.bind(number, at: index)
    case .blob(let bytes): try statement.bind(bytes, at: index)
    case .text(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return false }
      try statement.bind(text, at: index)
    // No table of a store has such a column.
    case .real: return false
    }
    return true
  }

  fileprivate var columns: Int {
    switch self {
    case .outbox: 26
    case .record: RecordColumns.all.names.count + 4
    case .base: RecordColumns.all.names.count + 3
    case .failure: 5
    case .salvage: 3
    case .invalidation: 6
    case .recordTag, .listMember: 2
    case .list: 9
    }
  }

  private var insertion: SQL {
    switch self {
    case .outbox: .insertOutbox
    case .base: .insertBase
    case .failure: .insertFailure
    case .salvage: .insertSalvage
    case .invalidation: .insertInvalidation
    case .record: .insertRecord
    case .recordTag: .insertRecordTag
    case .list: .insertList
    case .listMember: .insertListMember
    }
  }
}

extension SQL {
  private static func insertion(_ table: ScavengedTable) -> SQL {
    let parameters = (1...table.columns).map { "?\($0)" }.joined(separator: ", ")
    return SQL("INSERT OR IGNORE INTO \(table.rawValue) VALUES (\(parameters))")
  }

  fileprivate static let insertOutbox = insertion(.outbox)
  fileprivate static let insertBase = insertion(.base)
  fileprivate static let insertFailure = insertion(.failure)
  fileprivate static let insertSalvage = insertion(.salvage)
  fileprivate static let insertInvalidation = insertion(.invalidation)
  fileprivate static let insertRecord = insertion(.record)
  fileprivate static let insertRecordTag = insertion(.recordTag)
  fileprivate static let insertList = insertion(.list)
  fileprivate static let insertListMember = insertion(.listMember)
}
