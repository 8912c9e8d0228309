internal import Strategies

/// One change of a list, inside its transaction.
struct ListUpdate {
  let storage: Storage
  let change: Storage.ListChange
  let row: Int64
  /// The source's news of members without their values may be as recent as this transaction: the
  /// mark covers every open request.
  let mark: StoredRecord.Mark
  let askedAt: Timestamp
  let now: ClockReading

  func applied(_ connection: borrowing Connection) throws(SQLiteError) -> FollowedList {
    var result = change.followed
    let present = Set(names: change.members)
    // A member that was removed and added again since the cursor exists.
    let leaving = try (result.isFull ? storage.members(of: row, connection) : change.removals)
      .filter { !present.contains($0) }
    for key in change.members { try run(.addMember, key, connection) }
    for write in change.writes { try store(write, &result, connection) }
    for key in change.named { try queue(key, isChanged: false, &result, connection) }
    for key in change.changed { try queue(key, isChanged: true, &result, connection) }
    for key in leaving { try drop(key, &result, connection) }
    try log(.stored, result.stored, connection)
    try log(.marked, result.queued, connection)
    try log(.removed, result.removed, connection)
    return result
  }

  private func store(
    _ write: Storage.Write, _ result: inout FollowedList, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let key = write.content.key
    var write = write
    write.content.lastUpdate = write.content.lastUpdate ?? askedAt
    switch try storage.land(write, asked: change.lease.fence, now: now, connection) {
    case .stored: result.stored.append(key)
    case .pending:
      try storage.markBase(change.collection, key, mark, connection)
      result.pending.append(key)
    case .overtaken(let standing):
      // It is unknown whether the source changed before or after the stored row, and the cursor
      // moves past the change.
      guard standing.contentChecksum != StoredRecord.checksum(of: write.content.value) else {
        return
      }
      _ = try storage.mark(change.collection, key, mark, connection)
      result.queued.append(key)
    }
  }

  /// Queues a record that is missing or has changed.
  private func queue(
    _ key: String, isChanged: Bool, _ result: inout FollowedList,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let current = try storage.record(change.collection, key, connection)
    guard let current, current.kind != .unfetched else {
      // A running fetch may have been answered before the change.
      if isChanged { _ = try storage.mark(change.collection, key, mark, connection) }
      if try storage.queueMember(key, of: change.collection, over: current, now: now, connection) {
        result.queued.append(key)
      }
      return
    }
    // A record that was absent at the source has changed, too; below a local write the base holds
    // the source's state.
    let known =
      current.isPending ? try Storage.base(change.collection, key, connection) : current
    let mayDiffer = isChanged || known?.kind == .absent
    guard try mayDiffer ? true : isBeingSent(key, connection) else { return }
    _ = try storage.mark(change.collection, key, mark, connection)
    if !current.isPending, current.isIntact, current.mark == nil { result.queued.append(key) }
  }

  /// True when a local write was sent whose answer may be older than the list's.
  private func isBeingSent(
    _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try Storage.writes(change.collection, key, connection).contains { $0.asked != nil }
  }

  /// Removes a key from the list, and its record unless something keeps it.
  private func drop(
    _ key: String, _ result: inout FollowedList, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try run(.dropMember, key, connection)
    let wasMember = connection.changes > 0
    // Earlier requests store nothing, and open requests may have been answered before.
    try storage.dropLease(
      change.collection, key, askedBefore: change.lease.fence, connection)
    try storage.cover(change.collection, key, by: mark, connection)
    guard let record = try storage.record(change.collection, key, connection) else { return }
    // The answer to a repeated write may report the earlier state.
    if record.isPending { try storage.markBase(change.collection, key, mark, connection) }
    guard wasMember else { return }
    if record.epoch > change.lease.fence, record.isIntact, record.kind != .unfetched {
      // The answer to a newer request stays, until the source is asked about it.
      _ = try storage.mark(change.collection, key, mark, connection)
      result.kept.append(key)
      return
    }
    let isOnAnother = try storage.isOnList(key, of: change.collection, connection)
    guard !record.isPinned, !record.isPending, !isOnAnother else {
      result.kept.append(key)
      return
    }
    try storage.deleteRow(record.row, connection)
    result.removed.append(key)
  }

  private func run(
    _ sql: SQL, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(sql, row, key)
  }

  private func log(
    _ kind: Change.Kind, _ keys: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard keys.count <= Storage.mostListChanges else {
      return try storage.log(kind, change.collection, nil, connection)
    }
    for key in keys { try storage.log(kind, change.collection, key, connection) }
  }
}

extension SQL {
  fileprivate static let addMember = SQL("INSERT OR IGNORE INTO list_member VALUES (?1, ?2)")
  fileprivate static let dropMember = SQL("DELETE FROM list_member WHERE list = ?1 AND key = ?2")
}
