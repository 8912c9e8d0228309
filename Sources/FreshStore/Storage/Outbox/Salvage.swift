internal import Strategies

/// Recovers the content that only damaged files have, into the stores that replaced them:
/// - the local writes that can be read, each with the known state of its source where that can be read too;
/// - the values that no source can give again.
package struct Salvage {
  let file: DatabaseFile

  /// The recovered content.
  struct Result {
    var writes = 0
    var values = 0
    /// The files of which some parts cannot be read.
    var partlyRead: [String] = []
  }

  /// The readable content of a damaged file.
  package struct Contents {
    package var writes: [Int64: StoredWrite] = [:]
    package var bases: [(base: StoredRecord, tags: Set<String>)] = []
    /// Entries that could not be read; `nil` when their number is unknown.
    package var lost: Int? = 0
    /// Marks that the fleet does not have yet.
    package var marksForFleet: [Storage.MarkForFleet] = []
    /// False when marks by collection, tag and prefix are lost with the file.
    package var hasMarks = false

    package init() {}
  }

  /// Recovers waiting entries, and then values.
  ///
  /// - Throws: `writesLost` when an entry cannot be read and the configuration does not accept that. Then nothing
  ///   of that file is recovered, and the next open tries again.
  func run(into connection: borrowing Connection) throws(StoreError) -> Result {
    var result = Result()
    for aside in file.unsalvaged {
      result.writes += try takeOver(aside, connection)
      file.noteSalvaged(aside, DatabaseFile.writesMark)
    }
    for aside in file.unsalvagedValues {
      result.writes += try takeUnmarkedWrites(of: aside, connection)
    }
    // The newer ones first: they stay.
    for aside in file.unsalvagedValues.reversed() {
      try takeValues(of: aside, connection, &result)
    }
    return result
  }

  /// Recovers the values of a file, unless the store has a newer one under the key. On a full disk they stay
  /// where they are, and the next open tries again.
  private func takeValues(
    of aside: String, _ connection: borrowing Connection, _ result: inout Result
  ) throws(StoreError) {
    guard let name = DatabaseFile.nameOfHeldValues(aside) else { return }
    do throws(SQLiteError) {
      var isOpen = true
      let taken = try connection.transaction { (connection) throws(SQLiteError) -> (Int, Bool)? in
        guard try !Self.isNoted(name, connection) else { return nil }
        guard let (count, isWhole) = try takeValues(from: aside, connection) else {
          isOpen = false
          return nil
        }
        try connection.run(.noteSalvage, name, Int64(count), isWhole ? 0 : nil as Int64?)
        return (count, isWhole)
      }
      // The next open tries again.
      guard isOpen else { return }
      if let (count, isWhole) = taken {
        result.values += count
        if !isWhole { result.partlyRead.append(aside) }
      }
      file.noteSalvaged(aside, DatabaseFile.valuesMark)
    } catch {
      guard error.isFull else { throw StoreError(error, .open, path: file.path) }
    }
  }

  /// `nil` where the file cannot be opened now.
  private func takeValues(
    from aside: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (count: Int, isWhole: Bool)? {
    let now = SystemClock().reading().wall
    var count = 0
    let damaged: Connection?
    do throws(SQLiteError) {
      damaged = try openForReading(aside)
    } catch {
      return nil
    }
    switch consume damaged {
    case .none: return (0, false)
    case .some(let damaged):
      let isWhole = try SourcelessRecords.read(damaged, at: now) {
        (record, tags) throws(SQLiteError) in
        guard try !connection.hasAnswer(for: record.content.key, in: record.content.collection)
        else { return }
        var record = record
        // Every mark of this store is newer.
        record.epoch = 0
        _ = try Storage.put(record, tags: tags, queueAt: record.mark?.at, connection)
        count += 1
      }
      if count > 0 { try Storage.raiseSequence(connection) }
      return (count, isWhole)
    }
  }

  /// A connection to a file that was moved aside; `nil` when nothing of it can be read. Foreign objects in
  /// place of our tables must not run.
  ///
  /// - Throws: Any other failure, which may pass.
  private func openForReading(_ aside: String) throws(SQLiteError) -> Connection? {
    guard !isEmptied(aside) else { return nil }
    do throws(SQLiteError) {
      let damaged = try Connection(path: aside, access: .readOnly, busyTimeout: file.busyTimeout)
      let version = try damaged.formatVersion()
      guard try DatabaseSchema.shape(of: damaged, version: version) == .ours else { return nil }
      damaged.reads(version: version)
      return damaged
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  private func takeOver(
    _ aside: String, _ connection: borrowing Connection
  ) throws(StoreError) -> Int {
    // Read once: another process that has recovered the writes removes the mark.
    guard let name = DatabaseFile.nameOfHeldWrites(aside) else { return 0 }
    let isNoted = try file.answering { () throws(SQLiteError) in
      try Self.isNoted(name, connection)
    }
    guard !isNoted else { return 0 }
    let contents = try contents(from: aside)
    guard contents.lost == 0 || file.acceptsLostWrites else {
      throw StoreError(.writesLost(file: aside, writes: contents.lost), .open, path: file.path)
    }
    return try file.answering { () throws(SQLiteError) in
      try connection.transaction { (connection) throws(SQLiteError) in
        // Checked again under the write lock: another process may have been faster.
        guard try !Self.isNoted(name, connection) else { return 0 }
        try Self.store(contents, at: SystemClock().reading().wall, connection)
        try Self.note(name, contents, connection)
        return contents.writes.count
      }
    }
  }

  /// Takes over the readable writes of a file that had no mark of writes, such as a copy that was put in place of a
  /// store. Nothing shows that it held others: what cannot be read is no loss.
  private func takeUnmarkedWrites(
    of aside: String, _ connection: borrowing Connection
  ) throws(StoreError) -> Int {
    guard let values = DatabaseFile.nameOfHeldValues(aside),
      values.hasPrefix(DatabaseFile.unmarked)
    else { return 0 }
    let name = values + "-writes"
    let contents: Contents
    do throws(StoreError) {
      contents = try self.contents(from: aside)
    } catch {
      // The mark of values stays, too: the next open tries again.
      return 0
    }
    guard !contents.writes.isEmpty else { return 0 }
    do throws(SQLiteError) {
      return try connection.transaction { (connection) throws(SQLiteError) in
        guard try !Self.isNoted(name, connection) else { return 0 }
        try Self.store(contents, at: SystemClock().reading().wall, connection)
        try Self.note(name, contents, connection)
        return contents.writes.count
      }
    } catch {
      throw StoreError(error, .open, path: file.path)
    }
  }

  // MARK: Reading damaged files

  private func contents(from aside: String) throws(StoreError) -> Contents {
    var contents = Contents()
    do throws(SQLiteError) {
      switch try openForReading(aside) {
      case .some(let damaged): Self.read(damaged, &contents)
      case .none: contents.lost = nil
      }
    } catch {
      // An obstacle that may pass is no loss: the next open tries again.
      throw StoreError(error, .open, path: aside)
    }
    return contents
  }

  /// True when only the log of a file is left, which SQLite deletes when it finds the file empty; a
  /// recovery can read it.
  private func isEmptied(_ aside: String) -> Bool {
    FoundFile(aside)?.size == 0
  }

  /// Reads the remaining content of an open file.
  package static func read(_ damaged: borrowing Connection, _ contents: inout Contents) {
    var isWhole = true
    var seen: Set<Int64> = []
    for sql in [SQL.upwards, .downwards] {
      isWhole = collect(sql, damaged, &contents, &seen) && isWhole
    }
    // The index is another copy of the numbers: an entry in only one of the two is missing.
    let known = indexed(damaged)
    let count = max(seen.count, known ?? 0)
    let isCounted = isWhole || known.map { $0 > contents.writes.count } ?? false
    contents.lost = isCounted ? count - contents.writes.count : nil
    collectBases(damaged, &contents)
    do throws(SQLiteError) {
      contents.marksForFleet = try Storage.marksForFleet(damaged)
    } catch {
      // A host without a fleet has none.
      if isOfFleet(damaged) { contents.lost = nil }
    }
  }

  /// True for the file of a host that has a place in a fleet, or may have one.
  private static func isOfFleet(_ damaged: borrowing Connection) -> Bool {
    do throws(SQLiteError) {
      return try damaged.integer("SELECT EXISTS (SELECT 1 FROM fleet_state)") != 0
    } catch {
      return true
    }
  }

  /// The number of entries in the index; `nil` when it cannot be read.
  private static func indexed(_ damaged: borrowing Connection) -> Int? {
    do throws(SQLiteError) {
      return Int(try damaged.integer("SELECT count(*) FROM outbox INDEXED BY outbox_order"))
    } catch {
      return nil
    }
  }

  /// Reads the entries in one direction as far as possible; false when it stops before the end.
  private static func collect(
    _ sql: SQL, _ damaged: borrowing Connection, _ contents: inout Contents,
    _ seen: inout Set<Int64>
  ) -> Bool {
    var found: [StoredWrite] = []
    defer {
      for write in found {
        seen.insert(write.id)
        if write.isIntact { contents.writes[write.id] = write }
      }
    }
    do throws(SQLiteError) {
      try damaged.withStatement(sql) { (statement) throws(SQLiteError) in
        while try statement.step() { found.append(StoredWrite(row: statement)) }
      }
      return true
    } catch {
      return false
    }
  }

  private static func collectBases(_ damaged: borrowing Connection, _ contents: inout Contents) {
    var seen: Set<RecordID> = []
    for write in contents.writes.values
    where seen.insert(RecordID(write.collection, write.key)).inserted {
      do throws(SQLiteError) {
        guard
          var base = try Storage.base(write.collection, write.key, joins: true, damaged),
          base.isIntact
        else { continue }
        // The blocks stay behind.
        base.content.detach()
        contents.bases.append(
          (base, try Storage.baseTags(write.collection, write.key, damaged)))
      } catch {
        // The source's state can be requested again.
        continue
      }
    }
  }

  /// True when the writes of that name were recovered.
  package static func isNoted(
    _ name: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(.readSalvage, name)
  }

  /// Notes the name of the mark beside the store itself.
  static func noteOwn(
    _ name: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.noteOwn, name)
  }

  package static func note(
    _ name: String, _ contents: Contents, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .noteSalvage, name, Int64(contents.writes.count), contents.lost.map(Int64.init))
  }
}

extension SQL {
  fileprivate static let upwards = SQL(
    "SELECT \(StoredWrite.columns) FROM outbox o ORDER BY o.id")
  fileprivate static let downwards = SQL(
    "SELECT \(StoredWrite.columns) FROM outbox o ORDER BY o.id DESC")
  fileprivate static let readSalvage = SQL("SELECT 1 FROM salvage WHERE file = ?1")
  fileprivate static let noteOwn = SQL("INSERT OR IGNORE INTO salvage VALUES (?1, 0, 0)")
  fileprivate static let noteSalvage = SQL("INSERT OR REPLACE INTO salvage VALUES (?1, ?2, ?3)")
}
