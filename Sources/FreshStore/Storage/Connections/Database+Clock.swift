internal import Strategies
internal import Synchronization

extension Database {
  /// Moves the moments at which something may be done next, should the wall clock have been set; comes
  /// first in every write, under its lock, so that whatever is stamped is stamped by the clock that the
  /// file knows. True when moments were moved.
  ///
  /// They are wall clock times, as people and other machines read them, and each is some pause away from
  /// the moment at which it was stamped. When the clock is set they are set with it: what is left of a
  /// pause stays what it was. How old a record is does not follow the wall clock, and needs none of this.
  ///
  /// Cost: a look at the clock and at the head of the log's index; after others have committed, one row.
  func keepTime(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    guard let clockWatch else { return false }
    let now = clockWatch.now
    guard !clockWatch.isKnown(now, at: connection.logIndex?.header.changes) else { return false }
    let present = KnownClock(now)
    let known: KnownClock?
    do throws(SQLiteError) {
      known = try Self.knownClock(connection)
    } catch {
      // What can be stored without it is; the next write tries again.
      return false
    }
    guard known?.standsFor(present) != true else {
      clockWatch.note(now)
      return false
    }
    let step = known?.step(to: present)
    if let known, let step {
      try Self.move(SQL.plans, by: step.step, after: step.moment, connection)
      // However the clock is set, what is past stays as long ago as it is. Across a boot nobody knows
      // how long that is; a question from the future makes no answer fresh.
      let isSameBoot = known.isOfSameBoot(as: present)
      if isSameBoot {
        try Self.move([.moveQuestions], by: step.step, after: -Self.utmost, connection)
      }
      try Self.move(
        [.moveInvalidations], by: step.step, after: isSameBoot ? -Self.utmost : step.moment,
        connection)
    }
    try Self.note(present, connection)
    clockWatch.noteBegin(now)
    return step != nil
  }

  /// The same for those who only read, and wait no longer than told for other processes that write.
  func keepTime(_ operation: Operation, within patience: Duration? = nil) throws(StoreError) {
    guard file.access == .readWrite, let clockWatch, let now = clockWatch.news else { return }
    try refuseInChild(operation)
    try writer.withLock { (writer) throws(StoreError) in
      try lookForMovedFile(&writer, operation)
      do throws(SQLiteError) {
        let known = try run(
          { (connection) throws(SQLiteError) in
            try Self.knownClock(connection)
          }, on: &writer.connection)
        guard known?.standsFor(KnownClock(now)) != true else { return clockWatch.note(now) }
        setPatience(of: writer.connection, patience)
        defer { setPatience(of: writer.connection, nil) }
        try commit(&writer, .normal, false, Touched()) { _ in }
      } catch {
        // The next write tells the file, or says what is in the way.
      }
    }
  }

  private static func knownClock(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> KnownClock? {
    try connection.withStatement(.knownClock) { (statement) throws(SQLiteError) in
      guard try statement.step() else { return nil }
      return KnownClock(boot: statement.int(0), origin: statement.int(1), wall: statement.int(2))
    }
  }

  private static func note(
    _ present: KnownClock, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.noteClock) { (statement) throws(SQLiteError) in
      try statement.bind(present.boot, at: 1)
      try statement.bind(present.origin, at: 2)
      try statement.bind(present.wall, at: 3)
      try statement.run()
    }
  }

  /// Beyond it a moment is none that a clock can reach, and a sum could be more than a number can hold.
  private static let utmost: Int64 = 1 << 60

  /// Moves moments that lie after one.
  private static func move(
    _ statements: [SQL], by step: Int64, after moment: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard step.magnitude < utmost else { return }
    for sql in statements {
      try connection.withStatement(sql) { (statement) throws(SQLiteError) in
        try statement.bind(step, at: 1)
        try statement.bind(moment, at: 2)
        try statement.bind(utmost, at: 3)
        try statement.run()
      }
    }
  }
}

extension SQL {
  fileprivate static let knownClock = SQL("SELECT boot, origin, wall FROM clock")
  fileprivate static let noteClock = SQL("INSERT OR REPLACE INTO clock VALUES (1, ?1, ?2, ?3)")
  /// What is to come.
  fileprivate static let plans = [
    moveQueue, moveAttempts, moveWrites, moveBreakers, moveLists, moveListUpdates,
  ]
  fileprivate static let moveQueue = SQL(
    "UPDATE record SET queue_at = queue_at + ?1 WHERE queue_at > ?2 AND queue_at < ?3")
  fileprivate static let moveAttempts = SQL(
    "UPDATE failure SET next_attempt = next_attempt + ?1 WHERE next_attempt > ?2 AND next_attempt < ?3"
  )
  fileprivate static let moveWrites = SQL(
    "UPDATE outbox SET next_attempt = next_attempt + ?1 WHERE next_attempt > ?2 AND next_attempt < ?3"
  )
  fileprivate static let moveBreakers = SQL(
    "UPDATE origin SET open_until = open_until + ?1 WHERE open_until > ?2 AND open_until < ?3")
  fileprivate static let moveLists = SQL(
    "UPDATE list SET due_at = due_at + ?1 WHERE due_at > ?2 AND due_at < ?3")
  fileprivate static let moveQuestions = SQL(
    "UPDATE outbox SET asked_at = asked_at + ?1 WHERE asked_at > ?2 AND asked_at < ?3")
  /// What one covers is due when it came, and imports are compared with it.
  fileprivate static let moveInvalidations = SQL(
    "UPDATE invalidation SET at = at + ?1 WHERE at > ?2 AND at < ?3")
  /// A list that was followed in the future would be due at once.
  fileprivate static let moveListUpdates = SQL(
    "UPDATE list SET last_update = last_update + ?1 WHERE last_update > ?2 AND last_update < ?3")
}
