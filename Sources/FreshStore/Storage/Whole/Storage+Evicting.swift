internal import Strategies

/// Room for a write in a file that has reached its limit (``Configuration/maximumSize``).
extension Storage {
  /// Removes copies that their sources can give again, as a part of the write that finds no room: if that fails nothing is
  /// removed. Those go first that a prune by bytes would take first. What was put or written here stays, and so does
  /// what is pinned, is being fetched, or is read outside of snapshots.
  ///
  /// Cost: a pass over the table.
  ///
  /// - Parameters:
  ///   - wanted: The bytes to remove; more may be needed, as pages are shared.
  ///   - touched: The records that the write is about.
  /// - Returns: False when there is nothing, or nothing more, to remove.
  func evict(
    _ wanted: Int, besides touched: Touched?, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let (found, isAll) = try evictable(wanted, besides: touched, connection)
    guard !found.isEmpty else { return false }
    for record in found {
      guard
        let id = try connection.first(
          .idOfRow, record.row, row: { RecordID($0.text(0), $0.text(1)) })
      else { continue }
      try deleteRow(record.row, connection)
      try beginListsAnew(with: id.key, in: id.collection, connection)
    }
    try removeSomeBlocks(.max, now: now, connection)
    try log(.removed, nil, nil, connection)
    return !isAll
  }

  private func evictable(
    _ wanted: Int, besides touched: Touched?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (found: [Prunable], isAll: Bool) {
    let used = database.memory.used
    let kept = Set(
      (touched?.parts ?? []).flatMap { part in
        part.keys.map { RecordID(part.collection.text, $0) }
      })
    var (found, last) = ([Prunable](), Int64.min)
    try connection.withStatement(.evictable) { (statement) throws(SQLiteError) in
      // In a damaged file rows may come in any order, and never end.
      while try statement.step(), statement.int(0) > last {
        last = statement.int(0)
        let details = statement.isNull(5) ? nil : RecordDetails(encoded: statement.bytes(5))
        guard statement.bool(6) || details?.isFromSource == true,
          kept.isEmpty || !kept.contains(RecordID(statement.text(7), statement.text(8)))
        else { continue }
        found.append(
          Prunable(
            row: last, bytes: Int(statement.int(1)), checksum: statement.int(2),
            age: statement.optionalInt(3) ?? .min,
            isUsed: used.contains(
              checksum: statement.int(2), content: statement.optionalInt(4))))
      }
    }
    found.sort(by: Prunable.goesBefore)
    var bytes = 0
    let first = found.prefix { record in
      defer { bytes += record.bytes }
      return bytes < wanted
    }
    return (Array(first), first.count == found.count)
  }
}

extension SQL {
  fileprivate static let evictable = SQL(
    """
    SELECT id, \(StoredRecord.footprint), checksum, \(ageOfPrunable), record.content, details,
      NOT (\(RecordFlags.isValue)), collection, key
    FROM record WHERE \(isLoose) AND \(isAtRest) AND (record.content IS NULL OR EXISTS (
      SELECT 1 FROM content c WHERE c.id = record.content AND c.streams = 0))
    ORDER BY id
    """)
  fileprivate static let idOfRow = SQL("SELECT collection, key FROM record WHERE id = ?1")
}
