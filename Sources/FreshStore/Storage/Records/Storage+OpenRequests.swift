/// What has become of the records that a request is about while its answer is on its way.
extension Storage {
  /// True as long as the answer to an open request would be stored as a fresh one, as far as can be told before it is:
  /// nothing that covers it is marked since, and no put, removal or wipe has overtaken it.
  ///
  /// Cost: for each key a look-up in a table that is empty but for marks set during requests, and one of its record,
  /// without the value; and one for the request.
  ///
  /// - Parameters:
  ///   - keys: Those that the answer may be stored under, and the one that stands for all of them.
  ///   - tags: `nil` while they are not known: a mark of any counts.
  func isUpToDate(
    _ request: OpenRequest, of collection: String, about keys: [String], tags: Set<String>?
  ) throws(StoreError) -> Bool {
    try database.read(.read) { (connection) throws(SQLiteError) in
      if tags == nil,
        try connection.hasRow(.youngerOfScope, Scope.tagNumber, request.number)
      {
        return false
      }
      for key in keys {
        let mark = try self.mark(
          over: collection, key, tags: tags ?? [], standing: nil, since: request.number, connection)
        guard mark == nil else { return false }
        // As when an answer lands: what is stored with a later number stays.
        if let record = try connection.judgedRecord(of: key, in: collection), record.isIntact,
          record.kind != .unfetched, record.epoch > request.number
        {
          return false
        }
      }
      // Last: as long as it is open, no mark is forgotten that is newer.
      return try self.isOpen(request, connection)
    }
  }

  private func isOpen(
    _ request: OpenRequest, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try isCurrent(request.number, connection) else { return false }
    switch request {
    case .leased(let lease):
      return try connection.hasRow(
        .leaseOfRequest, lease.collection, lease.key, lease.owner, lease.fence)
    case .question(let question):
      return try isLeased(Self.noCollection, question.name, connection)
    }
  }
}

extension SQL {
  fileprivate static let youngerOfScope = SQL(
    "SELECT 1 FROM invalidation WHERE scope = ?1 AND epoch > ?2")
  fileprivate static let leaseOfRequest = SQL(
    "SELECT 1 FROM lease WHERE collection = ?1 AND key = ?2 AND owner = ?3 AND fence = ?4")
}
