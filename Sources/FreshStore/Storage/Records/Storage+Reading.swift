internal import Strategies

extension Storage {
  /// The records of `keys`, by key, in one snapshot: one SELECT for up to 256 keys.
  func records(
    _ collection: String, _ keys: [String], for operation: StoreOperation = .read
  ) throws(StoreError) -> [String: StoredRecord] {
    try database.read(operation) { (connection) throws(SQLiteError) in
      guard keys.count > 256 else {
        return try self.records(collection, keys[...], connection)
      }
      return try connection.snapshot { (connection) throws(SQLiteError) in
        var found: [String: StoredRecord] = [:]
        for start in stride(from: 0, to: keys.count, by: 256) {
          let part = keys[start..<min(start + 256, keys.count)]
          found.merge(try self.records(collection, part, connection)) { first, _ in first }
        }
        return found
      }
    }
  }

  /// The current record of one key.
  func record(_ collection: String, _ key: String) throws(StoreError) -> StoredRecord? {
    try database.record(of: key, in: collection).row?.record
  }

  /// The record of one key.
  ///
  /// - Parameter joins: False for a caller that needs no value: a value in blocks is then not read.
  func record(
    _ collection: String, _ key: String, joins: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    let row = try connection.record(of: key, in: collection, isUncovered: false, joins: joins)
    guard let row else { return nil }
    return try Self.believed(row.record, connection)
  }

  /// A record that is about to be changed. A damaged row's flag for local writes is ignored: the
  /// outbox decides.
  package static func believed(
    _ record: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    guard !record.isIntact else { return record }
    var record = record
    record.isPending =
      try lastWrite(record.content.collection, record.content.key, connection) != nil
    return record
  }

  func records(
    _ collection: String, _ keys: ArraySlice<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: StoredRecord] {
    let sql: SQL = keys.count <= 16 ? .readSixteen : .readMany
    return try connection.withStatement(sql) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      // Slots without a key stay NULL, which equals nothing.
      for (index, key) in keys.enumerated() {
        try statement.bind(key, at: Int32(index + 2))
      }
      var found: [String: StoredRecord] = [:]
      while try statement.step() {
        var record = StoredRecord(row: statement, extent: .whole)
        try connection.join(&record)
        found[record.content.key] = record
      }
      return found
    }
  }

  /// The tags of a record, sorted.
  func tags(of row: Int64) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try Self.tags(of: row, connection)
    }
  }

  package static func tags(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readTags, row) { statement in statement.text(0) }
  }

  /// The newest invalidation by collection, prefix or tag that covers a record; `nil` when a sweep
  /// has just turned it into marks.
  func coveringMark(of record: StoredRecord) throws(StoreError) -> StoredRecord.Mark? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.first(.readCoveringMark, record.coveringEpoch) { statement in
        StoredRecord.Mark(
          at: statement.moment(0), reason: statement.text(1),
          epoch: record.coveringEpoch)
      }
    }
  }

  /// A record without its value, which is not read, as it may be large.
  func recordWithoutValue(
    _ collection: String, _ key: String
  ) throws(StoreError) -> StoredRecord? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.first(.readHead, collection, key) { statement in
        StoredRecord(row: statement, extent: .judged)
      }
    }
  }

  /// A record that a fleet is asked about. A value in blocks is not read: where the fleet has the same, it stays there.
  func recordToCompare(_ collection: String, _ key: String) throws(StoreError) -> StoredRecord? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try self.record(collection, key, joins: false, connection)
    }
  }

  /// A record that a fleet gets; a value that is longer than any fleet shares is not read.
  func recordToShare(_ collection: String, _ key: String) throws(StoreError) -> StoredRecord? {
    guard let head = try recordWithoutValue(collection, key) else { return nil }
    guard head.content.blocks != nil, head.content.size > Self.longestShared else {
      return try record(collection, key)
    }
    return head
  }

  private static let longestShared: Int64 = 16 << 20

  // MARK: Records with their local writes

  /// Records to be read together, in order of their keys' bytes.
  struct StatePage: Sendable {
    enum Selection: Sendable {
      /// One record, whether there is anything or not.
      case key(String)
      /// The records with a value whose keys begin with a text.
      case prefix(String)
      /// The members of a list, except the ones that do not exist.
      case list(String)
    }

    let collection: String
    let selection: Selection
    /// The key before the page.
    var after: String?
    let limit: Int
  }

  /// A record and the local writes that wait to reach its source.
  struct FoundState: Sendable {
    let key: String
    let row: StoredRow?
    /// The write that is sent first.
    var first: OutboxEntry?
    var writes = 0
  }

  /// The records of a page, in one snapshot.
  ///
  /// - Parameter known: The checksum of a row whose value the caller has already: it is not read again.
  func states(
    _ page: StatePage, now: ClockReading, known: (@Sendable (String) -> Int64?)? = nil
  ) throws(StoreError) -> [FoundState] {
    let look = StateLook(page: page, now: now, known: known)
    return try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        try look.states(connection)
      }
    }
  }
}

/// One look at records and their local writes, inside its snapshot.
private struct StateLook: Sendable {
  let page: Storage.StatePage
  let now: ClockReading
  let known: (@Sendable (String) -> Int64?)?

  func states(_ connection: borrowing Connection) throws(SQLiteError) -> [Storage.FoundState] {
    switch page.selection {
    case .key(let key): return [try state(of: key, connection)]
    case .prefix(let prefix): return try states(beginningWith: prefix, connection)
    case .list(let list): return try members(of: list, connection)
    }
  }

  private func state(
    of key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Storage.FoundState {
    let row = try connection.first(.readState, page.collection, key) {
      (statement) throws(SQLiteError) -> StoredRow in try read(statement, connection)
    }
    return try found(key, row, connection)
  }

  /// The rows come in the order of their index, so that only rows of the page are read.
  private func states(
    beginningWith prefix: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Storage.FoundState] {
    let start = max(ExactName(prefix), ExactName(page.after ?? ""))
    return try connection.withStatement(.readStates, page.collection, start.text) {
      (statement) throws(SQLiteError) in
      var states: [Storage.FoundState] = []
      while states.count < page.limit, try statement.step() {
        let row = try read(statement, connection)
        let key = row.record.content.key
        if page.limit == .max, let last = states.last?.key, ExactName(key) <= ExactName(last) {
          throw .disordered
        }
        guard key.utf8.starts(with: prefix.utf8) else { break }
        // In a damaged file rows may come in another order than their index. Even there a listing that continues
        // after its last key comes to an end.
        if let after = page.after, ExactName(key) <= ExactName(after) { continue }
        states.append(try found(key, row, connection))
      }
      return states
    }
  }

  private func members(
    of list: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Storage.FoundState] {
    return try connection.withStatement(
      .readMembersAfter, page.collection, list, page.after ?? ""
    ) { (statement) throws(SQLiteError) in
      var states: [Storage.FoundState] = []
      while states.count < page.limit, try statement.step() {
        let state = try state(of: statement.text(0), connection)
        if let record = state.row?.record, record.isIntact, record.kind == .absent { continue }
        if page.limit == .max, let last = states.last?.key, ExactName(state.key) <= ExactName(last)
        {
          throw .disordered
        }
        states.append(state)
      }
      return states
    }
  }

  /// The current row, without the value that the caller has.
  private func read(
    _ statement: borrowing Statement, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRow {
    if let known {
      let record = StoredRecord(row: statement, extent: .judged)
      if record.isIntact, known(record.content.key) == record.checksum { return StoredRow(record) }
    }
    var record = StoredRecord(row: statement, extent: .whole)
    try connection.join(&record)
    return StoredRow(record)
  }

  private func found(
    _ key: String, _ row: StoredRow?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Storage.FoundState {
    var state = Storage.FoundState(key: key, row: row)
    // The flag of a damaged row may be the damage.
    guard let row, row.record.isPending || !row.record.isIntact else { return state }
    guard let first = try Storage.firstWrite(page.collection, key, connection) else { return state }
    state.first = first.entry(at: now)
    state.writes =
      try connection.first(.countWritesOfKey, page.collection, key) { statement in
        Int(statement.int(0))
      } ?? 0
    return state
  }
}

extension SQL {
  private static let ofCollection = """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), \(StoredRecord.value)
    FROM \(StoredRecord.table) WHERE r.collection = ?1
    """

  private static func read(slots: Int) -> SQL {
    let parameters = (0..<slots).map { "?\($0 + 2)" }.joined(separator: ", ")
    return SQL(ofCollection + " AND r.key IN (\(parameters))")
  }

  fileprivate static let readSixteen = read(slots: 16)
  fileprivate static let readMany = read(slots: 256)
  fileprivate static let readTags = SQL("SELECT tag FROM record_tag WHERE record = ?1 ORDER BY tag")
  fileprivate static let readCoveringMark = SQL(
    "SELECT at, reason FROM invalidation WHERE epoch = ?1")
  fileprivate static let readState = SQL(ofCollection + " AND r.key = ?2")
  fileprivate static let readStates = SQL(
    ofCollection + " AND r.key >= ?2 AND r.\(RecordFlags.isValue) ORDER BY r.key")
  fileprivate static let readMembersAfter = SQL(
    """
    SELECT m.key FROM list l JOIN list_member m ON m.list = l.id
    WHERE l.collection = ?1 AND l.name = ?2 AND m.key > ?3 ORDER BY m.key
    """)
  fileprivate static let countWritesOfKey = SQL(
    "SELECT count(*) FROM outbox WHERE collection = ?1 AND key = ?2")
  fileprivate static let readHead = SQL(
    """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch) FROM \(StoredRecord.table)
    WHERE r.collection = ?1 AND r.key = ?2
    """)
}
