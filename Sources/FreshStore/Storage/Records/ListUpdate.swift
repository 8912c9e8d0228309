internal import Strategies

/// One change of a list, inside its transaction.
struct ListUpdate {
  let storage: Storage
  let change: Storage.ListChange
  let row: Int64
  /// The source's news of members without their values may be as recent as this transaction: the
  /// mark covers every open request.
  let mark: StoredRecord.Mark
  /// When the source was asked for the first page, or for all of it.
  let began: Timestamp
  let now: ClockReading

  private var askedAt: Timestamp { change.known.wall(at: now) }

  /// Renews copies as of this request.
  private var renewal: ListRenewal {
    ListRenewal(
      storage: storage, collection: change.collection, contentVersion: change.contentVersion,
      number: change.lease.fence, askedAt: askedAt, now: now)
  }

  /// Renews copies as of the request for the first page: later changes come with the next update.
  private var renewalOfOthers: ListRenewal {
    ListRenewal(
      storage: storage, collection: change.collection, contentVersion: change.contentVersion,
      number: change.number, askedAt: began, now: now)
  }

  func applied(_ connection: borrowing Connection) throws(SQLiteError) -> FollowedList {
    var result = change.followed
    let present = Set(names: change.members)
    let former = try storage.formerMembers(of: row, connection)
    // A member that was removed and added again since the cursor exists.
    let leaving = try leaving(connection).filter { !present.contains($0) }
    for key in change.members where try add(key, connection) { result.isRearranged = true }
    for write in change.writes { try store(write, &result, connection) }
    for key in change.named { try queue(key, isChanged: false, &result, connection) }
    for key in change.changed { try queue(key, isChanged: true, &result, connection) }
    for key in change.unchanged { try confirm(key, &result, connection) }
    for key in leaving { try drop(key, &result, connection) }
    try dropFormer(former, besides: present, &result, connection)
    if change.vouchesForOthers, let basis = change.basis {
      let others = try renewalOfOthers.renewMembers(
        of: row, since: basis, notSeenSince: change.walk?.number, besides: present, connection)
      result.renewed += others
    }
    try log(.stored, result.stored, connection)
    try log(.revalidated, result.renewed, connection)
    try log(.marked, result.queued, connection)
    try log(.removed, result.removed, connection)
    if result.isRearranged { try storage.log(.listed, change.collection, nil, connection) }
    return result
  }

  /// Adds a member; false when it was one.
  private func add(
    _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard change.isPage else {
      try connection.run(.addMember, row, key)
      return connection.changes > 0
    }
    let isNew = try !connection.hasRow(.readMember, row, key)
    try connection.run(.seeMember, row, key, change.lease.fence)
    return isNew
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
    case .outdated:
      // Only the source tells which of the two was first, and what it holds.
      try storage.queueMember(key, of: change.collection, now: now, connection)
      result.queued.append(key)
    }
  }

  /// Queues a record that is missing, cannot be used, or has changed.
  private func queue(
    _ key: String, isChanged: Bool, _ result: inout FollowedList,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let current = try storage.record(change.collection, key, joins: false, connection)
    guard let current, current.kind != .unfetched,
      current.isPending || isUsable(current) || (isChanged && current.isIntact)
    else {
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
      current.isPending
      ? try Storage.base(change.collection, key, joins: false, connection) : current
    let mayDiffer = isChanged || known?.kind == .absent
    guard try mayDiffer ? true : isBeingSent(key, connection) else { return }
    _ = try storage.mark(change.collection, key, mark, connection)
    if !current.isPending, current.isIntact, current.mark == nil { result.queued.append(key) }
  }

  /// False for a copy that no read takes at any age.
  private func isUsable(_ copy: StoredRecord) -> Bool {
    copy.isIntact && (copy.kind != .value || copy.content.contentVersion == change.contentVersion)
  }

  /// Renews a copy that the source says is current.
  private func confirm(
    _ key: String, _ result: inout FollowedList, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let current = try storage.record(change.collection, key, joins: false, connection)
    let isBeneath = current?.isPending == true
    let known =
      isBeneath ? try Storage.base(change.collection, key, joins: false, connection) : current
    guard let known, known.kind == .value, isUsable(known),
      // The copy that it compared may be from before the write arrived.
      try isBeneath ? !isBeingSent(key, connection) : true
    else {
      return try queue(key, isChanged: false, &result, connection)
    }
    guard known.epoch <= change.lease.fence else {
      // It compared another copy; which of the two is younger is unknown.
      _ = try storage.mark(change.collection, key, mark, connection)
      if !isBeneath { result.queued.append(key) }
      return
    }
    // A younger mark stays.
    guard (known.mark?.epoch ?? 0) <= change.lease.fence else { return }
    if isBeneath {
      try renewal.renewBase(known, connection)
    } else {
      try renewal.renew(known, connection)
      result.renewed.append(key)
    }
  }

  /// True when a local write was sent whose answer may be older than the list's.
  private func isBeingSent(
    _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try Storage.writes(change.collection, key, connection).contains { $0.asked != nil }
  }

  private func log(
    _ kind: Change.Kind, _ keys: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try storage.log(kind, eachOf: keys, in: change.collection, connection)
  }
}

/// Records that leave a list, and go with it unless something keeps them.
extension ListUpdate {
  /// The keys that have left, some of which may be present all the same.
  func leaving(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    // A page of the whole list, too, may take back what a page before has brought.
    guard change.isFull, change.next == nil else { return change.removals }
    guard let walk = change.walk else {
      return try change.removals + storage.members(of: row, connection)
    }
    let unseen = try connection.rows(.unseenMembers, row, walk.number) { statement in
      statement.text(0)
    }
    return change.removals + unseen
  }

  /// Removes a key from the list, and its record unless something keeps it.
  func drop(
    _ key: String, _ result: inout FollowedList, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.dropMember, row, key)
    let wasMember = connection.changes > 0
    if wasMember { result.isRearranged = true }
    // A member on no page was missing from the first one on.
    let asked = change.isFull ? change.number : change.lease.fence
    // Earlier requests store nothing, and open requests may have been answered before.
    try storage.dropLease(change.collection, key, askedBefore: asked, connection)
    try storage.cover(change.collection, key, by: mark, connection)
    let record = try storage.record(change.collection, key, joins: false, connection)
    // The answer to a repeated write may report the earlier state.
    if record?.isPending == true { try storage.markBase(change.collection, key, mark, connection) }
    guard wasMember else { return }
    if let record, isAnswer(record, toLaterThan: asked) {
      // The answer to a newer request stays, until the source is asked about it.
      _ = try storage.mark(change.collection, key, mark, connection)
    }
    if try !remove(record, of: key, asked: asked, &result, connection) { result.kept.append(key) }
  }

  /// Removes the records that have left the list earlier, and that nothing keeps any more.
  ///
  /// A push or a fetch that kept a record may have shown that it is back on the list. An answer that was asked for
  /// later brings that, and only such an answer removes the record.
  func dropFormer(
    _ former: [String], besides present: Set<ExactName>, _ result: inout FollowedList,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let tellsOfOthers = change.next == nil && (change.isFull || change.basis != nil)
    for key in former {
      if present.contains(key) {
        try storage.noteFormerMember(key, of: row, stays: false, connection)
      } else if tellsOfOthers {
        let record = try storage.record(change.collection, key, joins: false, connection)
        _ = try remove(record, of: key, asked: change.number, &result, connection)
      }
    }
  }

  /// Removes the record of a key that is not on the list; false when there is one that stays. Later answers look
  /// again at a record that is on no other list.
  private func remove(
    _ record: StoredRecord?, of key: String, asked: Int64, _ result: inout FollowedList,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let collection = change.collection
    let isOnAnother = try storage.isOnList(key, of: collection, connection)
    let isHeld =
      record.map { $0.isPinned || $0.isPending || isAnswer($0, toLaterThan: asked) } ?? false
    if !isHeld, !isOnAnother {
      try storage.dropLease(collection, key, askedBefore: asked, connection)
      if let record {
        // With the row goes its mark, which an open request may have to be covered by.
        try storage.cover(collection, key, by: mark, connection)
        try storage.deleteRow(record.row, connection)
        result.removed.append(key)
      }
    }
    // A running fetch of a member brings the record back.
    let staysForNow = try isHeld ? true : storage.isLeased(collection, key, connection)
    try storage.noteFormerMember(key, of: row, stays: staysForNow && !isOnAnother, connection)
    return record == nil || !(isHeld || isOnAnother)
  }

  private func isAnswer(_ record: StoredRecord, toLaterThan asked: Int64) -> Bool {
    record.epoch > asked && record.isIntact && record.kind != .unfetched
  }
}

extension SQL {
  fileprivate static let addMember = SQL(
    "INSERT OR IGNORE INTO list_member (list, key) VALUES (?1, ?2)")
  fileprivate static let readMember = SQL(
    "SELECT 1 FROM list_member WHERE list = ?1 AND key = ?2")
  fileprivate static let seeMember = SQL(
    """
    INSERT INTO list_member (list, key, seen) VALUES (?1, ?2, ?3)
    ON CONFLICT (list, key) DO UPDATE SET seen = ?3
    """)
  fileprivate static let dropMember = SQL("DELETE FROM list_member WHERE list = ?1 AND key = ?2")
  fileprivate static let unseenMembers = SQL(
    "SELECT key FROM list_member WHERE list = ?1 AND coalesce(seen, 0) < ?2 ORDER BY key")
}
