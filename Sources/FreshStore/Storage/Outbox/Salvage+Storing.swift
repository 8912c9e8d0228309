package import Strategies

/// The storing of what was recovered, in one transaction of the caller.
extension Salvage {
  package static func store(
    _ contents: Contents, at now: Timestamp, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let contents = try contents.numbered(after: connection)
    for mark in contents.marksForFleet { try Storage.keepForFleet(mark, connection) }
    for (base, tags) in contents.bases {
      var base = base
      // The keys of lost writes are unknown.
      if base.kind != .unfetched, contents.lost != 0 || !contents.hasMarks {
        base.mark = base.mark ?? (contents.lost == 0 ? .salvaged(at: now) : .lostWrite(at: now))
      }
      try Storage.replaceBase(with: base, tags: tags, connection)
    }
    for write in contents.writes.values.sorted(by: { $0.id < $1.id }) {
      let (collection, key) = (write.collection, write.key)
      var write = write
      // Numbers of another file mean nothing here: every mark counts, including the lost ones.
      let mayHaveArrived = write.attempts > 0 || write.asked != nil
      write.asked =
        !mayHaveArrived ? nil : contents.hasMarks ? 0 : StoredWrite.askedBeforeLostMarks
      write.askedAt = mayHaveArrived ? write.askedAt ?? write.writtenAt : nil
      write = try Storage.put(write, connection)
      try Storage.keepBase(collection, key, epoch: 0, connection)
      let base = try Storage.base(collection, key, joins: false, connection)
      let now = ClockReading(wall: write.writtenAt, boot: 0, sinceBoot: 0)
      let optimistic = Storage.optimistic(write, upon: base, expiry: .unstated, now: now)
      // The later write of a key replaces the earlier one.
      var row = Storage.row(of: optimistic, epoch: 0, mark: nil, now: now)
      row.isPinned =
        try connection.record(of: key, in: collection, isUncovered: true, joins: false)?.record
        .isPinned
        ?? base?.isPinned ?? false
      let tags = write.tags ?? []
      row.isTagged = !tags.isEmpty
      try Storage.put(row, connection)
      // The base was there before the row.
      if let base, base.content.blocks != nil { try Storage.keepBlocks(of: base, connection) }
      try Storage.replaceTags(
        of: Storage.row(of: collection, key, connection), with: tags, connection)
    }
    try connection.run(
      .leaveReplaced, now.millisecondsSinceEpoch,
      now.advanced(by: Storage.readersTime).millisecondsSinceEpoch)
    // Numbers from the other file must not seem newer than later requests.
    try Storage.raiseSequence(connection)
  }
}

extension Salvage.Contents {
  /// The same content, numbered after the entries in a store, as two files may use the same numbers. Writes that
  /// the store has are left out.
  fileprivate func numbered(
    after connection: borrowing Connection
  ) throws(SQLiteError) -> Self {
    let last = try connection.newestWrite()
    guard last > 0 else { return self }
    let known = Set(try connection.rows(.idempotencyKeys) { statement in statement.text(0) })
    var (numbered, numbers) = (self, [Int64: Int64]())
    numbered.writes = [:]
    for var write in writes.values.sorted(by: { $0.id < $1.id })
    where !known.contains(write.idempotencyKey) {
      let id = last + Int64(numbered.writes.count) + 1
      numbers[write.id] = id
      write.id = id
      // The one before it, if it was not read, has gone.
      write.after = write.after.flatMap { numbers[$0] }
      // Under their numbers others are known here.
      write.merged = []
      numbered.writes[id] = write
    }
    return numbered
  }
}

extension StoredRecord.Mark {
  /// Marks a source's state that a damaged file reports.
  static func salvaged(at now: Timestamp) -> StoredRecord.Mark {
    StoredRecord.Mark(at: now, reason: salvagedReason, epoch: 0)
  }

  static let salvagedReason = "marks may be lost with the damaged file"

  /// Marks a source's state from before a lost local write, which the source may have received.
  package static func lostWrite(at now: Timestamp) -> StoredRecord.Mark {
    StoredRecord.Mark(at: now, reason: "a local write was lost", epoch: 0)
  }
}

extension SQL {
  /// The values of records that these writes, or their bases, have replaced.
  fileprivate static let leaveReplaced = SQL(
    """
    UPDATE content SET goes_at = iif(streams, ?2, ?1)
    WHERE goes_at IS NULL AND record IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM record r WHERE r.id = content.record AND (r.content = content.id OR EXISTS (
        SELECT 1 FROM base b
        WHERE b.collection = r.collection AND b.key = r.key AND b.content = content.id)))
    """)
  fileprivate static let idempotencyKeys = SQL("SELECT idempotency_key FROM outbox")
}
