internal import Strategies

/// The changes that one answer makes in several records: the copies of an address, one for each variant.
extension Storage {
  /// An open request, with the number that was drawn when it was made.
  enum OpenRequest: Sendable {
    /// The only one about its key.
    case leased(Lease)
    /// One of several.
    case question(Question)

    var number: Int64 {
      switch self {
      case .leased(let lease): lease.fence
      case .question(let question): question.number
      }
    }
  }

  /// The changes of the copies.
  struct CopyUpdate: Sendable {
    /// A record as the caller knows it. A record that has changed since then stays as it is.
    struct Known: Sendable {
      let key: String
      let variant: String?
      let metadata: String?
      /// The number of the blocks of its value, where the record is known only by these, in spite of other changes
      /// of it.
      var blocks: Int64? = nil
    }

    /// The key that stands for all of them: its marks cover every copy that is stored.
    var key: String
    var writes: [Write] = []
    /// New stamps and details of records whose bytes stay.
    var renewals: [(known: Known, write: Write)] = []
    var removals: [Known] = []
    var marks: [(key: String, reason: String)] = []

    /// The keys of the records that it may change.
    var keys: [String] {
      writes.map(\.content.key) + renewals.map(\.known.key) + removals.map(\.key)
        + marks.map(\.key)
    }

    /// The bytes of the values that it stores, except the values that lie in blocks already.
    var size: Int { writes.reduce(0) { $0 + ($1.content.value?.count ?? 0) } }
  }

  /// Ends a request, and makes the changes that its answer demands, inside a transaction. False when a put, a
  /// removal or a wipe has overtaken it: then it changes nothing.
  func update(
    _ collection: String, _ update: CopyUpdate, answering request: OpenRequest, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try self.close(request, connection) else { return false }
    for known in update.removals where try isThere(known, of: collection, connection) {
      guard try delete(collection, known.key, connection) else { continue }
      try beginListsAnew(with: known.key, in: collection, connection)
      try log(.removed, collection, known.key, connection)
    }
    for (key, reason) in update.marks {
      let mark = StoredRecord.Mark(
        at: moment(from: now), reason: reason, epoch: try nextNumber(connection))
      guard try self.mark(collection, key, mark, connection) else { continue }
      try log(.marked, collection, key, connection)
    }
    for (known, write) in update.renewals {
      let current = try record(collection, known.key, joins: false, connection)
      guard let current, current.isSame(as: known) else { continue }
      var write = write
      write.content.keepValue(of: current.content)
      try land(write, as: .revalidated, of: update, request, now: now, connection)
    }
    for write in update.writes {
      if let blocks = write.content.blocks, try !isComplete(blocks, connection) { continue }
      try land(write, as: .stored, of: update, request, now: now, connection)
    }
    return true
  }

  /// Ends a request; false when nothing may be stored of its answer.
  private func close(
    _ request: OpenRequest, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    switch request {
    case .leased(let lease): return try end(lease, connection)
    case .question(let question):
      let isOpen = try isLeased(Self.noCollection, question.name, connection)
      try dropLease(Self.noCollection, question.name, connection)
      guard isOpen else { return false }
      return try question.number > lastWipe(connection)
    }
  }

  private func land(
    _ write: Write, as kind: Change.Kind, of update: CopyUpdate, _ request: OpenRequest,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (collection, key) = (write.content.collection, write.content.key)
    let current = try record(collection, key, joins: false, connection)
    guard
      case .stored(let record) = try land(
        write, over: current, asked: request.number, now: now, connection)
    else { return }
    try log(kind, collection, key, connection)
    var isMarked = record.mark != nil
    // The marker of an address does not know the variant that was in flight.
    if !isMarked, !key.utf8.elementsEqual(update.key.utf8),
      let mark = try mark(
        over: collection, update.key, tags: [], standing: nil, since: request.number, connection)
    {
      try markStanding(record, mark, connection)
      isMarked = true
    }
    if isMarked { try log(.marked, collection, key, connection) }
  }

  private func isThere(
    _ known: CopyUpdate.Known, of collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try record(collection, known.key, joins: false, connection)?.isSame(as: known) ?? false
  }

  /// The keys of a collection that begin with a prefix, in their order. Cost: one range of the index of keys.
  func keys(
    of collection: String, beginningWith prefix: String, limit: Int
  ) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      let found = try connection.rows(.keysFrom, collection, prefix, Int64(limit)) { statement in
        statement.text(0)
      }
      return found.filter { $0.utf8.starts(with: prefix.utf8) }
    }
  }

  /// True where there is no record of a key, and none of any key that begins with a prefix.
  func hasNone(
    of collection: String, _ key: String, beginningWith prefix: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try !connection.hasRow(.isThere, collection, key) else { return false }
    return try !hasAny(of: collection, beginningWith: prefix, connection)
  }

  /// True where there is a record under a key, and one under any that begins with a prefix.
  func hasBoth(
    of collection: String, _ key: String, beginningWith prefix: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try connection.hasRow(.isThere, collection, key) else { return false }
    return try hasAny(of: collection, beginningWith: prefix, connection)
  }

  private func hasAny(
    of collection: String, beginningWith prefix: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let next = try connection.first(.keysFrom, collection, prefix, Int64(1)) { statement in
      statement.text(0)
    }
    return next?.utf8.starts(with: prefix.utf8) == true
  }
}

extension StoredRecord {
  /// True for the very answer that a caller knows: the details of an answer include its time. Where the caller
  /// knows only the blocks, these have to be the same.
  func isSame(as known: Storage.CopyUpdate.Known) -> Bool {
    guard kind == .value, !isPending else { return false }
    if let blocks = known.blocks { return content.blocks?.id == blocks }
    return isIntact
      && content.metadata.hasSameBytes(as: known.metadata)
      && content.variant.hasSameBytes(as: known.variant)
  }
}

extension SQL {
  fileprivate static let isThere = SQL("SELECT 1 FROM record WHERE collection = ?1 AND key = ?2")
  fileprivate static let keysFrom = SQL(
    "SELECT key FROM record WHERE collection = ?1 AND key >= ?2 ORDER BY key LIMIT ?3")
}
