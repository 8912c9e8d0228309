internal import CSQLite
internal import FreshStore

/// Copies the rows of a damaged database, as they are, into a sound, empty one.
///
/// The rows may be wrong. Only rows with a checksum can be verified, which is left to the caller.
struct Scavenger {
  /// A private copy of the damaged database.
  let copy: String
  /// A sound, empty store, which gives its first page and the roots of its tables. A store's tables always come in
  /// the same order, so the roots equal those of the damaged store.
  let pattern: String
  let busyTimeout: Duration

  /// The findings about a table.
  struct Findings {
    /// The number of existing rows; `nil` when unknown rows may exist.
    var known: Int? = 0
    /// Whether every page of the table itself could be read.
    var isWhole = true
  }

  /// The root pages of tables and indexes.
  private typealias Roots = [String: Int]

  /// Copies the readable rows of `tables`.
  func fill(
    _ target: borrowing Connection, with tables: [ScavengedTable]
  ) throws(StoreError) -> [ScavengedTable: Findings] {
    try refuseForeign()
    // SQLite deletes the log of an empty file.
    let isEmptied = hasLog && DamagedPages(copy)?.count == 0
    let (roots, hasLostLog) = roots(isEmptied: isEmptied)
    guard let roots, let pages = DamagedPages(copy) else {
      throw StoreError(.cannotOpen, .recover, path: copy)
    }
    var findings: [ScavengedTable: Findings] = [:]
    for table in tables {
      do throws(SQLiteError) {
        findings[table] = try target.transaction { (target) throws(SQLiteError) in
          try fill(target, with: table, roots, pages)
        }
      } catch {
        throw StoreError(error, .recover)
      }
      // The content of a lost log is unknown, and so are rows of an emptied file that are not in its log.
      if hasLostLog || isEmptied && findings[table]?.known == 0 {
        findings[table] = Findings(known: nil, isWhole: false)
      }
    }
    return findings
  }

  private func fill(
    _ target: borrowing Connection, with table: ScavengedTable, _ roots: Roots,
    _ pages: borrowing DamagedPages
  ) throws(SQLiteError) -> Findings {
    // An older version did not have this table yet.
    guard let root = roots[table.name] else { return Findings() }
    let tree = DamagedTree(root: root, isIndex: !table.hasRowNumbers)
    let found = try tree.read(pages) { (row) throws(SQLiteError) in
      try table.insert(row, target)
    }
    let index = table.index.flatMap { roots[$0] }.map { root in
      DamagedTree(root: root, isIndex: true).read(pages) { _ in }
    }
    var known = found.isWhole ? found.rows : nil
    if let index, index.isWhole { known = max(index.rows, found.rows) }
    return Findings(known: known, isWhole: found.isWhole)
  }

  /// Refuses a file whose first bytes show that it is another program's, or newer than this program.
  private func refuseForeign() throws(StoreError) {
    guard let header = DamagedPages(copy)?.header else { return }
    // Zeros may be the result of damage.
    guard [DatabaseSchema.applicationIdentifier, 0].contains(header.identifier) else {
      throw StoreError(DatabaseSchema.refusal(of: header.identifier), .recover)
    }
    guard header.identifier == 0 || header.version <= DatabaseSchema.version else {
      throw StoreError(
        .newerSchema(found: header.version, supported: DatabaseSchema.version), .recover)
    }
  }

  /// Moves the log into the copy and reads the root pages. True when the log is lost.
  private func roots(isEmptied: Bool) -> (Roots?, hasLostLog: Bool) {
    let hasLog = hasLog
    if !isEmptied, let roots = Self.settledRoots(of: copy, busyTimeout) { return (roots, false) }
    // With a consistent first page SQLite reads the log, and the first page in it. For an emptied file the log does
    // not even contain the pages with the root numbers.
    if hasLog, let pages = DamagedPages(pattern) {
      RecoveryFolder.replacePages(of: copy, with: pages, isEmptied ? pages.count : 1)
    }
    if hasLog, let roots = Self.settledRoots(of: copy, busyTimeout) { return (roots, false) }
    return (Self.settledRoots(of: pattern, busyTimeout), self.hasLog)
  }

  private var hasLog: Bool {
    DatabaseFile(reading: copy, busyTimeout: busyTimeout).hasLog
  }

  private static func settledRoots(of path: String, _ busyTimeout: Duration) -> Roots? {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
      let rows = try connection.rows(.readRoots) { ($0.text(0), Int($0.int(1))) }
      let roots = Roots(rows, uniquingKeysWith: { $1 })
      // Only a connection that has read knows the log.
      guard !roots.isEmpty, try connection.checkpoint() else { return nil }
      return roots
    } catch {
      return nil
    }
  }
}

extension SQL {
  fileprivate static let readRoots = SQL("SELECT name, rootpage FROM sqlite_schema")
}

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
  /// The tables of local writes, which exist only here, and of the known states of their sources, with long values.
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
    // A row from before a column was added has fewer values.
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
      // The value has the wrong type, which only damage causes.
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
