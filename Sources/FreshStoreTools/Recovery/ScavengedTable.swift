internal import CSQLite
internal import FreshStore

/// A table whose rows are recovered.
struct ScavengedTable: Sendable {
  let name: String
  let hasRowNumbers: Bool
  /// An index with an entry for every row.
  let index: String?
  private let columns: Int
  private let insertion: SQL

  static let outbox = ScavengedTable("outbox", columns: 36, index: "outbox_order")
  static let base = ScavengedTable("base", columns: RecordColumns.all.names.count + 3)
  static let salvage = ScavengedTable("salvage", columns: 3, hasRowNumbers: false)
  static let invalidation = ScavengedTable("invalidation", columns: 6, hasRowNumbers: false)
  static let record = ScavengedTable(
    "record", columns: RecordColumns.all.names.count + 4, index: "sqlite_autoindex_record_1")
  static let contentBlock = ScavengedTable("content_block", columns: 3)
  static let failure = ScavengedTable("failure", columns: 5)
  static let recordTag = ScavengedTable("record_tag", columns: 2, hasRowNumbers: false)
  static let list = ScavengedTable("list", columns: 16)
  static let listMember = ScavengedTable("list_member", columns: 4, hasRowNumbers: false)
  static let formerMember = ScavengedTable("former_member", columns: 2, hasRowNumbers: false)

  static let fleetState = ScavengedTable("fleet_state", columns: 7)
  static let fleetMark = ScavengedTable("fleet_mark", columns: 8)

  static let all = [
    outbox, base, salvage, invalidation, record, contentBlock, failure, recordTag, list, listMember,
    formerMember, fleetState, fleetMark,
  ]
  /// The tables of what exists here alone, and of what the source is known to hold beneath it, however long that is.
  static let ofWrites = [outbox, base, contentBlock, fleetMark]

  private init(
    _ table: String, columns: Int, hasRowNumbers: Bool = true, index: String? = nil
  ) {
    name = table
    self.columns = columns
    self.hasRowNumbers = hasRowNumbers
    self.index = index
    let parameters = (1...columns).map { "?\($0)" }.joined(separator: ", ")
    insertion = SQL("INSERT OR IGNORE INTO \(table) VALUES (\(parameters))")
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
}

extension ScavengedTable: Hashable {
  static func == (left: ScavengedTable, right: ScavengedTable) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
