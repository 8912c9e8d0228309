internal import Strategies

/// Origins that fail, of which there may be any number: clients of a proxy name whichever they like.
extension Storage {
  /// Failing origins of which no more is to be known.
  struct ForgottenOrigins: Sendable {
    let count: Int
    /// None of them has a pause that ends later.
    let end: Timestamp
  }

  /// The failing origins that are remembered, those whose pauses end last. Who is forgotten is asked again, and has to
  /// fail as often as the first time.
  private static let rememberedOrigins = 1000

  /// The failing origins beyond those that are remembered; `nil` where there are none. Cost: a look at each that has
  /// failed since it last answered.
  func originsToForget() throws(StoreError) -> ForgottenOrigins? {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      let all = try connection.first(.countOfFailing) { statement in Int(statement.int(0)) }
      let count = (all ?? 0) - Self.rememberedOrigins
      guard count > 0 else { return nil }
      return try connection.first(.endOfPauses, Int64(count - 1)) { statement in
        ForgottenOrigins(
          count: count, end: Timestamp(millisecondsSinceEpoch: statement.int(0)))
      }
    }
  }

  /// Forgets some of them in one write transaction, and no hold. The work done counts those that still were there.
  func forget(_ origins: ForgottenOrigins, atMost most: Int) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, _) throws(SQLiteError) in
      try connection.run(.forgetOrigins, origins.end.millisecondsSinceEpoch, Int64(most))
      return Database.Work(done: connection.changes)
    }
  }
}

extension SQL {
  fileprivate static let countOfFailing = SQL("SELECT count(*) FROM origin WHERE hold IS NULL")
  fileprivate static let endOfPauses = SQL(
    "SELECT open_until FROM origin WHERE hold IS NULL ORDER BY open_until LIMIT 1 OFFSET ?1")
  fileprivate static let forgetOrigins = SQL(
    """
    DELETE FROM origin WHERE name IN (
      SELECT name FROM origin WHERE hold IS NULL AND open_until <= ?1 LIMIT ?2)
    """)
}
