package import Strategies

/// Reads, from a damaged file, the records that no source can give again: puts and pinned records.
///
/// SQLite stops at the first page that it cannot read. This reader goes on behind it: a damaged page costs only the
/// rows on it. Below a damaged page that leads to others, only `freshstore recover` finds more.
package enum SourcelessRecords {
  /// Calls `body` for each of them, with its tags; false when others may exist that cannot be read.
  ///
  /// The value is read from its blocks, and belongs to none. The mark is the one that covers the
  /// record, or tells that such a mark may be lost.
  package static func read(
    _ file: borrowing Connection, at now: Timestamp,
    _ body: (StoredRecord, Set<String>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    let marks = Marks(file)
    var (isWhole, stops) = (true, 0)
    var next: Int64? = 0
    while let start = next {
      let page = page(from: start, file)
      for record in page.records {
        guard !record.isPending, record.kind == .value || !record.isIntact else { continue }
        guard let found = complete(record, marks, at: now, file) else {
          isWhole = false
          continue
        }
        if record.isPinned || hasNoSource(record, file) { try body(found.record, found.tags) }
      }
      let last = page.records.last?.row ?? start - 1
      switch page.end {
      case .full: next = last < .max ? last + 1 : nil
      case .last: next = nil
      case .damage:
        // Noise can look like rows without end.
        stops += 1
        guard stops <= mostStops else { return false }
        isWhole = false
        next = readable(after: last, file)
      }
    }
    return isWhole
  }

  /// True for a record without a sign that it came from a source. A list comes again with its members.
  private static func hasNoSource(
    _ record: StoredRecord, _ file: borrowing Connection
  ) -> Bool {
    guard !record.content.details.isFromSource else { return false }
    do throws(SQLiteError) {
      return try !file.hasRow(.isMember, record.content.collection, record.content.key)
    } catch {
      return true
    }
  }

  // MARK: Rows

  private enum End { case full, last, damage }

  private static let rowsAtOnce: Int64 = 50
  private static let mostStops = 256

  /// The next rows, up to the first that cannot be read.
  private static func page(
    from start: Int64, _ file: borrowing Connection
  ) -> (records: [StoredRecord], end: End) {
    var records: [StoredRecord] = []
    do throws(SQLiteError) {
      let isOrdered = try file.withStatement(.rows, start, rowsAtOnce) {
        (statement) throws(SQLiteError) in
        while try statement.step() {
          let record = StoredRecord(row: statement, extent: .whole)
          // In a damaged file rows may come in any order, and never end.
          guard record.row > records.last?.row ?? start - 1 else { return false }
          records.append(record)
        }
        return true
      }
      return (records, !isOrdered ? .damage : records.count < rowsAtOnce ? .last : .full)
    } catch {
      return (records, .damage)
    }
  }

  private enum Probe { case row(Int64), nothing, damage }

  private static func probe(from id: Int64, _ file: borrowing Connection) -> Probe {
    do throws(SQLiteError) {
      return try file.first(.firstRow, id) { statement in .row(statement.int(0)) } ?? .nothing
    } catch {
      return .damage
    }
  }

  /// The number from which rows can be read again, behind a row after `id` that cannot be read; `nil` when there is
  /// none. Cost: some hundred look-ups.
  private static func readable(after id: Int64, _ file: borrowing Connection) -> Int64? {
    guard id < .max else { return nil }
    // Its page can be read, but not the pages that continue it.
    if case .row(let row) = probe(from: id + 1, file) { return row < .max ? row + 1 : nil }
    var (damaged, step) = (id + 1, Int64(1))
    while true {
      let (sum, isOver) = damaged.addingReportingOverflow(step)
      let ahead = isOver ? .max : sum
      guard case .damage = probe(from: ahead, file) else {
        return first(between: damaged, and: ahead, file)
      }
      guard ahead < .max else { return nil }
      (damaged, step) = (ahead, step * 2)
    }
  }

  private static func first(
    between damaged: Int64, and readable: Int64, _ file: borrowing Connection
  ) -> Int64 {
    var (low, high) = (damaged, readable)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if case .damage = probe(from: middle, file) { low = middle } else { high = middle }
    }
    return high
  }

  // MARK: What lies in other tables

  /// The readable part of the marks by collection, tag and prefix.
  private enum Marks {
    case none, some, unreadable

    init(_ file: borrowing Connection) {
      do throws(SQLiteError) {
        let found = try file.first(.marks) { statement in statement.int(0) }
        self = found == 0 ? .none : .some
      } catch {
        self = .unreadable
      }
    }
  }

  /// The record with its value, its mark and its tags; `nil` when its bytes are not the stored ones.
  private static func complete(
    _ record: StoredRecord, _ marks: Marks, at now: Timestamp, _ file: borrowing Connection
  ) -> (record: StoredRecord, tags: Set<String>)? {
    var record = record
    do throws(SQLiteError) {
      try file.join(&record)
    } catch {
      return nil
    }
    guard record.isIntact else { return nil }
    record.content.detach()
    record.isFailing = false
    var tags: Set<String> = []
    do throws(SQLiteError) {
      if record.isTagged { tags = Set(try Storage.tags(of: record.row, file)) }
      switch marks {
      case .none: break
      case .some:
        if record.mark == nil { record.mark = try coveringMark(record, file) }
      case .unreadable: record.mark = record.mark ?? .salvaged(at: now)
      }
    } catch {
      record.mark = record.mark ?? .salvaged(at: now)
    }
    record.isTagged = !tags.isEmpty
    return (record, tags)
  }

  private static func coveringMark(
    _ record: StoredRecord, _ file: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark? {
    try file.first(.coveringMark, record.row, record.epoch) { statement in
      StoredRecord.Mark(
        at: statement.moment(0), reason: statement.text(1),
        epoch: statement.int(2))
    }
  }
}

extension SQL {
  fileprivate static let rows = SQL(
    """
    SELECT \(StoredRecord.columnsOfRow), 0, r.value FROM record r
    WHERE r.id >= ?1 ORDER BY r.id LIMIT ?2
    """)
  fileprivate static let firstRow = SQL(
    "SELECT id FROM record NOT INDEXED WHERE id >= ?1 ORDER BY id LIMIT 1")
  /// Reads all of them.
  fileprivate static let marks = SQL(
    "SELECT coalesce(sum(1 + length(reason)), 0) FROM invalidation NOT INDEXED")
  fileprivate static let coveringMark = SQL(
    """
    SELECT i.at, i.reason, i.epoch FROM record r JOIN invalidation i
      ON i.epoch = \(StoredRecord.coveringEpoch)
    WHERE r.id = ?1 AND i.epoch > ?2
    """)
}
