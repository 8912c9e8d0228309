internal import Strategies

extension Storage {
  /// What was last known of the wall clock.
  private struct KnownClock {
    let boot: Int64
    /// What the wall clock showed when that boot began, by the reading.
    let origin: Int64
    let wall: Int64

    init(boot: Int64, origin: Int64, wall: Int64) {
      (self.boot, self.origin, self.wall) = (boot, origin, wall)
    }

    init(_ now: ClockReading) {
      let wall = now.wall.millisecondsSinceEpoch
      self.init(boot: now.boot, origin: wall &- now.sinceBoot, wall: wall)
    }

    /// What the wall clock would show had nobody set it. Across a boot all that is known is that it
    /// does not go back; a machine that does not name its boots always has a new one.
    func expected(at now: KnownClock) -> Int64 {
      boot == now.boot && boot != 0 ? origin &+ (now.wall &- now.origin) : max(wall, now.wall)
    }
  }

  /// Moves the moments at which something may be done next, should the wall clock have been set.
  ///
  /// They are wall clock times, as people and other machines read them, and each is some pause away from
  /// the moment at which it was stamped. When the clock is set they are set with it, so that what is
  /// left of the pause stays what it was. How old a record is does not follow the wall clock, and needs
  /// none of this.
  func keepTime(_ now: ClockReading) throws(StoreError) {
    let isKept = try database.write(.claim, touching: Touched()) {
      (connection) throws(SQLiteError) in
      guard try self.step(to: KnownClock(now), connection) == nil else { return false }
      try self.note(KnownClock(now), connection)
      return true
    }
    guard !isKept else { return }
    // The records in memory are to be read again.
    try database.write(.claim) { (connection) throws(SQLiteError) in
      if let step = try self.step(to: KnownClock(now), connection) {
        try self.moveMoments(by: step.step, after: step.moment, connection)
      }
      try self.note(KnownClock(now), connection)
    }
  }

  /// By how much the clock was set, and what was due by either; `nil` when it was not.
  private func step(
    to present: KnownClock, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (step: Int64, moment: Int64)? {
    guard let known = try knownClock(connection) else { return nil }
    let expected = known.expected(at: present)
    let step = present.wall &- expected
    guard step.magnitude >= ClockWatch.tolerance else { return nil }
    return (step, min(expected, present.wall))
  }

  private func note(
    _ present: KnownClock, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.noteClock) { (statement) throws(SQLiteError) in
      try statement.bind(present.boot, at: 1)
      try statement.bind(present.origin, at: 2)
      try statement.bind(present.wall, at: 3)
      try statement.run()
    }
  }

  private func knownClock(_ connection: borrowing Connection) throws(SQLiteError) -> KnownClock? {
    try connection.withStatement(.knownClock) { (statement) throws(SQLiteError) in
      guard try statement.step() else { return nil }
      return KnownClock(boot: statement.int(0), origin: statement.int(1), wall: statement.int(2))
    }
  }

  /// Beyond it a moment is none that a clock can reach, and a sum could be more than a number can hold.
  private static let utmost: Int64 = 1 << 60

  private func moveMoments(
    by step: Int64, after moment: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard step.magnitude < Self.utmost else { return }
    for sql in [
      SQL.moveQueue, .moveAttempts, .moveWrites, .moveBreakers, .moveLists, .moveListUpdates,
    ] {
      try connection.withStatement(sql) { (statement) throws(SQLiteError) in
        try statement.bind(step, at: 1)
        try statement.bind(moment, at: 2)
        try statement.bind(Self.utmost, at: 3)
        try statement.run()
      }
    }
  }
}

extension SQL {
  fileprivate static let knownClock = SQL("SELECT boot, origin, wall FROM clock")
  fileprivate static let noteClock = SQL("INSERT OR REPLACE INTO clock VALUES (1, ?1, ?2, ?3)")
  fileprivate static let moveQueue = SQL(
    "UPDATE record SET queue_at = queue_at + ?1 WHERE queue_at > ?2 AND queue_at < ?3")
  fileprivate static let moveAttempts = SQL(
    "UPDATE record SET next_attempt = next_attempt + ?1 WHERE next_attempt > ?2 AND next_attempt < ?3"
  )
  fileprivate static let moveWrites = SQL(
    "UPDATE outbox SET next_attempt = next_attempt + ?1 WHERE next_attempt > ?2 AND next_attempt < ?3"
  )
  fileprivate static let moveBreakers = SQL(
    "UPDATE origin SET open_until = open_until + ?1 WHERE open_until > ?2 AND open_until < ?3")
  fileprivate static let moveLists = SQL(
    "UPDATE list SET due_at = due_at + ?1 WHERE due_at > ?2 AND due_at < ?3")
  /// A list that was followed in the future would be due at once.
  fileprivate static let moveListUpdates = SQL(
    "UPDATE list SET last_update = last_update + ?1 WHERE last_update > ?2 AND last_update < ?3")
}
