internal import Strategies

/// An origin and the rules of its breaker, for one operation.
struct OriginGuard: Sendable {
  let name: String
  let policy: BreakerPolicy
  /// A random number in 0 ..< 1.
  var random = 0.0
}

extension Storage {
  /// Lets a fetch to the origin begin: `nil` when it may; otherwise when the next one may.
  ///
  /// After each pause one fetch is let through; letting it through starts the next pause, so that a
  /// fetch that never reports back does not hold the breaker open for all.
  func admit(_ origin: OriginGuard, now: ClockReading) throws(StoreError) -> Timestamp? {
    let closed = try database.read(.claim) { (connection) throws(SQLiteError) in
      try self.breaker(origin, connection).map { $0.failures < Int64(origin.policy.threshold) }
        ?? true
    }
    if closed { return nil }
    return try database.write(.claim, touching: Touched()) { (connection) throws(SQLiteError) in
      guard let breaker = try self.breaker(origin, connection),
        breaker.failures >= Int64(origin.policy.threshold)
      else { return nil }
      let left = breaker.openUntil.duration(since: now.wall)
      // A pause longer than the longest was stamped by a clock that has since been set back.
      guard left <= .zero || left > origin.policy.maximumPause else { return breaker.openUntil }
      try self.write(
        origin, failures: breaker.failures, failure: breaker.failure,
        openUntil: now.wall.advanced(by: origin.policy.minimumPause), connection)
      return nil
    }
  }

  /// When the breaker of an origin lets the next fetch through; `nil` while it is closed.
  func openUntil(_ origin: OriginGuard, now: ClockReading) throws(StoreError) -> Timestamp? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      guard let breaker = try self.breaker(origin, connection),
        breaker.failures >= Int64(origin.policy.threshold)
      else { return nil }
      return breaker.openUntil
    }
  }

  /// Counts a failure, or closes the breaker after a success.
  func note(
    _ failure: String?, at origin: OriginGuard, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let breaker = try breaker(origin, connection)
    guard let failure else {
      guard breaker != nil else { return }
      return try connection.withStatement(.closeBreaker) { (statement) throws(SQLiteError) in
        try statement.bind(origin.name, at: 1)
        try statement.run()
      }
    }
    let failures = (breaker?.failures ?? 0) + 1
    let pause = origin.policy.pause(afterFailures: Int(failures), random: origin.random)
    try write(
      origin, failures: failures, failure: failure, openUntil: now.wall.advanced(by: pause),
      connection)
  }

  private func breaker(
    _ origin: OriginGuard, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (failures: Int64, openUntil: Timestamp, failure: String)? {
    try connection.withStatement(.readBreaker) { (statement) throws(SQLiteError) in
      try statement.bind(origin.name, at: 1)
      guard try statement.step() else { return nil }
      return (
        statement.int(0), Timestamp(millisecondsSinceEpoch: statement.int(1)), statement.text(2)
      )
    }
  }

  private func write(
    _ origin: OriginGuard, failures: Int64, failure: String, openUntil: Timestamp,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.writeBreaker) { (statement) throws(SQLiteError) in
      try statement.bind(origin.name, at: 1)
      try statement.bind(failures, at: 2)
      try statement.bind(openUntil.millisecondsSinceEpoch, at: 3)
      try statement.bind(failure, at: 4)
      try statement.run()
    }
  }
}

extension BreakerPolicy {
  /// The pause after so many failures in a row: none below the threshold; then the shortest pause,
  /// doubled for each failure beyond it, with jitter above the shortest.
  func pause(afterFailures failures: Int, random: Double) -> Duration {
    guard failures >= threshold else { return .zero }
    let longest = Backoff(base: minimumPause, maximum: maximumPause).longest(failures - threshold)
    return min(maximumPause, minimumPause + (longest - minimumPause) * random)
  }
}

extension SQL {
  fileprivate static let readBreaker = SQL(
    "SELECT failures, open_until, failure FROM origin WHERE name = ?1")
  fileprivate static let writeBreaker = SQL("INSERT OR REPLACE INTO origin VALUES (?1, ?2, ?3, ?4)")
  fileprivate static let closeBreaker = SQL("DELETE FROM origin WHERE name = ?1")
}
