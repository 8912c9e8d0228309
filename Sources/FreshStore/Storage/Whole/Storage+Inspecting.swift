extension Storage {
  /// A page of a listing, in order of collection and key.
  struct ListPage {
    var collection: String?
    var prefix = ""
    var tag: String?
    /// True for only the records whose last fetch failed; among them keys that were never fetched.
    var isFailing = false
    /// The record before the page.
    var after: (collection: String, key: String)?
    var limit: Int
  }

  /// A record of a listing.
  struct ListedRecord {
    let record: StoredRecord
    /// Sorted.
    let tags: [String]
  }

  /// The records of a page, without their values, which are verified unless they lie in blocks.
  ///
  /// Throws `damaged` where a listing that continues after the last of them might return to it again and
  /// again.
  func list(_ page: ListPage) throws(StoreError) -> [ListedRecord] {
    let rows = try rows(of: page)
    if rows.count == page.limit, let after = page.after, let last = rows.last?.record.content,
      !Self.comes(after, before: (last.collection, last.key))
    {
      throw StoreError(.damaged, .list, path: database.file.path)
    }
    return rows
  }

  /// True when a record precedes another one in the order of collection and key, compared by bytes. In a damaged
  /// file rows may come in another order than their index.
  package static func comes(
    _ first: (collection: String, key: String), before second: (collection: String, key: String)
  ) -> Bool {
    let isSame = first.collection.utf8.elementsEqual(second.collection.utf8)
    return isSame
      ? first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
      : first.collection.utf8.lexicographicallyPrecedes(second.collection.utf8)
  }

  private func rows(of page: ListPage) throws(StoreError) -> [ListedRecord] {
    try database.read(.list) { (connection) throws(SQLiteError) in
      try connection.withStatement(
        .list, page.collection, Array(page.prefix.utf8), page.after?.collection ?? "",
        page.after?.key ?? "", Int64(page.limit), page.tag, page.isFailing
      ) { (statement) throws(SQLiteError) in
        var rows: [ListedRecord] = []
        while try statement.step() {
          var record = StoredRecord(row: statement, extent: .whole)
          record.content.dropBytes()
          let tags = record.isTagged ? try Self.tags(of: record.row, connection) : []
          rows.append(ListedRecord(record: record, tags: tags))
        }
        return rows
      }
    }
  }

  /// The number of records of a listing.
  func count(
    collection: String?, prefix: String, tag: String?
  ) throws(StoreError) -> Int {
    try database.read(.list) { (connection) throws(SQLiteError) in
      try connection.first(.count, collection, Array(prefix.utf8), tag) { statement in
        Int(statement.int(0))
      } ?? 0
    }
  }

  /// The names of the collections, in order.
  func collectionNames() throws(StoreError) -> [String] {
    try database.read(.list) { (connection) throws(SQLiteError) in
      try connection.rows(.collectionNames) { statement in statement.text(0) }
    }
  }
}

extension SQL {
  fileprivate static let list = SQL(
    """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), \(StoredRecord.value)
    FROM \(StoredRecord.table)
    WHERE (?1 IS NULL OR r.collection = ?1)
      AND CASE WHEN ?7 THEN r.\(RecordFlags.isFailing) ELSE r.\(RecordFlags.isAnswer) END
      AND substr(CAST(r.key AS BLOB), 1, length(?2)) = ?2
      AND (?6 IS NULL OR r.id IN (SELECT record FROM record_tag WHERE tag = ?6))
      AND (r.collection, r.key) > (?3, ?4)
    ORDER BY r.collection, r.key LIMIT ?5
    """)
  fileprivate static let count = SQL(
    """
    SELECT count(*) FROM record
    WHERE (?1 IS NULL OR collection = ?1) AND \(RecordFlags.isAnswer)
      AND substr(CAST(key AS BLOB), 1, length(?2)) = ?2
      AND (?3 IS NULL OR id IN (SELECT record FROM record_tag WHERE tag = ?3))
    """)
  /// Jumps from name to name in the index: a DISTINCT would read it whole.
  fileprivate static let collectionNames = SQL(
    """
    WITH RECURSIVE named (name) AS (
      SELECT min(collection) FROM record
      UNION ALL
      SELECT (SELECT min(collection) FROM record WHERE collection > name) FROM named
      WHERE name IS NOT NULL)
    SELECT name FROM named WHERE name IS NOT NULL
    """)
}
