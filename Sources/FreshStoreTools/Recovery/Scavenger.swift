internal import FreshStore

/// Brings the rows of a damaged database, as they are, into one that is sound and still empty.
///
/// What is there may be wrong: only rows with a checksum can be told from damaged ones, and that is
/// for the caller to do.
struct Scavenger {
  /// A private copy of the damaged database.
  let copy: String
  /// A sound, empty store: its first page, and where its tables begin. A store's tables always come
  /// in the same order, so they are where the damaged ones are.
  let pattern: String
  let busyTimeout: Duration

  /// What was found of a table.
  struct Findings {
    /// Rows that there are; `nil` when there may be some of which nobody knows.
    var known: Int? = 0
    /// Whether every page of the table itself could be read.
    var isWhole = true
  }

  /// Where tables and indexes begin.
  private typealias Roots = [String: Int]

  /// Brings over what can be read of `tables`.
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
      // What the log held is not known at all, nor what an emptied file held that is not in it.
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
    // A table that an older version did not have yet.
    guard let root = roots[table.rawValue] else { return Findings() }
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

  /// What can be told from its first bytes to be somebody else's, or newer than this program.
  private func refuseForeign() throws(StoreError) {
    guard let header = DamagedPages(copy)?.header else { return }
    // Zeros may be what damage has left.
    guard [Schema.applicationIdentifier, 0].contains(header.identifier) else {
      throw StoreError(Schema.refusal(of: header.identifier), .recover)
    }
    guard header.identifier == 0 || header.version <= Schema.version else {
      throw StoreError(
        .newerSchema(found: header.version, supported: Schema.version), .recover)
    }
  }

  /// Moves the log into the copy and reads where the tables begin. True when the log is lost.
  private func roots(isEmptied: Bool) -> (Roots?, hasLostLog: Bool) {
    let hasLog = hasLog
    if !isEmptied, let roots = Self.settledRoots(of: copy, busyTimeout) { return (roots, false) }
    // With a first page that holds together SQLite gets at the log, and the first page in it; of an
    // emptied file the log has not even the pages that tell where the tables begin.
    if hasLog, let pages = DamagedPages(pattern) {
      RecoveryFolder.replacePages(of: copy, with: pages, isEmptied ? pages.count : 1)
    }
    if hasLog, let roots = Self.settledRoots(of: copy, busyTimeout) { return (roots, false) }
    return (Self.settledRoots(of: pattern, busyTimeout), self.hasLog)
  }

  private var hasLog: Bool {
    DatabaseFile(path: copy, access: .readOnly, busyTimeout: busyTimeout, maximumSize: nil).hasLog
  }

  private static func settledRoots(of path: String, _ busyTimeout: Duration) -> Roots? {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
      let roots = try connection.withStatement(.readRoots) { (statement) throws(SQLiteError) in
        var roots: Roots = [:]
        while try statement.step() { roots[statement.text(0)] = Int(statement.int(1)) }
        return roots
      }
      // Only a connection that has read knows of the log.
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
