/// Marks that were made while the shared tier was out of reach, and are delivered later.
extension Storage {
  /// A mark that the fleet does not have yet.
  package struct MarkForFleet: Sendable {
    /// Its place in their order.
    let id: Int64
    let scope: Scope
    let reason: String
  }

  /// Marks here, and keeps the mark for the fleet: durable when it returns.
  ///
  /// Returns false for a single key that is neither stored nor being fetched here; it is kept all the same.
  func markAndKeep(_ scope: Scope, reason: String, now: ClockReading) throws(StoreError) -> Bool {
    try database.write(.markStale, .full, marksWrites: true, touching: scope.touched) {
      (connection) throws(SQLiteError) in
      let mark = StoredRecord.Mark(
        at: self.moment(from: now), reason: reason, epoch: try self.nextNumber(connection))
      try Self.keepForFleet(MarkForFleet(id: 0, scope: scope, reason: reason), connection)
      return try self.mark(scope, mark, connection)
    }
  }

  /// The oldest marks to be delivered.
  func marksForFleet(_ limit: Int) throws(StoreError) -> [MarkForFleet] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try Self.marksForFleet(limit, connection)
    }
  }

  static func marksForFleet(
    _ limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [MarkForFleet] {
    try connection.rows(.readMarksForFleet, Int64(limit)) { statement in
      let (collection, name) = (statement.text(2), statement.text(3))
      let scope: Scope
      switch statement.int(1) {
      case Scope.keyNumber: scope = .key(collection, name)
      case Scope.collectionNumber: scope = .collection(collection)
      case Scope.tagNumber: scope = .tag(name)
      case Scope.prefixNumber: scope = .prefix(collection, name)
      // Whatever it was, this covers it.
      default: scope = .all
      }
      return MarkForFleet(id: statement.int(0), scope: scope, reason: statement.text(4))
    }
  }

  static func keepForFleet(
    _ mark: MarkForFleet, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (scope, collection, name): (Int64, String, String) =
      switch mark.scope {
      case .key(let collection, let key): (Scope.keyNumber, collection, key)
      case .collection(let collection): (Scope.collectionNumber, collection, "")
      case .tag(let tag): (Scope.tagNumber, "", tag)
      case .prefix(let collection, let prefix): (Scope.prefixNumber, collection, prefix)
      case .all: (Scope.allNumber, "", "")
      }
    try connection.run(.keepMarkForFleet, scope, collection, name, mark.reason)
  }

  /// Forgets marks that the fleet has.
  func forget(_ marks: [MarkForFleet]) throws(StoreError) {
    let ids = marks.map(\.id)
    try database.write(.markStale, touching: Touched()) { (connection) throws(SQLiteError) in
      for id in ids { try connection.run(.forgetMarkForFleet, id) }
    }
  }
}

extension SQL {
  fileprivate static let readMarksForFleet = SQL(
    "SELECT id, scope, collection, name, reason FROM fleet_mark ORDER BY id LIMIT ?1")
  fileprivate static let keepMarkForFleet = SQL(
    "INSERT INTO fleet_mark (scope, collection, name, reason) VALUES (?1, ?2, ?3, ?4)")
  fileprivate static let forgetMarkForFleet = SQL("DELETE FROM fleet_mark WHERE id = ?1")
}
