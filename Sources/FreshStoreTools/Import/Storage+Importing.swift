internal import FreshStore
internal import Strategies

extension Storage {
  /// The verdict on a record to import.
  enum ImportVerdict {
    case take
    /// The existing copy is as new, or newer.
    case keep
    /// The record has a local write.
    case pending
  }

  /// Imports as many of the records as the time allows, at least one, in one write transaction.
  func importRecords(
    _ records: ArraySlice<ExportedRecord>, as question: String, replaces: Bool,
    within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    try database.turn(.import) { (connection, start) throws(SQLiteError) in
      try self.hold(question, now: now, connection)
      var work = Database.Work()
      let number = try self.currentNumber(connection)
      for record in records {
        if work.done > 0, ContinuousClock.now - start >= budget { break }
        work.done += 1
        switch try Self.verdict(on: record, replaces: replaces, now: now, connection) {
        case .keep: continue
        case .pending: work.pending += 1
        case .take:
          let taken = try self.take(record, number, replaces: replaces, now: now, connection)
          work.changed += 1
          if taken.mark != nil { work.marked += 1 }
          work.bytes += record.content.value?.count ?? 0
        }
      }
      if work.changed > 0 { try self.log(.stored, nil, nil, connection) }
      // The marked records are in the queue, which a process that fetches stale records must read.
      if work.marked > 0 { try self.log(.marked, nil, nil, connection) }
      return work
    }
  }

  /// The verdicts on the records.
  func weigh(
    _ records: [ExportedRecord], replaces: Bool, now: ClockReading
  ) throws(StoreError) -> Database.Work {
    try database.read(.import) { (connection) throws(SQLiteError) in
      var work = Database.Work()
      for record in records {
        work.done += 1
        switch try Self.verdict(on: record, replaces: replaces, now: now, connection) {
        case .keep: continue
        case .pending: work.pending += 1
        case .take:
          work.changed += 1
          work.bytes += record.content.value?.count ?? 0
        }
      }
      return work
    }
  }

  private static func verdict(
    on record: ExportedRecord, replaces: Bool, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> ImportVerdict {
    let found = try standing(record.content.collection, record.content.key, connection)
    guard let found else { return .take }
    guard !found.isPending else { return .pending }
    guard !replaces, found.isIntact, found.kind != .unfetched else { return .take }
    guard let ours = found.statedLastUpdate(at: now) else {
      return record.content.lastUpdate == nil ? .keep : .take
    }
    guard let theirs = record.content.lastUpdate else { return .keep }
    return theirs > ours ? .take : .keep
  }

  private func take(
    _ record: ExportedRecord, _ number: Int64, replaces: Bool, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    let write = Write(
      content: record.content, kind: record.kind, tags: Set(record.tags),
      // A pin set here is kept.
      isPinned: record.isPinned || replaces ? record.isPinned : nil)
    let (collection, key) = (record.content.collection, record.content.key)
    let epoch = try Self.epoch(at: record.content.lastUpdate, connection)
    let standing = try Self.standing(collection, key, connection)
    // A mark from after the copy's last update stays.
    let kept = standing.flatMap { standing in
      standing.mark.flatMap { mark in
        let isOlder =
          record.content.lastUpdate.map { standing.latest(mark.at, at: now) < $0 } ?? false
        return mark.epoch > 0 && !isOlder ? mark : nil
      }
    }
    let covering = try mark(
      over: collection, key, tags: Set(record.tags), standing: kept, since: epoch, connection)
    let own = record.mark.map { mark in
      StoredRecord.Mark(
        at: mark.at, reason: mark.reason, epoch: mark.isExplicit ? Self.numberOfMark(number) : 0)
    }
    let awaited = try standing.flatMap { (standing) throws(SQLiteError) in
      try Self.markOfQueue(on: standing, since: record.content.lastUpdate, number, connection)
    }
    return try store(
      write, epoch: epoch, mark: covering ?? awaited ?? own, now: now, connection)
  }

  /// The mark of a record that a list has named and that waits for its first fetch, if the copy is older than the
  /// list.
  private static func markOfQueue(
    on standing: StoredRecord, since lastUpdate: Timestamp?, _ number: Int64,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark? {
    guard standing.kind == .unfetched else { return nil }
    let place = try connection.first(.importPlace, standing.row) { $0.optionalInt(0) }
    guard let place = place ?? nil else { return nil }
    let moment = Timestamp(millisecondsSinceEpoch: place)
    if let lastUpdate, lastUpdate > moment { return nil }
    return .init(at: moment, reason: "waits to be fetched since", epoch: numberOfMark(number))
  }

  /// The number of an imported mark. It is even, as the fleet does not know the mark.
  private static func numberOfMark(_ number: Int64) -> Int64 { max(2, number &+ (number & 1)) }

  private static func standing(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    let found = try connection.first(.importStamps, collection, key) { statement in
      StoredRecord(row: statement, extent: .stamps)
    }
    return try found.map { (found) throws(SQLiteError) in try believed(found, connection) }
  }

  /// The number of the last invalidation before a moment: later ones cover a record updated then.
  private static func epoch(
    at moment: Timestamp?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.first(.importEpoch, moment?.millisecondsSinceEpoch ?? .min) { $0.int(0) } ?? 0
  }

  /// Ends an import's lease, and makes everything committed so far durable.
  func settleImport(_ question: String) throws(StoreError) {
    try database.write(.import, .full) { (connection) throws(SQLiteError) in
      try self.dropLease(Self.noCollection, question, connection)
      // A synced commit also syncs the log before it.
      _ = try self.nextNumber(connection)
    }
  }
}

extension SQL {
  fileprivate static let importStamps = SQL(
    "SELECT \(StoredRecord.columns) FROM \(StoredRecord.table) WHERE r.collection = ?1 AND r.key = ?2"
  )
  fileprivate static let importPlace = SQL("SELECT queue_at FROM record WHERE id = ?1")
  fileprivate static let importEpoch = SQL(
    "SELECT coalesce(max(epoch), 0) FROM invalidation WHERE at < ?1")
}
