internal import Strategies

extension Storage {
  /// A change that a transaction logged for observers.
  struct LoggedChange: Sendable {
    let sequence: Int64
    /// The store that committed it.
    let owner: String
    let change: Change
  }

  /// The minimum of newest entries that the log keeps.
  private static let logLength: Int64 = 10_000
  /// The number of entries trimmed at once.
  private static let logSurplus: Int64 = 256

  // MARK: Writing

  /// Tells observers of a change of the current transaction, after the commit. The observers of this store hear of
  /// it at once, in the order of commits. The observers of other stores on the file read its log. Without observers
  /// it only costs a look-up in an empty table.
  ///
  /// - Parameter toOthers: True for a change that this store's own observers have no use for.
  package func log(
    _ kind: Change.Kind, _ collection: String?, _ key: String?, write: Change.Write? = nil,
    ended: Change.EndedPauses? = nil, toOthers: Bool = false, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    if !toOthers, !hub.isEmpty {
      let change = Change(
        kind: kind, collection: collection, key: key, write: write, ended: ended)
      connection.log.afterCommit.append { [hub] in hub.publish(change) }
    }
    guard try isObserved(connection) else { return }
    try connection.run(
      .logChange, owner, kind.rawValue, collection, key, write?.id,
      write?.until?.millisecondsSinceEpoch, write?.reason, ended?.text)
    connection.log.isWritten = true
    let sequence = connection.lastInsertedRow
    guard sequence % Self.logSurplus == 0 else { return }
    try connection.run(.trimLog, sequence - Self.logLength)
  }

  /// True when another store has observers; checked once in a transaction.
  private func isObserved(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    if let known = connection.log.isWanted { return known }
    let isWanted = try connection.withStatement(.readObservers) { (statement) throws(SQLiteError) in
      var isWanted = false
      while !isWanted, try statement.step() {
        guard statement.text(0) != owner else { continue }
        // This uses the machine's clock, not the store's clock: the observers are other processes.
        let now = SystemClock().reading()
        isWanted = statement.int(1) == now.boot && statement.int(2) > now.sinceBoot
      }
      return isWanted
    }
    connection.log.isWanted = isWanted
    return isWanted
  }

  // MARK: Observing

  /// Registers this store as an observer; returns the newest entry of the log at that moment.
  func register(for duration: Duration) throws(StoreError) -> Int64 {
    try database.write(.observe, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try self.forgetDeadObservers(connection)
      let now = SystemClock().reading()
      try connection.run(
        .addObserver, owner, now.boot, now.sinceBoot + duration.wholeMilliseconds)
      return try self.newestChange(connection)
    }
  }

  /// Renews the registration; false when it had expired, so that changes may not have been logged.
  func renew(for duration: Duration) throws(StoreError) -> Bool {
    try database.write(.observe, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      let now = SystemClock().reading()
      try connection.run(
        .renewObserver, owner, now.boot, now.sinceBoot,
        now.sinceBoot + duration.wholeMilliseconds)
      return connection.changes > 0
    }
  }

  /// Ends the registration; the last observer clears the log.
  func unregister() throws(StoreError) {
    try database.write(.observe, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      try connection.run(.removeObserver, owner)
      try self.forgetDeadObservers(connection)
    }
  }

  private func forgetDeadObservers(_ connection: borrowing Connection) throws(SQLiteError) {
    let now = SystemClock().reading()
    try connection.run(.removeDeadObservers, now.boot, now.sinceBoot)
    try connection.run(.clearLog)
  }

  private func newestChange(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    try connection.first(.newestChange) { statement in statement.int(0) } ?? 0
  }

  /// The entries of the log after a position; `nil` when this is not the log of the registration.
  func loggedChanges(after position: Int64, limit: Int) throws(StoreError) -> [LoggedChange]? {
    try database.read(.observe) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        let isListed = try connection.hasRow(.readObserver, owner)
        guard isListed, try self.newestChange(connection) >= position else { return nil }
        return try connection.rows(.readLog, position, Int64(limit)) { statement in
          LoggedChange(row: statement)
        }
      }
    }
  }
}

extension Storage.LoggedChange {
  fileprivate init(row: borrowing Statement) {
    sequence = row.int(0)
    owner = row.text(1)
    change = Change(
      kind: Change.Kind(rawValue: row.text(2)) ?? .unknown, collection: row.optionalText(3),
      key: row.optionalText(4),
      write: row.optionalInt(5).map {
        Change.Write(
          $0, until: row.optionalMoment(6),
          reason: row.optionalText(7))
      }, ended: row.optionalText(8).map(Change.EndedPauses.init(text:)))
  }
}

extension Change.EndedPauses {
  /// As the log holds it.
  var text: String {
    switch self {
    case .all: ""
    case .origin(let origin): origin.name
    }
  }

  fileprivate init(text: String) { self = text.isEmpty ? .all : .origin(Origin(text)) }
}

extension SQL {
  fileprivate static let readObservers = SQL("SELECT owner, boot, deadline FROM observer")
  fileprivate static let readObserver = SQL("SELECT 1 FROM observer WHERE owner = ?1")
  fileprivate static let addObserver = SQL("INSERT OR REPLACE INTO observer VALUES (?1, ?2, ?3)")
  fileprivate static let renewObserver = SQL(
    """
    UPDATE observer SET deadline = ?4 WHERE owner = ?1 AND boot = ?2 AND deadline > ?3
    """)
  fileprivate static let removeObserver = SQL("DELETE FROM observer WHERE owner = ?1")
  fileprivate static let removeDeadObservers = SQL(
    "DELETE FROM observer WHERE boot <> ?1 OR deadline <= ?2")
  fileprivate static let logChange = SQL(
    """
    INSERT INTO change (owner, kind, collection, key, write, until, reason, ended)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)
  fileprivate static let trimLog = SQL("DELETE FROM change WHERE sequence <= ?1")
  /// The newest entry stays, so that numbers are never reused.
  fileprivate static let clearLog = SQL(
    """
    DELETE FROM change WHERE sequence < (SELECT max(sequence) FROM change)
      AND NOT EXISTS (SELECT 1 FROM observer)
    """)
  fileprivate static let newestChange = SQL("SELECT coalesce(max(sequence), 0) FROM change")
  fileprivate static let readLog = SQL(
    """
    SELECT sequence, owner, kind, collection, key, write, until, reason, ended FROM change
    WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """)
}
