/// Marks that the fleet does not have yet: they were made while the shared tier was out of reach, and are delivered
/// later.
extension Storage {
  /// A mark that the fleet does not have yet.
  package struct MarkForFleet: Sendable {
    /// Its place in their order.
    var id: Int64 = 0
    let scope: Scope
    let reason: String
    /// The reason why the tier never takes it; `nil` for one that is to be delivered.
    var refusal: String?
    /// The number of the host's place in a journal whose history was lost. One host tells all others by this mark;
    /// `nil` for a mark that a caller has made.
    var lost: Int64?
    /// The place of the tier for which it was made; `nil` for a mark that any tier has to know.
    var tier: String?
  }

  /// Marks here, and keeps the mark for the fleet: durable when it returns.
  ///
  /// Returns false for a single key that is neither stored nor being fetched here; it is kept all the same.
  ///
  /// - Parameters:
  ///   - tier: Where the shared tier is; `nil` where that is not known.
  ///   - begun: The number of the request (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped` for a request from before a wipe, of which nothing is kept.
  func markAndKeep(
    _ scope: Scope, reason: String, for tier: String? = nil, begun: Int64? = nil,
    now: ClockReading
  ) throws(StoreError) -> Bool {
    try markAndKeep([scope], reason: reason, for: tier, begun: begun, now: now) == [true]
  }

  /// The same for several, in one transaction.
  func markAndKeep(
    _ scopes: [Scope], reason: String, for tier: String?, begun: Int64?, now: ClockReading
  ) throws(StoreError) -> [Bool] {
    try write(
      .markStale, .full, marksWrites: true, touching: Scope.touched(by: scopes), begunAt: begun
    ) { (connection) throws(SQLiteError) in
      let mark = StoredRecord.Mark(
        at: self.moment(from: now), reason: reason, epoch: try self.nextNumber(connection))
      for scope in scopes {
        try Self.keepForFleet(MarkForFleet(scope: scope, reason: reason, tier: tier), connection)
        // It covers all that an earlier one does.
        let (number, collection, name) = scope.columns
        try connection.run(
          .forgetEarlierMarksForFleet, number, collection, name, tier, connection.lastInsertedRow)
      }
      return try self.mark(scopes, mark, connection)
    }
  }

  /// Keeps the mark of a record whose local write has reached the source, in place of an earlier mark. The fleet
  /// has the source's state from before. So the mark is for any fleet that there is by then.
  ///
  /// - Parameter inFleet: False for a process that takes part in no fleet. If its file belongs to one, another
  ///   process delivers the mark.
  func keepMark(
    ofPushed collection: String, _ key: String, inFleet: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    if !inFleet, try connection.fleetPlace() == nil { return }
    let reason = "a host has sent a local write of it"
    try Self.keepForFleet(
      MarkForFleet(scope: .key(collection, key), reason: reason), connection)
    try connection.run(
      .forgetEarlierMarkForFleet, collection, key, reason, connection.lastInsertedRow)
  }

  /// Keeps the same of a record that a request has changed or deleted at its source: durable when it returns.
  ///
  /// - Parameter begun: The number of the store's sequence as the request began (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped` for one from before a wipe, of which nothing is kept.
  func keepMark(
    ofWritten collection: String, _ key: String, begun: Int64?
  ) throws(StoreError) {
    try write(
      .markStale, .full, marksWrites: true, touching: AffectedKeys(), begunAt: begun, in: collection
    ) { (connection) throws(SQLiteError) in
      try self.keepMark(ofPushed: collection, key, inFleet: true, connection)
    }
  }

  /// The oldest marks to be delivered, after the one with a number.
  func marksForFleet(_ limit: Int, after last: Int64) throws(StoreError) -> [MarkForFleet] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.rows(.readMarksToDeliver, Int64(limit), last) { statement in
        Self.markForFleet(statement)
      }
    }
  }

  /// The marks that the tier has refused, in their order.
  func refusedMarksForFleet() throws(StoreError) -> [MarkForFleet] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.rows(.readRefusedMarks) { statement in Self.markForFleet(statement) }
    }
  }

  /// The number of marks that are still to be delivered, the oldest of them, and the number of marks that the tier
  /// has refused.
  func countMarksForFleet() throws(StoreError) -> (kept: Int, refused: Int, oldest: Int64?) {
    try database.read(.read) { (connection) throws(SQLiteError) in
      let counts = try connection.first(.countMarksForFleet) { statement in
        (
          kept: Int(statement.int(0)), refused: Int(statement.int(1)),
          oldest: statement.optionalInt(2)
        )
      }
      return counts ?? (0, 0, nil)
    }
  }

  /// All of them, in their order.
  static func marksForFleet(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [MarkForFleet] {
    try connection.rows(.readMarksForFleet) { statement in Self.markForFleet(statement) }
  }

  private static func markForFleet(_ statement: borrowing Statement) -> MarkForFleet {
    let (collection, name) = (statement.text(2), statement.text(3))
    let scope: Scope
    switch statement.int(1) {
    case Scope.keyNumber: scope = .key(collection, name)
    case Scope.collectionNumber: scope = .collection(collection)
    case Scope.tagNumber: scope = .tag(name)
    case Scope.prefixNumber: scope = .prefix(collection, name)
    // This covers any unknown scope.
    default: scope = .all
    }
    return MarkForFleet(
      id: statement.int(0), scope: scope, reason: statement.text(4),
      refusal: statement.optionalText(5), lost: statement.optionalInt(6),
      tier: statement.optionalText(7))
  }

  static func keepForFleet(
    _ mark: MarkForFleet, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (scope, collection, name) = mark.scope.columns
    try connection.run(
      .keepMarkForFleet, scope, collection, name, mark.reason, mark.refusal, mark.lost, mark.tier,
      mark.id)
  }

  /// Whether one of them covers a record: the fleet's record may be older than the mark.
  func isMarkKept(
    over collection: String, _ key: String, tags: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try connection.hasRow(.hasMarksForFleet) else { return false }
    if try connection.hasRow(.coveringMarkForFleet, collection, key) { return true }
    for tag in tags {
      if try connection.hasRow(.taggingMarkForFleet, tag) { return true }
    }
    return false
  }

  /// Forgets marks that the fleet has, or that need not be delivered any more.
  func forget(_ marks: [MarkForFleet]) throws(StoreError) {
    let ids = marks.map(\.id)
    try database.write(.markStale, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      for id in ids { try connection.run(.forgetMarkForFleet, id) }
    }
  }

  /// Sets a mark aside that the tier never takes, so that it does not hold up the others. False for a mark that was
  /// delivered or wiped meanwhile.
  func setAside(_ mark: MarkForFleet, because refusal: String) throws(StoreError) -> Bool {
    let id = mark.id
    return try database.write(.markStale, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) -> Bool in
      try connection.run(.refuseMarkForFleet, id, refusal)
      return connection.changes > 0
    }
  }

  /// Sets the marks aside that were made for a tier elsewhere, and returns them. A new fleet at the same place has
  /// to know the other marks; one mark too many costs a fetch. The losses of the former fleet are not told to
  /// another one.
  static func setAsideForAnotherFleet(
    at tier: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [MarkForFleet] {
    let refusal = "it was made for another fleet"
    try connection.run(.forgetLosses)
    let marks = try connection.rows(.readMarksForOthers, tier) { statement in
      Self.markForFleet(statement)
    }
    guard !marks.isEmpty else { return [] }
    try connection.run(.refuseMarksForOthers, tier, refusal)
    return marks.map { mark in
      var mark = mark
      mark.refusal = refusal
      return mark
    }
  }

  /// Lets the marks that were set aside be delivered once more; returns their number.
  func takeRefusalsBack() throws(StoreError) -> Int {
    try database.write(.markStale, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try connection.run(.takeRefusalsBack)
      return connection.changes
    }
  }
}

extension SQL {
  private static let columns = """
    SELECT id, scope, collection, name, reason, refusal, lost, tier FROM fleet_mark
    """
  fileprivate static let readMarksForFleet = SQL(columns + " ORDER BY id")
  fileprivate static let readMarksToDeliver = SQL(
    columns + " WHERE refusal IS NULL AND id > ?2 ORDER BY id LIMIT ?1")
  /// None where one of the places is not known.
  fileprivate static let readMarksForOthers = SQL(
    columns + " WHERE refusal IS NULL AND tier <> ?1 ORDER BY id")
  fileprivate static let readRefusedMarks = SQL(
    columns + " WHERE refusal IS NOT NULL ORDER BY id")
  fileprivate static let countMarksForFleet = SQL(
    """
    SELECT count(*) - count(refusal), count(refusal), min(iif(refusal IS NULL, id, NULL))
    FROM fleet_mark
    """)
  fileprivate static let hasMarksForFleet = SQL("SELECT 1 FROM fleet_mark LIMIT 1")
  /// A scope that is not known covers everything.
  fileprivate static let coveringMarkForFleet = SQL(
    """
    SELECT 1 FROM fleet_mark WHERE CASE scope
      WHEN 0 THEN collection = ?1
      WHEN 1 THEN 0
      WHEN 2 THEN collection = ?1 AND substr(CAST(?2 AS BLOB), 1, length(CAST(name AS BLOB)))
        = CAST(name AS BLOB)
      WHEN 3 THEN collection = ?1 AND name = ?2
      ELSE 1 END
    LIMIT 1
    """)
  fileprivate static let taggingMarkForFleet = SQL(
    "SELECT 1 FROM fleet_mark WHERE scope = 1 AND name = ?1 LIMIT 1")
  /// One from a damaged file keeps its number, so that a delivery which began there forgets no other one.
  fileprivate static let keepMarkForFleet = SQL(
    """
    INSERT INTO fleet_mark (id, scope, collection, name, reason, refusal, lost, tier)
    VALUES (
      iif(?8 > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'fleet_mark'), 0), ?8, NULL),
      ?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """)
  fileprivate static let forgetMarkForFleet = SQL("DELETE FROM fleet_mark WHERE id = ?1")
  fileprivate static let forgetEarlierMarkForFleet = SQL(
    """
    DELETE FROM fleet_mark WHERE scope = 3 AND collection = ?1 AND name = ?2 AND reason = ?3
      AND refusal IS NULL AND id < ?4
    """)
  fileprivate static let forgetEarlierMarksForFleet = SQL(
    """
    DELETE FROM fleet_mark WHERE scope = ?1 AND collection = ?2 AND name = ?3 AND tier IS ?4
      AND refusal IS NULL AND lost IS NULL AND id < ?5
    """)
  fileprivate static let refuseMarkForFleet = SQL(
    "UPDATE fleet_mark SET refusal = ?2 WHERE id = ?1")
  fileprivate static let forgetLosses = SQL("DELETE FROM fleet_mark WHERE lost IS NOT NULL")
  fileprivate static let refuseMarksForOthers = SQL(
    "UPDATE fleet_mark SET refusal = ?2 WHERE refusal IS NULL AND tier <> ?1")
  fileprivate static let takeRefusalsBack = SQL(
    "UPDATE fleet_mark SET refusal = NULL WHERE refusal IS NOT NULL")
}
