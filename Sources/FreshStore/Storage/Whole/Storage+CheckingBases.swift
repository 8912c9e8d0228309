extension Storage {
  /// The bases, and the bytes of their values, that are read in one snapshot.
  private static let basesAtOnce: Int64 = 100
  private static let bytesOfBases: Int64 = 64 << 20

  /// Checks the known states of the sources of records with local writes, with their values.
  func checkBases(_ result: inout CheckResult) throws(StoreError) {
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
        try connection.withStatement(.wholeBases, last, Self.basesAtOnce) {
          (statement) throws(SQLiteError) in
          var bytes: Int64 = 0
          while bytes < Self.bytesOfBases, try statement.step() {
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

extension SQL {
  fileprivate static let wholeBases = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, r.value, r.collection, r.key FROM base r
    WHERE r.id > ?1 ORDER BY r.id LIMIT ?2
    """)
}
