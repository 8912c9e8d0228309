internal import Strategies
internal import Synchronization

/// The store's operations on the database, in the terms of the repository above: the one place
/// where records meet SQL.
///
/// Everything here is synchronous and bounded: no statement and no snapshot outlives a call.
package final class Storage: Sendable {
  package let database: Database
  /// The observers of this store.
  let hub: ChangeHub
  let ownerLock: OwnerLock
  let readingLocks: ReadingLocks
  /// This store's name among the owners of changes.
  var owner: String { ownerLock.name }
  /// This store's name among the owners of leases and claims.
  var claimant: String { ownerLock.claimant }

  /// Changes with every wipe by this store. A put, which draws no number, belongs to the user who was signed in
  /// when it began.
  let wipes = Atomic<Int>(0)

  init(_ database: Database, _ hub: ChangeHub) {
    (self.database, self.hub) = (database, hub)
    let file = database.file
    // A custom file system has no such locks, and a read-only store takes no leases.
    let isShown = file.fileSystem == nil && file.access == .readWrite
    ownerLock = OwnerLock(database: isShown ? file.path : nil)
    readingLocks = ReadingLocks(database: isShown ? file.path : nil)
  }
}

extension Int64 {
  /// This count plus one. A file may hold any number: beyond a trillion the count continues from there.
  var oneMore: Int64 { Swift.min(Swift.max(self, 0), 1 << 40) + 1 }
}

/// The store's sequence: the numbers that order requests, marks and answers, independently of the clocks.
///
/// It moves in steps of two. The odd number below a drawn one belongs to a mark of the fleet. So such a mark can be
/// told anywhere from a mark that only this host knows.
extension Storage {
  /// The number for a mark of the fleet, drawn as ``nextNumber(_:)``.
  func nextNumberOfFleet(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try nextNumber(connection) &- 1
  }

  /// True for the number of a mark that the fleet has made.
  static func isOfFleet(_ number: Int64) -> Bool { number & 1 == 1 }

  /// Gives every later invalidation a higher number; each fetch and each explicit mark takes one.
  package func nextNumber(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if let number = try Self.number(.advanceSequence, connection) { return number }
    try Self.raiseSequence(connection)
    return try Self.number(.advanceSequence, connection) ?? 0
  }

  /// The number of the newest invalidation or fetch.
  func currentNumber() throws(StoreError) -> Int64 {
    let number = try database.read(.read) { (connection) throws(SQLiteError) in
      try Self.number(.readSequence, connection)
    }
    if let number { return number }
    return try database.write(.read) { (connection) throws(SQLiteError) in
      try self.currentNumber(connection)
    }
  }

  /// The same in a transaction that writes.
  package func currentNumber(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if let number = try Self.number(.readSequence, connection) { return number }
    try Self.raiseSequence(connection)
    return try Self.number(.readSequence, connection) ?? 0
  }

  /// `nil` when the number was damaged on the disk.
  private static func number(
    _ sql: SQL, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try connection.first(sql) { statement in statement.int(0) }
  }

  /// The number of the last wipe; 0 before the first. Requests with a lower one were made by or for the user who
  /// was signed in then.
  func lastWipe(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try Self.number(.readWipe, connection) ?? 0
  }

  /// True for a request of the user who is signed in now: a request from before a wipe leaves nothing behind.
  func isCurrent(_ number: Int64, _ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try number > lastWipe(connection)
  }

  /// True for a request, or a local write, of the user who is signed in now. No wipe has come since
  /// ``currentNumber()`` was `number`, read as it began. A request whose number could not be read (`nil`) always
  /// counts.
  func isWanted(
    begunAt number: Int64?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let number else { return true }
    return try number >= lastWipe(connection)
  }

  /// A write of the database for a request that began at a number (``isWanted(begunAt:_:)``).
  ///
  /// - Throws: `wiped`, and writes nothing, for a request from before a wipe.
  func write<Result: Sendable>(
    _ operation: StoreOperation, _ durability: Durability = .normal, marksWrites: Bool = false,
    touching touched: AffectedKeys? = nil, begunAt number: Int64?, in collection: String? = nil,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let result = try database.write(
      operation, durability, marksWrites: marksWrites, touching: touched
    ) { (connection) throws(SQLiteError) -> Result? in
      try self.isWanted(begunAt: number, connection) ? try body(connection) : nil
    }
    guard let result else {
      throw StoreError(.wiped, operation, collection: collection, path: database.file.path)
    }
    return result
  }

  /// True when a wipe has come since ``currentNumber()`` was `number`; for a number that is not known, when there was
  /// one at all.
  func isWiped(since number: Int64?) throws(StoreError) -> Bool {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      try !self.isWanted(begunAt: number ?? 0, connection)
    }
  }

  /// The number of the last wipe, or of the last end of holds on origins by request; 0 before the first. A user who
  /// was missing then may be signed in since.
  func lastRelease(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try Self.number(.readRelease, connection) ?? 0
  }

  /// True when the number matches its check.
  static func isSequenceIntact(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try number(.readSequence, connection) != nil
  }

  /// Moves the sequence beyond every number in the file; far beyond its former range, if it was
  /// damaged on the disk, or is lost.
  ///
  /// Cost: reads the stamps of every record.
  package static func raiseSequence(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.run(.raiseSequence)
  }

  /// A reading on the clock that the file knows; only for a write, which keeps time before anything else. All
  /// scheduled moments are stamped by this: a moment of the clock from before a step would not move with the step.
  func present(_ now: ClockReading) -> ClockReading { database.clockWatch?.present(now) ?? now }

  /// The scheduled moment at the end of a pause.
  func moment(after pause: Duration = .zero, from now: ClockReading) -> Timestamp {
    present(now).wall.advanced(by: pause)
  }
}

extension StoredRecord {
  /// True with a mark that the fleet has not made.
  var isMarkedHere: Bool {
    if isCovered, !Storage.isOfFleet(coveringEpoch) { return true }
    guard let mark, mark.epoch > 0 else { return false }
    return !Storage.isOfFleet(mark.epoch)
  }
}

extension StoredRecord.Mark {
  /// This mark where it replaces another one. If only this host knew that one, only this host knows the new one: an
  /// answer that the fleet has may be older.
  func replacing(_ standing: StoredRecord.Mark?) -> StoredRecord.Mark {
    guard Storage.isOfFleet(epoch), let standing, standing.epoch > 0,
      !Storage.isOfFleet(standing.epoch)
    else { return self }
    // The even number that was drawn with it, and that nothing else has. A damaged one may be any.
    return StoredRecord.Mark(at: at, reason: reason, epoch: epoch &+ 1)
  }
}

extension SQL {
  fileprivate static let advanceSequence = SQL(
    """
    UPDATE state SET sequence = sequence + 2, sequence_check = -3 - sequence
    WHERE id = 1 AND sequence_check = -1 - sequence RETURNING sequence
    """)
  fileprivate static let readSequence = SQL(
    "SELECT sequence FROM state WHERE id = 1 AND sequence_check = -1 - sequence")
  /// A number that was not drawn yet is damage.
  fileprivate static let readWipe = SQL(
    "SELECT wiped FROM state WHERE id = 1 AND wiped <= sequence")
  fileprivate static let readRelease = SQL(
    "SELECT released FROM state WHERE id = 1 AND released <= sequence")

  /// A number beyond 2^52 is damage; none was drawn.
  private static let highest = [
    ("epoch", "record"), ("stale_epoch", "record"), ("epoch", "base"), ("stale_epoch", "base"),
    ("epoch", "invalidation"), ("fence", "lease"), ("asked", "outbox"), ("fence", "outbox"),
    ("answered", "list"), ("walk", "list"), ("seen", "list_member"),
  ].map { column, table in
    "coalesce((SELECT max(\(column)) FROM \(table) WHERE \(column) < 4503599627370496), 0)"
  }
  .joined(separator: ", ")
  fileprivate static let raiseSequence = SQL(
    """
    INSERT INTO state SELECT 1, number, -1 - number, 0, 0, 0 FROM (
      SELECT max(min(max(coalesce((SELECT sequence FROM state WHERE id = 1), 0), 0), 4503599627370496),
        \(highest)) / 2 * 2 + 2 AS number)
    WHERE true
    ON CONFLICT (id) DO UPDATE
      SET (sequence, sequence_check) = (excluded.sequence, excluded.sequence_check)
    """)
}
