internal import Strategies

extension Storage {
  /// What became of a fetch's result.
  enum Completion: Sendable {
    /// Stored; the row as it now is.
    case stored(StoredRecord)
    /// The lease was gone: somebody put, removed or fetched the record meanwhile.
    case superseded
    /// The record has a local write its source has not accepted; nothing may overwrite it.
    case pending
    /// There was nothing to store; what is to be remembered of it is.
    case noted
  }

  /// What a fetch brought, for one lease.
  enum Result {
    case value(Write)
    /// The copy still holds: its stamps are renewed.
    case renewed(RecordContent, tags: Set<String>?)
    /// Nothing of it may be kept; a copy that stands is no longer current.
    case unstorable(reason: String)
    /// The fetch failed.
    case failed(Failure)
  }

  /// A failure to remember.
  struct Failure {
    var message: String
    /// The pause before the next attempt, given the number of failures in a row.
    var pause: @Sendable (Int) -> Duration
    /// True when the source has named that pause.
    var isPauseNamed = false
    /// What the breaker of the origin counts; `nil` when it is not to blame.
    var blame: OriginBlame?
  }

  /// Stores what fetches brought, in one transaction, each only if its lease still stands.
  func complete(
    _ results: [(lease: Lease, result: Result)], origin: OriginGuard?, now: ClockReading
  ) throws(StoreError) -> [String: Completion] {
    // The leases of one call are of one collection.
    let touched = Touched(results.first?.lease.collection ?? "", results.map(\.lease.key))
    return try database.write(.complete, touching: touched) { (connection) throws(SQLiteError) in
      var completions: [String: Completion] = [:]
      for (lease, result) in results {
        completions[lease.key] = try self.complete(lease, result, now: now, connection)
      }
      if let origin {
        let blame = results.compactMap { entry -> OriginBlame? in
          guard case .failed(let failure) = entry.result else { return nil }
          return failure.blame
        }.first
        try self.note(blame, at: origin, now: now, connection)
      }
      return completions
    }
  }

  private func complete(
    _ lease: Lease, _ result: Result, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Completion {
    guard let ended = try end(lease, connection) else { return .superseded }
    let current = try record(lease.collection, lease.key, connection)
    guard current?.isPending != true else { return .pending }
    switch result {
    case .value(let write):
      let kind: Change.Kind = write.kind == .absent ? .absent : .stored
      try log(kind, lease.collection, lease.key, connection)
      return .stored(
        try store(write, epoch: lease.fence, mark: ended.mark, now: now, connection))
    case .renewed(let content, let tags):
      guard let current, current.isIntact, current.kind == .value else { return .superseded }
      var content = content
      content.value = current.content.value
      let write = Write(content: content, tags: tags)
      try log(.revalidated, lease.collection, lease.key, connection)
      return .stored(
        try store(write, epoch: lease.fence, mark: ended.mark, now: now, connection))
    case .unstorable(let reason):
      guard var current else { return .noted }
      current.mark = .init(at: now.wall, reason: reason, epoch: lease.fence)
      try writeMark(of: current, queueAt: nil, connection)
      return .noted
    case .failed(let failure):
      try noteFailure(failure, of: lease, current, now: now, connection)
      return .noted
    }
  }

  private func noteFailure(
    _ failure: Failure, of lease: Lease, _ current: StoredRecord?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var record: StoredRecord
    if let current {
      record = current
    } else {
      let content = RecordContent(
        collection: lease.collection, key: lease.key, expiry: .unstated)
      record = try store(
        Write(content: content, kind: .unfetched), epoch: lease.fence, mark: nil, now: now,
        connection)
    }
    record.failures += 1
    let next = now.wall.advanced(by: failure.pause(Int(record.failures)))
    try connection.withStatement(.noteFailure) { (statement) throws(SQLiteError) in
      try statement.bind(record.row, at: 1)
      try statement.bind(record.failures, at: 2)
      try statement.bind(next.millisecondsSinceEpoch, at: 3)
      try statement.bind(failure.message, at: 4)
      try statement.bind(failure.isPauseNamed, at: 5)
      try statement.run()
    }
  }
}

extension SQL {
  /// A row in the refetch queue comes up again when the pause is over.
  fileprivate static let noteFailure = SQL(
    """
    UPDATE record SET failures = ?2, next_attempt = ?3, failure = ?4, pause_named = ?5,
      queue_at = CASE WHEN queue_at IS NULL THEN NULL ELSE ?3 END
    WHERE id = ?1
    """)
}
