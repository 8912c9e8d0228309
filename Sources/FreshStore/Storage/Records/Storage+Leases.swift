internal import Strategies

extension Storage {
  /// The answer to a request for the lease of a key.
  enum Claim: Sendable {
    /// The caller holds the lease.
    case granted(Lease)
    /// Another owner holds it for the remaining time, unless it ends or renews it earlier.
    case held(owner: String, remaining: Duration)
  }

  /// Takes the leases of `keys`, and returns their records as of the write lock. So a fetch by another owner since
  /// the caller's read is seen before anything is fetched again. A value in blocks is not read (``joined(_:of:)``).
  ///
  /// - Parameter begun: The number of the request (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped`, and takes none, for a request from before a wipe.
  func claim(
    _ collection: String, _ keys: [String], owner: String, for duration: Duration,
    begun: Int64? = nil, now: ClockReading
  ) throws(StoreError) -> [String: (claim: Claim, record: StoredRecord?)] {
    try write(
      .claim, touching: AffectedKeys(collection, keys), begunAt: begun, in: collection
    ) { (connection) throws(SQLiteError) in
      var answers: [String: (claim: Claim, record: StoredRecord?)] = [:]
      for key in keys {
        let claim = try self.lease(
          collection, key, owner: owner, for: duration, now: now, connection)
        answers[key] = (claim, try self.record(collection, key, joins: false, connection))
      }
      return answers
    }
  }

  /// The answers to a request for leases, with the values of the records whose leases were granted. A value in
  /// blocks is read here, as it is by now, and not under the write lock.
  func joined(
    _ answers: [String: (claim: Claim, record: StoredRecord?)], of collection: String
  ) throws(StoreError) -> [String: (claim: Claim, record: StoredRecord?)] {
    var joined = answers
    for (key, answer) in answers {
      guard case .granted = answer.claim, let content = answer.record?.content,
        content.blocks != nil, content.value == nil
      else { continue }
      joined[key]?.record = try database.read(.claim) { (connection) throws(SQLiteError) in
        try self.record(collection, key, joins: true, connection)
      }
    }
    return joined
  }

  /// Takes the lease of one key if it is free.
  func lease(
    _ collection: String, _ key: String, owner: String, for duration: Duration,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Claim {
    if let held = try holder(collection, key, now, connection) { return held }
    let fence = try nextNumber(connection)
    try connection.run(
      .takeLease, collection, key, owner, fence, now.boot, now.deadline(after: duration))
    return .granted(Lease(collection: collection, key: key, owner: owner, fence: fence))
  }

  /// The current holders of the leases of `keys`.
  func holders(
    _ collection: String, _ keys: [String], now: ClockReading
  ) throws(StoreError) -> [String: String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      var holders: [String: String] = [:]
      for key in keys {
        if case .held(let owner, _) = try self.holder(collection, key, now, connection) {
          holders[key] = owner
        }
      }
      return holders
    }
  }

  private func holder(
    _ collection: String, _ key: String, _ now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Claim? {
    try connection.withStatement(.readLease, collection, key) { (statement) throws(SQLiteError) in
      // A lease of another boot has no living owner.
      guard try statement.step(), statement.int(1) == now.boot else { return nil }
      let remaining = statement.int(2).subtractingReportingOverflow(now.sinceBoot).partialValue
      guard remaining > 0 else { return nil }
      let owner = statement.text(0)
      return ownerLock.isDead(owner)
        ? nil : .held(owner: owner, remaining: .milliseconds(remaining))
    }
  }

  /// Moves the deadlines of leases that are still valid.
  func renew(_ leases: [Lease], for duration: Duration, now: ClockReading) throws(StoreError) {
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      for lease in leases { _ = try self.hold(lease, for: duration, now: now, connection) }
    }
  }

  /// Extends a lease by a duration from now; false when it is no longer valid.
  func hold(_ lease: Lease, for duration: Duration, now: ClockReading) throws(StoreError) -> Bool {
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.hold(lease, for: duration, now: now, connection)
    }
  }

  private func hold(
    _ lease: Lease, for duration: Duration, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.run(
      .renewLease, lease.collection, lease.key, lease.owner, lease.fence,
      now.deadline(after: duration))
    return connection.changes > 0
  }

  /// False for a lease from before a wipe.
  func isCurrent(_ lease: Lease) throws(StoreError) -> Bool {
    try database.read(.claim) { (connection) throws(SQLiteError) in
      try self.isCurrent(lease.fence, connection)
    }
  }

  /// Replaces a lease by one with a new number; `nil` when it is no longer valid.
  func askAnew(
    _ lease: Lease, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> Lease? {
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.renumber(lease, for: duration, now: now, connection)
    }
  }

  /// Gives leases new numbers; returns the leases that are still valid, by key.
  func askAnew(
    _ leases: [Lease], for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [String: Lease] {
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      var next: [String: Lease] = [:]
      for lease in leases {
        next[lease.key] = try self.renumber(lease, for: duration, now: now, connection)
      }
      return next
    }
  }

  /// The same for one, inside a transaction.
  func renumber(
    _ lease: Lease, for duration: Duration, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Lease? {
    guard try end(lease, connection),
      case .granted(let next) = try self.lease(
        lease.collection, lease.key, owner: lease.owner, for: duration, now: now, connection)
    else { return nil }
    return next
  }

  /// Takes a lease back that ended in this transaction, under its own number.
  func retake(
    _ lease: Lease, for duration: Duration, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .takeLease, lease.collection, lease.key, lease.owner, lease.fence, now.boot,
      now.deadline(after: duration))
  }

  /// Gives leases back without a result.
  func release(_ leases: [Lease]) throws(StoreError) {
    guard !leases.isEmpty else { return }
    try database.write(.claim, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      for lease in leases {
        _ = try self.end(lease, connection)
      }
    }
  }

  /// Ends a lease; false when it is no longer valid.
  func end(_ lease: Lease, _ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try connection.run(.endLease, lease.collection, lease.key, lease.owner, lease.fence)
    return connection.changes > 0
  }

  /// Ends the lease of a fetch requested before `number`, so that it stores nothing.
  package func dropLease(
    _ collection: String, _ key: String, askedBefore number: Int64 = .max,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.dropLease, collection, key, number)
  }

  /// Whether a fetch of the key is running, or was left by an owner that died.
  func isLeased(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(.readLease, collection, key)
  }

  /// Whether any lease exists, including expired ones that were not deleted yet.
  func hasLeases(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try connection.hasRow(.hasLeases)
  }

  /// Whether a request is open that is no fetch of one record, such as a list's or an import's.
  func hasQuestions(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try connection.hasRow(.readQuestion, Self.noCollection)
  }

  func dropDeadLeases(
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.dropDeadLeases, now.boot, now.sinceBoot)
  }

  // MARK: Dead owners

  /// Ends the leases and claims of dead owners; false when there were none.
  @discardableResult
  func releaseDead(now: ClockReading) throws(StoreError) -> Bool {
    let owners = try database.maintain(.claim) { (connection) throws(SQLiteError) in
      try connection.rows(.owners) { statement in statement.text(0) }
    }
    let dead = owners.filter(ownerLock.isDead)
    for owner in dead { try release(allOf: owner, now: now) }
    return !dead.isEmpty
  }

  /// Ends the claims and leases of an owner that is certainly dead; its fetches and pushes are due
  /// at once.
  private func release(allOf owner: String, now: ClockReading) throws(StoreError) {
    try database.write(.claim) { (connection) throws(SQLiteError) in
      // Its records first: its leases identify them.
      try connection.run(.requeueRecords, owner, self.moment(from: now).millisecondsSinceEpoch)
      for sql in [SQL.endLeases, SQL.endClaims] {
        try connection.run(sql, owner)
      }
      try self.log(.resumed, nil, nil, connection)
    }
  }
}

extension ClockReading {
  /// The moment on the boot clock after `duration`, capped at the largest value.
  func deadline(after duration: Duration) -> Int64 {
    let (sum, overflow) = sinceBoot.addingReportingOverflow(duration.wholeMilliseconds)
    return overflow ? .max : sum
  }
}

extension SQL {
  fileprivate static let readLease = SQL(
    "SELECT owner, boot, deadline FROM lease WHERE collection = ?1 AND key = ?2")
  fileprivate static let takeLease = SQL(
    """
    INSERT OR REPLACE INTO lease (collection, key, owner, fence, boot, deadline)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)
  fileprivate static let renewLease = SQL(
    """
    UPDATE lease SET deadline = ?5
    WHERE collection = ?1 AND key = ?2 AND owner = ?3 AND fence = ?4
    """)
  fileprivate static let endLease = SQL(
    """
    DELETE FROM lease WHERE collection = ?1 AND key = ?2 AND owner = ?3 AND fence = ?4
    """)
  fileprivate static let readQuestion = SQL("SELECT 1 FROM lease WHERE collection = ?1 LIMIT 1")
  fileprivate static let hasLeases = SQL("SELECT 1 FROM lease LIMIT 1")
  fileprivate static let dropLease = SQL(
    "DELETE FROM lease WHERE collection = ?1 AND key = ?2 AND fence < ?3")
  fileprivate static let owners = SQL(
    "SELECT owner FROM lease UNION SELECT owner FROM outbox WHERE owner IS NOT NULL")
  fileprivate static let requeueRecords = SQL(
    """
    UPDATE record SET queue_at = max(?2, \(StoredRecord.endOfPause))
    WHERE queue_at > ?2 AND id IN (SELECT r.id FROM lease l
      JOIN record r ON r.collection = l.collection AND r.key = l.key WHERE l.owner = ?1)
    """)
  fileprivate static let endLeases = SQL("DELETE FROM lease WHERE owner = ?1")
  fileprivate static let endClaims = SQL(
    """
    UPDATE outbox SET owner = NULL, fence = NULL, boot = NULL, deadline = NULL WHERE owner = ?1
    """)
  fileprivate static let dropDeadLeases = SQL(
    "DELETE FROM lease WHERE boot <> ?1 OR deadline <= ?2")
}
