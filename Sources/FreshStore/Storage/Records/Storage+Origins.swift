internal import Strategies

/// An origin and the rules of its breaker, for one operation.
struct OriginGuard: Sendable {
  let origin: Origin
  let policy: BreakerPolicy
  /// A random number in 0 ..< 1.
  var random = 0.0

  var name: String { origin.name }

  /// The state of a breaker.
  enum State: Equatable {
    case closed
    /// Its pause is over: one trial attempt is due.
    case trial
    case open(until: Timestamp)
    /// The origin is not asked until an application says so, for this reason.
    case held(String)
  }

  /// The pause of its open breaker.
  func pause(until: Timestamp) -> AttemptPause {
    AttemptPause(until: until, cause: "\(name) keeps failing", origin: .breaker(name))
  }

  /// The pause in a state of its breaker; `nil` when it may be asked.
  func pause(in state: State, at now: ClockReading) -> AttemptPause? {
    switch state {
    case .closed, .trial: nil
    case .open(let until): pause(until: until)
    case .held(let reason):
      AttemptPause(
        until: now.wall.advanced(by: Self.holdInterval), cause: reason, origin: .hold(name))
    }
  }

  /// The pause of a write that was in flight when its origin was held. No other write is handed out.
  private static let holdInterval = Duration.seconds(60)
}

extension Storage {
  /// Decides whether a fetch to the origin may begin: `nil` when it may; otherwise the pause.
  ///
  /// After each pause one fetch is admitted, which starts the next pause. So a fetch that never reports back does
  /// not block the breaker for all.
  ///
  /// A network change since the failures admits one fetch, too. It ends no pause that the origin named: the origin
  /// named it for itself, not for the route.
  func admit(
    _ origin: OriginGuard, isNewNetwork: Bool = false, now: ClockReading
  ) throws(StoreError) -> AttemptPause? {
    switch try breakerState(of: origin, now: now) {
    case .closed: return nil
    case .held(let reason): return origin.pause(in: .held(reason), at: now)
    case .trial, .open: break
    }
    return try database.write(.claim, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      let now = self.present(now)
      guard let breaker = try self.breaker(origin, connection) else { return nil }
      let state = self.state(of: breaker, origin, now: now)
      switch state {
      case .closed: return nil
      case .open where !isNewNetwork, .held: return origin.pause(in: state, at: now)
      case .open, .trial: break
      }
      let next = Breaker(
        failures: breaker.failures,
        openUntil: now.wall.advanced(by: origin.policy.minimumPause), failure: breaker.failure)
      try self.write(origin, next.keepingNamed(pauseOf: breaker, state), connection)
      return nil
    }
  }

  /// The state of an origin's breaker.
  ///
  /// Cost: a look into memory where it has no failures, and no other process has committed since that was last
  /// seen; otherwise one SELECT.
  func breakerState(
    of origin: OriginGuard, now: ClockReading
  ) throws(StoreError) -> OriginGuard.State {
    guard let breaker = try breaker(origin) else { return .closed }
    return state(of: breaker, origin, now: now)
  }

  /// The number of consecutive failures of an origin.
  func failures(of origin: String) throws(StoreError) -> Int {
    let origin = OriginGuard(origin: Origin(origin), policy: BreakerPolicy())
    return Int(try breaker(origin)?.failures ?? 0)
  }

  private func breaker(_ origin: OriginGuard) throws(StoreError) -> Breaker? {
    let memory = database.memory
    database.lookIfDue(at: SystemClock.bootTime.milliseconds)
    if memory.isUntroubled(origin.name) { return nil }
    let header = memory.header
    let breaker = try database.read(.read) { (connection) throws(SQLiteError) in
      try self.breaker(origin, connection)
    }
    if breaker == nil, let header { memory.noteUntroubled(origin.name, readUnder: header) }
    return breaker
  }

  private func state(
    of breaker: Breaker, _ origin: OriginGuard, now: ClockReading
  ) -> OriginGuard.State {
    if let hold = breaker.hold { return .held(hold) }
    guard breaker.failures >= Int64(origin.policy.threshold) else { return .closed }
    let longest = breaker.isNamed ? origin.policy.longestNamedPause : origin.policy.maximumPause
    let left = breaker.openUntil.duration(since: now.wall)
    // A pause longer than the maximum was stamped by a clock that has since been set back, or under a policy with
    // longer pauses.
    return left > .zero && left <= longest ? .open(until: breaker.openUntil) : .trial
  }

  /// Counts a failure, or closes the breaker after an answer. A pause named by the origin keeps its
  /// length.
  func note(
    _ verdict: OriginVerdict, at origin: OriginGuard, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    switch verdict {
    case .unknown: break
    case .answered: try closeBreaker(of: origin, connection)
    case .failed(let blame): try count(blame, at: origin, now: now, connection)
    }
  }

  private func closeBreaker(
    of origin: OriginGuard, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let breaker = try breaker(origin, connection) else { return }
    guard let hold = breaker.hold else { return try connection.run(.closeBreaker, origin.name) }
    // An answer to another caller signs no user in.
    let closed = Breaker(
      failures: 0, openUntil: Timestamp(millisecondsSinceEpoch: 0), failure: "", hold: hold)
    try write(origin, closed, connection)
  }

  private func count(
    _ blame: OriginBlame, at origin: OriginGuard, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let breaker = try breaker(origin, connection)
    let now = present(now)
    let failures = (breaker?.failures ?? 0).oneMore
    let own = origin.policy.pause(afterFailures: Int(failures), random: origin.random)
    let isOpen = failures >= Int64(origin.policy.threshold)
    let named = blame.namedPause.map { min($0, origin.policy.longestNamedPause) }
    let pause = FailurePause(named: isOpen ? named : nil, own: own)
    var next = Breaker(
      failures: failures, openUntil: now.wall.advanced(by: pause.duration), failure: blame.message,
      isNamed: pause.isNamed)
    if let breaker {
      next.hold = breaker.hold
      next = next.keepingNamed(pauseOf: breaker, state(of: breaker, origin, now: now))
    }
    try write(origin, next, connection)
  }

  /// Opens a breaker for as long as another host of the fleet says, unless it is open for longer, or held.
  func takePause(
    _ pause: SharedPause, of origin: OriginGuard, now: ClockReading
  ) throws(StoreError) {
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      let length = min(pause.duration, origin.policy.longestNamedPause)
      let until = now.wall.advanced(by: length)
      let breaker = try self.breaker(origin, connection)
      if let breaker {
        switch self.state(of: breaker, origin, now: now) {
        case .held: return
        case .open(let end) where end >= until: return
        case .open, .closed, .trial: break
        }
      }
      let failures = max(breaker?.failures ?? 0, Int64(origin.policy.threshold))
      let next = Breaker(
        failures: failures, openUntil: until, failure: pause.reason,
        isNamed: length > origin.policy.maximumPause)
      try self.write(origin, next, connection)
    }
  }

  /// Holds the work with an origin; survives a power cut.
  ///
  /// A finding of a request that was begun at `number` is outdated when any process has ended holds or wiped the
  /// store since. Then it holds nothing, and this returns false.
  func hold(
    _ origin: String, because reason: String, begun number: Int64? = nil
  ) throws(StoreError) -> Bool {
    try database.write(.claim, .full, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      if let number, try number < self.lastRelease(connection) { return false }
      self.database.memory.touchOrigins()
      try connection.run(.hold, origin, reason)
      return true
    }
  }

  /// The held origins and the reasons, in order of name.
  func holds() throws(StoreError) -> [(name: String, reason: String)] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.rows(.holds) { statement in
        (name: statement.text(0), reason: statement.text(1))
      }
    }
  }

  /// Ends the pause of one origin or of all of them, and forgets their failures; returns their number. With
  /// `releasingHolds` their holds end, too, and no open request holds any.
  func forgetFailures(
    of origin: String?, releasingHolds: Bool
  ) throws(StoreError) -> Int {
    try database.write(.claim, .full, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      guard releasingHolds else {
        return try Self.count(.closeBreakersBeneathHolds, origin, connection)
          + Self.count(.closeUnheldBreakers, origin, connection)
      }
      let number = try self.nextNumber(connection)
      try connection.run(.noteRelease, number)
      return try Self.count(.closeBreakers, origin, connection)
    }
  }

  /// The number of rows that a statement about one origin, or all, has changed.
  private static func count(
    _ sql: SQL, _ origin: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try connection.run(sql, origin)
    return connection.changes
  }

  /// A row of the table.
  private struct Breaker {
    var failures: Int64
    var openUntil: Timestamp
    var failure: String
    var isNamed = false
    /// The reason for a hold; `nil` without one.
    var hold: String?

    /// This state, but open as long as the origin asked for: neither another failing request nor an admitted one
    /// shortens that pause.
    func keepingNamed(pauseOf last: Breaker, _ state: OriginGuard.State) -> Breaker {
      guard last.isNamed, case .open(let until) = state, until > openUntil else { return self }
      var kept = self
      (kept.openUntil, kept.isNamed) = (until, true)
      return kept
    }
  }

  private func breaker(
    _ origin: OriginGuard, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Breaker? {
    try connection.first(.readBreaker, origin.name) { statement in
      Breaker(
        failures: statement.int(0),
        openUntil: statement.moment(1), failure: statement.text(2),
        isNamed: statement.bool(3), hold: statement.optionalText(4))
    }
  }

  private func write(
    _ origin: OriginGuard, _ breaker: Breaker, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    database.memory.touchOrigins()
    try connection.run(
      .writeBreaker, origin.name, breaker.failures, breaker.openUntil.millisecondsSinceEpoch,
      breaker.failure, breaker.isNamed, breaker.hold)
  }

  /// Tells the breaker of an origin the verdict of an attempt. Cost: as of ``breakerState(of:now:)`` where there
  /// was no failure before and is none now.
  func note(
    _ verdict: OriginVerdict, at origin: OriginGuard, now: ClockReading
  ) throws(StoreError) {
    guard try changes(verdict, at: origin) else { return }
    try database.write(.complete, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.note(verdict, at: origin, now: now, connection)
    }
  }

  /// False where the breaker of an origin need not hear of an attempt: it was answered, and there was no failure.
  /// Cost: as of ``breakerState(of:now:)``.
  func changes(_ verdict: OriginVerdict, at origin: OriginGuard) throws(StoreError) -> Bool {
    switch verdict {
    case .unknown: return false
    case .failed: return true
    case .answered: return try failures(of: origin.name) != 0
    }
  }
}

extension BreakerPolicy {
  /// The pause after that many consecutive failures. There is none below the threshold. From there on it is the
  /// shortest pause, doubled for each further failure, with jitter above the shortest.
  func pause(afterFailures failures: Int, random: Double) -> Duration {
    guard failures >= threshold else { return .zero }
    let longest = Backoff(base: minimumPause, maximum: maximumPause).longest(failures - threshold)
    return min(maximumPause, minimumPause + (longest - minimumPause) * random)
  }
}

/// Origins that fail. There may be any number of them: clients of a proxy name any origin they like.
extension Storage {
  /// Failing origins that are to be forgotten.
  struct ForgottenOrigins: Sendable {
    let count: Int
    /// None of them has a pause that ends later.
    let end: Timestamp
  }

  /// The number of failing origins that are remembered, the ones whose pauses end last. A forgotten origin is asked
  /// again, and has to fail as often as the first time.
  private static let rememberedOrigins = 1000

  /// The failing origins beyond that number; `nil` where there are none. Cost: a look at each origin that has
  /// failed since it last answered.
  func originsToForget() throws(StoreError) -> ForgottenOrigins? {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      let all = try connection.first(.countOfFailing) { statement in Int(statement.int(0)) }
      let count = (all ?? 0) - Self.rememberedOrigins
      guard count > 0 else { return nil }
      return try connection.first(.endOfPauses, Int64(count - 1)) { statement in
        ForgottenOrigins(
          count: count, end: statement.moment(0))
      }
    }
  }

  /// Forgets some of them in one write transaction, and no hold. The work done counts the origins that were still
  /// there.
  func forget(_ origins: ForgottenOrigins, atMost most: Int) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, _) throws(SQLiteError) in
      try connection.run(.forgetOrigins, origins.end.millisecondsSinceEpoch, Int64(most))
      return Database.Work(done: connection.changes)
    }
  }
}

extension SQL {
  fileprivate static let readBreaker = SQL(
    "SELECT failures, open_until, failure, pause_named, hold FROM origin WHERE name = ?1")
  fileprivate static let writeBreaker = SQL(
    """
    INSERT OR REPLACE INTO origin (name, failures, open_until, failure, pause_named, hold)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)
  fileprivate static let hold = SQL(
    """
    INSERT INTO origin (name, failures, open_until, failure, hold) VALUES (?1, 0, 0, '', ?2)
    ON CONFLICT (name) DO UPDATE SET hold = ?2
    """)
  fileprivate static let holds = SQL(
    "SELECT name, hold FROM origin WHERE hold IS NOT NULL ORDER BY name")
  fileprivate static let noteRelease = SQL("UPDATE state SET released = ?1 WHERE id = 1")
  fileprivate static let closeBreakers = SQL(
    "DELETE FROM origin WHERE ?1 IS NULL OR name = ?1")
  fileprivate static let closeUnheldBreakers = SQL(
    "DELETE FROM origin WHERE hold IS NULL AND (?1 IS NULL OR name = ?1)")
  fileprivate static let closeBreakersBeneathHolds = SQL(
    """
    UPDATE origin SET (failures, open_until, failure, pause_named) = (0, 0, '', 0)
    WHERE hold IS NOT NULL AND failures > 0 AND (?1 IS NULL OR name = ?1)
    """)
  fileprivate static let closeBreaker = SQL("DELETE FROM origin WHERE name = ?1")
  fileprivate static let countOfFailing = SQL("SELECT count(*) FROM origin WHERE hold IS NULL")
  fileprivate static let endOfPauses = SQL(
    "SELECT open_until FROM origin WHERE hold IS NULL ORDER BY open_until LIMIT 1 OFFSET ?1")
  fileprivate static let forgetOrigins = SQL(
    """
    DELETE FROM origin WHERE name IN (
      SELECT name FROM origin WHERE hold IS NULL AND open_until <= ?1 LIMIT ?2)
    """)
}
