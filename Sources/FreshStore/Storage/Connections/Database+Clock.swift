internal import Strategies
internal import Synchronization

extension Database {
  /// Moves scheduled moments after a step of the wall clock; comes first in every write, under its lock,
  /// so that the write's stamps use the clock that the file knows. True when moments were moved.
  ///
  /// They are wall clock times, as people and other machines read them, and each lies some pause after
  /// its stamp. A step of the clock moves them along: the rest of a pause stays the same. The age of a
  /// record does not follow the wall clock, and needs none of this.
  ///
  /// Cost: a look at the clock and at the head of the log's index; after commits by others, one row.
  func keepTime(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    guard let clockWatch else { return false }
    let now = clockWatch.now
    guard !clockWatch.isKnown(now, at: connection.logIndex?.header.changes) else { return false }
    let present = KnownClock(now)
    let known: KnownClock?
    do throws(SQLiteError) {
      known = try Self.knownClock(connection)
    } catch {
      // A write that works without it still succeeds; the next write tries again.
      return false
    }
    guard known?.standsFor(present) != true else {
      clockWatch.note(now)
      return false
    }
    let step = known?.step(to: present)
    if let known, let step {
      try Self.move(SQL.plans, by: step.step, after: step.moment, connection)
      // Past moments keep their distance from now, however the clock is set. Across a boot that
      // distance is unknown; a request from the future makes no answer fresh.
      let isSameBoot = known.isOfSameBoot(as: present)
      if isSameBoot {
        try Self.move(
          [.moveQuestions, .moveTries, .moveWalks], by: step.step, after: -Self.utmost, connection)
      }
      try Self.move(
        [.movePlaces, .moveInvalidations, .moveListUpdates], by: step.step,
        after: isSameBoot ? -Self.utmost : step.moment, connection)
    }
    try Self.note(present, connection)
    clockWatch.noteBegin(now)
    return step != nil
  }

  /// The same for a read, which waits for writing processes no longer than `patience`, or as a write does.
  func keepTime(_ operation: StoreOperation, within patience: Duration? = nil) throws(StoreError) {
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
        guard let patience else {
          return try commitInTurn(&writer, .normal, false, Touched()) { _ in }
        }
        setPatience(of: writer.connection, patience)
        defer { setPatience(of: writer.connection, nil) }
        try commit(&writer, .normal, false, Touched()) { _ in }
      } catch {
        // The next write notes the time, or reports the obstacle.
      }
    }
  }

  private static func knownClock(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> KnownClock? {
    try connection.first(.knownClock) { statement in
      KnownClock(boot: statement.int(0), origin: statement.int(1), wall: statement.int(2))
    }
  }

  private static func note(
    _ present: KnownClock, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.noteClock, present.boot, present.origin, present.wall)
  }

  /// No clock reaches moments beyond it, and a sum could overflow.
  private static let utmost: Int64 = 1 << 60

  /// Moves all moments after `moment`.
  private static func move(
    _ statements: [SQL], by step: Int64, after moment: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard step.magnitude < utmost else { return }
    for sql in statements {
      try connection.run(sql, step, moment, utmost)
    }
  }
}

extension SQL {
  fileprivate static let knownClock = SQL("SELECT boot, origin, wall FROM clock")
  fileprivate static let noteClock = SQL("INSERT OR REPLACE INTO clock VALUES (1, ?1, ?2, ?3)")
  /// Scheduled moments.
  fileprivate static let plans = [
    moveQueue, moveAttempts, moveWrites, moveBreakers, moveLists, moveArrivals, moveDepartures,
  ]
  fileprivate static let moveWalks = SQL(
    "UPDATE list SET walk_at = walk_at + ?1 WHERE walk_at > ?2 AND walk_at < ?3")
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
  fileprivate static let moveArrivals = SQL(
    "UPDATE content SET arrives_by = arrives_by + ?1 WHERE arrives_by > ?2 AND arrives_by < ?3")
  fileprivate static let moveDepartures = SQL(
    "UPDATE content SET goes_at = goes_at + ?1 WHERE goes_at > ?2 AND goes_at < ?3")
  fileprivate static let moveQuestions = SQL(
    "UPDATE outbox SET asked_at = asked_at + ?1 WHERE asked_at > ?2 AND asked_at < ?3")
  fileprivate static let moveTries = SQL(
    "UPDATE outbox SET tried_at = tried_at + ?1 WHERE tried_at > ?2 AND tried_at < ?3")
  /// All of them: one that has waited before a step goes before one that is written after it.
  fileprivate static let movePlaces = SQL(
    "UPDATE outbox SET due_at = due_at + ?1 WHERE due_at > ?2 AND due_at < ?3")
  /// Covered records are due at the time of the invalidation, and imports are compared with it.
  fileprivate static let moveInvalidations = SQL(
    "UPDATE invalidation SET at = at + ?1 WHERE at > ?2 AND at < ?3")
  /// A list with a last update in the future would be due at once, and copies are compared with it.
  fileprivate static let moveListUpdates = SQL(
    "UPDATE list SET last_update = last_update + ?1 WHERE last_update > ?2 AND last_update < ?3")
}
