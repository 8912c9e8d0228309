internal import Strategies
internal import Synchronization

/// Notices that the wall clock was set since the last check, and that the file's note of it has
/// aged.
final class ClockWatch: Sendable {
  /// In milliseconds. A clock that is slewed moves that far in half an hour.
  static let tolerance: Int64 = 1000
  /// In milliseconds. A clock that goes wrong while the machine is off is noticed to within this time.
  static let memory: Int64 = 60_000

  private let clock: any StoreClock
  private struct State {
    /// The file's last note of the time, by this store or as this store read it.
    var last: ClockReading?
    /// The file's commit count at that time, or after the last commit of this store.
    var changes: UInt32?
    /// True between writing the note and committing it.
    var isNoted = false
  }

  private let state = Mutex(State())
  private let notes = Atomic<Int>(0)

  init(_ clock: any StoreClock) {
    self.clock = clock
  }

  var now: ClockReading { clock.reading() }

  /// The time to note in the file; `nil` when the file knows it, as far as can be told without
  /// reading it.
  var news: ClockReading? {
    let now = now
    return state.withLock { !$0.isNoted && ($0.last?.foretells(now) ?? false) } ? nil : now
  }

  /// True when the file knows the time: no other store has committed since this store was sure of
  /// it. For a write, under its lock.
  ///
  /// - Parameter changes: The file's commit count.
  func isKnown(_ now: ClockReading, at changes: UInt32?) -> Bool {
    state.withLock { state in
      defer { state.changes = changes }
      // Another store may have seen the clock set, and set back, in between.
      guard let changes, changes == state.changes else { return false }
      return state.last?.foretells(now) ?? false
    }
  }

  /// The number of notes: a reader that saw it change may have seen moments from before the step.
  var noteCount: Int { notes.load(ordering: .acquiring) }

  /// Records that the file knows the time.
  func note(_ now: ClockReading) {
    state.withLock { $0.last = now }
    notes.add(1, ordering: .acquiringAndReleasing)
  }

  /// Records that the running write notes the time; until ``noteEnd(_:)`` no other connection sees it.
  func noteBegin(_ now: ClockReading) {
    state.withLock { ($0.last, $0.isNoted) = (now, true) }
  }

  /// Records that a write ended with that many commits; `nil` means that it failed, and that the
  /// file's note is unknown.
  func noteEnd(_ commits: Int?) {
    let wasNoted = state.withLock { state in
      defer { state.isNoted = false }
      if let commits {
        state.changes = state.changes.map { $0 &+ UInt32(commits) }
      } else {
        (state.last, state.changes) = (nil, nil)
      }
      return state.isNoted
    }
    if wasNoted { notes.add(1, ordering: .acquiringAndReleasing) }
  }

  /// The same moment on the clock of the file's last note. The caller of `reading` may have waited
  /// for the write lock, and the clock may have been set meanwhile.
  func present(_ reading: ClockReading) -> ClockReading {
    guard let last = state.withLock(\.last), last.boot == reading.boot, reading.boot != 0 else {
      return reading
    }
    let wall = reading.wall(at: last)
    guard abs(wall.duration(since: reading.wall).wholeMilliseconds) >= Self.tolerance else {
      return reading
    }
    return ClockReading(wall: wall, boot: reading.boot, sinceBoot: reading.sinceBoot)
  }
}

extension ClockReading {
  /// True when the clock shows `now` as expected, and not long after this.
  fileprivate func foretells(_ now: ClockReading) -> Bool {
    guard boot == now.boot, boot != 0 else { return false }
    let passed = now.sinceBoot &- sinceBoot
    let step = now.wall.millisecondsSinceEpoch &- wall.millisecondsSinceEpoch &- passed
    return step.magnitude < ClockWatch.tolerance && passed < ClockWatch.memory
  }
}

/// The file's knowledge of the wall clock.
struct KnownClock {
  let boot: Int64
  /// The wall clock's time at the start of that boot.
  let origin: Int64
  let wall: Int64

  init(boot: Int64, origin: Int64, wall: Int64) {
    (self.boot, self.origin, self.wall) = (boot, origin, wall)
  }

  init(_ now: ClockReading) {
    let wall = now.wall.millisecondsSinceEpoch
    self.init(boot: now.boot, origin: wall &- now.sinceBoot, wall: wall)
  }

  /// The step of the clock before `present`, and the latest moment that is due by both clocks; `nil`
  /// without a step.
  ///
  /// Across a boot only one thing is known: the clock does not go back. A machine that does not name its boots
  /// always has a new one.
  func step(to present: KnownClock) -> (step: Int64, moment: Int64)? {
    let expected =
      isOfSameBoot(as: present)
      ? origin &+ (present.wall &- present.origin) : max(wall, present.wall)
    let step = present.wall &- expected
    return step.magnitude < ClockWatch.tolerance ? nil : (step, min(expected, present.wall))
  }

  func isOfSameBoot(as present: KnownClock) -> Bool { boot == present.boot && boot != 0 }

  /// True when `present` need not replace it in the file.
  func standsFor(_ present: KnownClock) -> Bool {
    boot == present.boot && step(to: present) == nil
      && present.wall &- wall < ClockWatch.memory
  }
}

extension Database {
  /// Moves scheduled moments after a step of the wall clock; true when moments were moved. It comes first in every
  /// write, under its lock, so that the write's stamps use the clock that the file knows.
  ///
  /// Scheduled moments are wall clock times, as people and other machines read them, and each lies some pause after
  /// its stamp. A step of the clock moves them along: the rest of a pause stays the same. The age of a record does
  /// not follow the wall clock, and needs none of this.
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
      // Past moments keep their distance from now, however the clock is set. Across a boot that distance is
      // unknown. A request from the future makes no answer fresh.
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

  /// The same for a read. It waits for writing processes no longer than `patience`, or as a write does.
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
          return try commitInTurn(&writer, .normal, false, AffectedKeys()) { _ in }
        }
        setPatience(of: writer.connection, patience)
        defer { setPatience(of: writer.connection, nil) }
        try commit(&writer, .normal, false, AffectedKeys()) { _ in }
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
  /// All places move: a write that has waited before a step goes before a write that is made after it.
  fileprivate static let movePlaces = SQL(
    "UPDATE outbox SET due_at = due_at + ?1 WHERE due_at > ?2 AND due_at < ?3")
  /// Covered records are due at the time of the invalidation, and imports are compared with it.
  fileprivate static let moveInvalidations = SQL(
    "UPDATE invalidation SET at = at + ?1 WHERE at > ?2 AND at < ?3")
  /// A list with a last update in the future would be due at once, and copies are compared with it.
  fileprivate static let moveListUpdates = SQL(
    "UPDATE list SET last_update = last_update + ?1 WHERE last_update > ?2 AND last_update < ?3")
}
