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
    // What is on no page was missing from the first one on.
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
  /// A push, or a fetch, that kept one may have shown that it is back on the list: that comes with an
  /// answer that was asked for later, and only such an answer removes it.
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

  /// Removes the record of a key that is not on the list; false when there is one that stays. Later answers
  /// look again at one that no other list accounts for.
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
    // A fetch of a member that is under way brings the record back.
    let staysForNow = try isHeld ? true : storage.isLeased(collection, key, connection)
    try storage.noteFormerMember(key, of: row, stays: staysForNow && !isOnAnother, connection)
    return record == nil || !(isHeld || isOnAnother)
  }

  private func isAnswer(_ record: StoredRecord, toLaterThan asked: Int64) -> Bool {
    record.epoch > asked && record.isIntact && record.kind != .unfetched
  }
}

extension SQL {
  fileprivate static let dropMember = SQL("DELETE FROM list_member WHERE list = ?1 AND key = ?2")
  fileprivate static let unseenMembers = SQL(
    "SELECT key FROM list_member WHERE list = ?1 AND coalesce(seen, 0) < ?2 ORDER BY key")
}
