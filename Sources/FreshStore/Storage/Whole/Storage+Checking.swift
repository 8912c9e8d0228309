extension Storage {
  /// Checks the whole file. Damage does not stop the check: everything still readable is checked.
  func check() throws(StoreError) -> CheckResult {
    var result = CheckResult(problems: try structuralProblems(), damagedRecords: [], records: 0)
    do throws(StoreError) {
      try checkRows(&result)
    } catch {
      guard case .damaged = error.code else { throw error }
      (result.records, result.damagedRecords) = (0, [])
      try checkNamedRows(&result)
    }
    try checkBases(&result)
    try checkOutbox(&result)
    try checkBlocks(&result)
    try checkSequence(&result)
    return result
  }

  /// SQLite's findings about the file's structure; empty when all is well.
  private func structuralProblems() throws(StoreError) -> [String] {
    try database.inspectApart(.check) { (connection) throws(SQLiteError) in
      var problems: [String] = []
      do throws(SQLiteError) {
        try connection.withStatement(.integrityCheck) { (statement) throws(SQLiteError) in
          while try statement.step() { problems.append(statement.text(0)) }
        }
      } catch {
        guard error.isDamage else { throw error }
        problems.append("the structure cannot be followed to its end: \(error.message)")
      }
      return problems == ["ok"] ? [] : problems
    }
  }

  // MARK: Records

  private static let pageLength: Int64 = 100
  /// The bytes of values that are read in one snapshot.
  private static let bytesAtOnce: Int64 = 64 << 20

  /// Checks the records in the order of their rows; throws `damaged` where the rows cannot be followed.
  private func checkRows(_ result: inout CheckResult) throws(StoreError) {
    var last = Int64.min
    while true {
      let from = last
      let rows = try database.inspect(.check) { (connection) throws(SQLiteError) in
        try connection.withStatement(.wholeRecords, from, Self.pageLength) {
          (statement) throws(SQLiteError) in
          var rows: [(row: Int64, damage: CheckResult.DamagedRecord?)] = []
          var bytes: Int64 = 0
          while bytes < Self.bytesAtOnce, try statement.step() {
            let record = try StoredRecord(verified: statement, connection)
            bytes += record.content.blocks?.size ?? 0
            rows.append((record.row, record.damage))
          }
          return rows
        }
      }
      // Where rows are out of order, which the structural check has reported, continuing after the
      // last of them might never end.
      guard let end = rows.last, end.row > last else { return }
      last = end.row
      result.records += rows.count
      result.damagedRecords += rows.compactMap(\.damage)
    }
  }

  private typealias Name = (collection: String, key: String)

  /// Checks the records one by one as the index names them: from its beginning as far as it can be
  /// followed, then from its end.
  private func checkNamedRows(_ result: inout CheckResult) throws(StoreError) {
    var lowest = Name("", "")
    for isUpwards in [true, false] {
      if try followNames(above: &lowest, isUpwards: isUpwards, &result) { return }
    }
  }

  /// Checks the records above a name in one direction; false when the index ends too early.
  private func followNames(
    above lowest: inout Name, isUpwards: Bool, _ result: inout CheckResult
  ) throws(StoreError) -> Bool {
    var last: Name?
    while true {
      let (from, to) = (lowest, isUpwards ? nil : last)
      let page = try database.inspect(.check) { (connection) throws(SQLiteError) in
        try self.page(from, to, isUpwards: isUpwards, connection)
      }
      result.records += page.names.count
      result.damagedRecords += page.damaged
      let end = page.names.last
      if isUpwards, let end { lowest = end }
      if let words = page.end {
        result.problems.append(
          "the names of the records cannot be followed from the \(isUpwards ? "first" : "last"): "
            + words)
        return false
      }
      // Out of order they might never end.
      guard let end,
        last.map({ Self.comes(isUpwards ? $0 : end, before: isUpwards ? end : $0) }) ?? true
      else { return true }
      last = end
    }
  }

  private struct NamedPage: Sendable {
    var names: [Name] = []
    var damaged: [CheckResult.DamagedRecord] = []
    /// The reason why the index could not be followed further; `nil` when it could.
    var end: String?
  }

  private func page(
    _ from: Name, _ to: Name?, isUpwards: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> NamedPage {
    var page = NamedPage()
    var rows: [Int64] = []
    do throws(SQLiteError) {
      try connection.withStatement(
        isUpwards ? .namesUpwards : .namesDownwards, from.collection, from.key, to?.collection,
        to?.key, Self.pageLength
      ) { (statement) throws(SQLiteError) in
        while try statement.step() {
          rows.append(statement.int(0))
          page.names.append((statement.text(1), statement.text(2)))
        }
      }
    } catch {
      guard error.isDamage else { throw error }
      page.end = error.message
    }
    for (row, name) in zip(rows, page.names) {
      guard let problem = try problem(ofRow: row, connection) else { continue }
      page.damaged.append(.init(collection: name.collection, key: name.key, problem: problem))
    }
    return page
  }

  /// The problem of a row that the index names.
  private func problem(
    ofRow row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    do throws(SQLiteError) {
      return try connection.withStatement(.wholeRecord, row) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return "its row is missing" }
        return try StoredRecord(verified: statement, connection).damage?.problem
      }
    } catch {
      guard error.isDamage else { throw error }
      return "its row cannot be read: \(error.message)"
    }
  }

  // MARK: Blocks

  /// Counts these, while the blocks of values of records were read with their records:
  /// - blocks that belong to no value;
  /// - values whose length is not the length of their blocks, unless a collection has begun to remove them;
  /// - values of records that are not noted as theirs;
  /// - values of which the noted length has changed.
  private func checkBlocks(_ result: inout CheckResult) throws(StoreError) {
    let (counts, end) = try database.inspect(.check) {
      (connection) throws(SQLiteError) -> ([Int64], String?) in
      do throws(SQLiteError) {
        let counts = try connection.first(.countBlocks) { statement in
          (0..<4).map { statement.int($0) }
        }
        return (counts ?? [], nil)
      } catch {
        guard error.isDamage else { throw error }
        return ([], error.message)
      }
    }
    let problems = [
      "blocks of values belong to none", "values in blocks are not as long as they were",
      "values in blocks are noted as another record's, or as nobody's, until the next sweep",
      "values in blocks are noted with a wrong length, until the next sweep",
    ]
    for (count, problem) in zip(counts, problems) where count > 0 {
      result.problems.append("\(count) \(problem)")
    }
    if let end { result.problems.append("the blocks of values cannot be followed: \(end)") }
  }

  // MARK: Order

  private func checkSequence(_ result: inout CheckResult) throws(StoreError) {
    let isIntact = try database.inspect(.check) { (connection) throws(SQLiteError) in
      do throws(SQLiteError) {
        return try Self.isSequenceIntact(connection)
      } catch {
        guard error.isDamage else { throw error }
        return false
      }
    }
    if !isIntact {
      result.problems.append(
        "the number by which marks and answers are put in order has changed on the disk")
    }
  }

  // MARK: Local writes

  private func checkOutbox(_ result: inout CheckResult) throws(StoreError) {
    let (damaged, end) = try database.inspect(.check) {
      (connection) throws(SQLiteError) -> ([CheckResult.DamagedRecord], String?) in
      var damaged: [CheckResult.DamagedRecord] = []
      do throws(SQLiteError) {
        try connection.withStatement(.everyWrite) { (statement) throws(SQLiteError) in
          while try statement.step() {
            let write = StoredWrite(row: statement)
            guard !write.isIntact else { continue }
            damaged.append(
              .init(
                collection: write.collection, key: write.key,
                problem: "local write \(write.id): \(StoredWrite.damage)"))
          }
        }
      } catch {
        guard error.isDamage else { throw error }
        return (damaged, error.message)
      }
      return (damaged, nil)
    }
    result.damagedRecords += damaged
    if let end {
      result.problems.append("the local writes cannot be followed to their end: \(end)")
    }
  }

  // MARK: Bases

  /// Checks the known states of the sources of records with local writes, with their values.
  private func checkBases(_ result: inout CheckResult) throws(StoreError) {
    var last = Int64.min
    while true {
      let page = try basesToCheck(after: last)
      result.damagedRecords += page.damaged
      if let words = page.end {
        result.problems.append(
          "the states below local writes cannot be followed to their end: \(words)")
        return
      }
      // Out of order they might never end.
      guard let row = page.row, row > last else { return }
      last = row
    }
  }

  private struct BasesPage: Sendable {
    var damaged: [CheckResult.DamagedRecord] = []
    /// The last row; `nil` without one.
    var row: Int64?
    /// The reason why they could not be followed further; `nil` when they could.
    var end: String?
  }

  private func basesToCheck(after last: Int64) throws(StoreError) -> BasesPage {
    try database.inspect(.check) { (connection) throws(SQLiteError) -> BasesPage in
      var page = BasesPage()
      do throws(SQLiteError) {
        try connection.withStatement(.wholeBases, last, Self.pageLength) {
          (statement) throws(SQLiteError) in
          var bytes: Int64 = 0
          while bytes < Self.bytesAtOnce, try statement.step() {
            let names = (
              statement.text(StoredRecord.firstAfterJudged + 1),
              statement.text(StoredRecord.firstAfterJudged + 2)
            )
            var base = StoredRecord(row: statement, extent: .whole, of: names)
            try connection.verifyBlocks(of: &base)
            bytes += base.content.size
            page.row = base.row
            guard var damage = base.damage else { continue }
            damage.problem = "the known state of its source below a local write: \(damage.problem)"
            page.damaged.append(damage)
          }
        }
      } catch {
        guard error.isDamage else { throw error }
        page.end = error.message
      }
      return page
    }
  }
}

extension StoredRecord {
  /// Reads a row with its value, or the blocks of its value one after the other.
  fileprivate init(
    verified row: borrowing Statement, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    self.init(row: row, extent: .whole)
    try connection.verifyBlocks(of: &self)
  }

  /// The problem of a record that was read whole; `nil` without one.
  var damage: CheckResult.DamagedRecord? {
    guard !isIntact else { return nil }
    return .init(
      collection: content.collection, key: content.key,
      problem: rowChecksum == checksum
        ? "its value does not match its checksum" : "its columns do not match their checksum")
  }
}

extension SQL {
  fileprivate static let integrityCheck = SQL("PRAGMA integrity_check")
  fileprivate static let wholeRecords = SQL(
    """
    SELECT \(StoredRecord.columns), 0, \(StoredRecord.value) FROM \(StoredRecord.table) WHERE r.id > ?1
    ORDER BY r.id LIMIT ?2
    """)
  fileprivate static let wholeRecord = SQL(
    "SELECT \(StoredRecord.columns), 0, \(StoredRecord.value) FROM \(StoredRecord.table) WHERE r.id = ?1"
  )
  /// The length of a block is known without a look at its bytes.
  fileprivate static let countBlocks = SQL(
    """
    SELECT
      (SELECT count(*) FROM content_block b
        WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.id = b.place >> 20)),
      (SELECT count(*) FROM content c WHERE c.goes_at IS NULL
        AND \(StoredRecord.sizeOfContent) <> \(StoredRecord.bytesOfBlocks)),
      (SELECT count(*) FROM record r JOIN content c ON c.id = r.content
        WHERE r.content IS NOT NULL
          AND (c.record IS NOT r.id OR c.arrives_by IS NOT NULL OR c.goes_at IS NOT NULL)),
      (SELECT count(*) FROM content c WHERE c.size IS NOT ~c.size_check)
    """)
  fileprivate static let everyWrite = SQL(
    "SELECT \(StoredWrite.columns) FROM outbox o ORDER BY o.id")
  fileprivate static let namesUpwards = SQL(
    """
    SELECT id, collection, key FROM record INDEXED BY sqlite_autoindex_record_1
    WHERE (collection, key) > (?1, ?2) AND ?3 IS ?3 AND ?4 IS ?4
    ORDER BY collection, key LIMIT ?5
    """)
  fileprivate static let namesDownwards = SQL(
    """
    SELECT id, collection, key FROM record INDEXED BY sqlite_autoindex_record_1
    WHERE (collection, key) > (?1, ?2) AND (?3 IS NULL OR (collection, key) < (?3, ?4))
    ORDER BY collection DESC, key DESC LIMIT ?5
    """)
  fileprivate static let wholeBases = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, r.value, r.collection, r.key FROM base r
    WHERE r.id > ?1 ORDER BY r.id LIMIT ?2
    """)
}
