internal import Strategies

extension Storage {
  /// The outcome of storing a fetch's result.
  enum Completion: Sendable {
    /// Stored; the row as it now is.
    case stored(StoredRecord)
    /// The lease was gone: the record was put, removed or fetched meanwhile.
    case superseded
    /// The record has a local write its source has not accepted; nothing may overwrite it.
    case pending
    /// There was no value to store; the facts to remember are stored.
    case noted(isCovered: Bool)
  }

  /// The result of a fetch under one lease.
  enum Result {
    /// A value, or its absence; with the edition of the row at the time of the request.
    case value(Write, seen: StoredRecord.Edition?)
    /// The copy of the request is still valid: its stamps are renewed.
    case renewed(
      RecordContent, of: StoredRecord, tags: Set<String>?, statedAt: ClockReading?)
    /// The value may not be kept; an existing copy is no longer current.
    case unstorable(reason: String, tags: Set<String>?)
    /// The fetch failed.
    case failed(Failure)
  }

  /// A failure to remember.
  struct Failure {
    var message: String
    /// The pause before the next attempt, given the number of failures in a row.
    var pause: @Sendable (Int) -> FailurePause
    /// The verdict that the origin's breaker counts.
    var verdict = OriginVerdict.answered
    /// True when the source was asked regardless of a pause: the failure does not shorten it.
    var keepsPause = false
  }

  /// Stores the results of fetches, in one transaction, each only if its lease is still valid.
  ///
  /// - Parameter verdict: The verdict of the answers on the origin that gave them.
  func complete(
    _ results: [(lease: Lease, result: Result)],
    noting verdict: (origin: OriginGuard, verdict: OriginVerdict)?, now: ClockReading
  ) throws(StoreError) -> [String: Completion] {
    // The leases of one call are of one collection.
    let touched = AffectedKeys(results.first?.lease.collection ?? "", results.map(\.lease.key))
    return try database.write(.complete, touching: touched) { (connection) throws(SQLiteError) in
      var completions: [String: Completion] = [:]
      for (lease, result) in results {
        completions[lease.key] = try self.complete(lease, result, now: now, connection)
      }
      if let verdict, let fence = results.first?.lease.fence,
        try self.isCurrent(fence, connection)
      {
        try self.note(verdict.verdict, at: verdict.origin, now: now, connection)
      }
      return completions
    }
  }

  private func complete(
    _ lease: Lease, _ result: Result, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Completion {
    guard try end(lease, connection) else { return .superseded }
    let current = try record(lease.collection, lease.key, joins: false, connection)
    guard current?.isPending != true else { return .pending }
    switch result {
    case .value(let write, let seen):
      let completion = try complete(
        lease, write, as: write.kind == .absent ? .absent : .stored, over: current, now: now,
        connection)
      guard case .stored(let record) = completion, let current, current.edition != seen else {
        return completion
      }
      return .stored(try doubting(record, over: current, now: now, connection))
    case .renewed(let content, let asked, let tags, let statedAt):
      guard let current, current.isIntact, current.kind == .value else { return .superseded }
      guard current.holdsTheSame(as: asked) else {
        try markOvertaking(current, now: now, connection)
        return .superseded
      }
      var content = content
      content.keepValue(of: current.content)
      // One in blocks was read when it was asked about: callers, and the fleet, get it from there.
      if content.blocks != nil, content.value == nil, let value = asked.content.value {
        content.join(value)
      }
      return try complete(
        lease, Write(content: content, tags: tags, statedAt: statedAt), as: .revalidated,
        over: current, now: now, connection)
    case .unstorable(let reason, let tags):
      let mark = try mark(
        over: lease.collection, lease.key, tags: tags ?? [], standing: current?.mark,
        since: lease.fence, connection)
      if current?.isIntact != true || current?.kind == .unfetched {
        try noteAnswer(
          about: lease.key, in: lease.collection, asked: lease.fence, now: now, connection)
      }
      // A damaged row must stay detectable: its checksum is not renewed.
      if var current, current.isIntact {
        current.mark = mark ?? .init(at: moment(from: now), reason: reason, epoch: lease.fence)
        try Self.endFailures(of: current.row, connection)
        // An explicit mark requires another fetch; a value that may not be kept does not.
        try writeMark(of: current, queueAt: queuePlace(of: mark, now), connection)
      }
      return .noted(isCovered: mark != nil)
    case .failed(let failure):
      try noteFailure(failure, of: lease, current, now: now, connection)
      return .noted(isCovered: false)
    }
  }

  private func complete(
    _ lease: Lease, _ write: Write, as kind: Change.Kind, over current: StoredRecord?,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Completion {
    switch try land(write, over: current, asked: lease.fence, now: now, connection) {
    case .stored(let record):
      try log(kind, lease.collection, lease.key, connection)
      // The record is in the queue, which a process that fetches stale records must read.
      if record.mark != nil { try log(.marked, lease.collection, lease.key, connection) }
      return .stored(record)
    case .pending: return .pending
    case .overtaken, .outdated: return .superseded
    }
  }

  /// The row of an answer, marked if it replaced a list's value that arrived during the request. It is unknown
  /// which of the two is later, and the cursor is past the list's value.
  private func doubting(
    _ record: StoredRecord, over current: StoredRecord, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    let (collection, key) = (record.content.collection, record.content.key)
    // When a list named a missing record, an absence is in doubt, and a value is not.
    guard record.mark == nil, current.isIntact,
      current.kind != .unfetched || record.kind == .absent,
      current.kind != record.kind || current.contentChecksum != record.contentChecksum,
      try isOnList(key, of: collection, connection)
    else { return record }
    var record = record
    record.mark = .init(
      at: moment(from: now), reason: "a list told otherwise while it was fetched",
      epoch: try nextNumber(connection))
    if let mark = record.mark { try markStanding(record, mark, connection) }
    try log(.marked, collection, key, connection)
    return record
  }

  /// Requests a copy again that replaced another copy during the request for that one. It is unknown which of the
  /// two the source holds.
  private func markOvertaking(
    _ current: StoredRecord, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let mark = StoredRecord.Mark(
      at: moment(from: now), reason: "the source confirmed another copy",
      epoch: try nextNumber(connection))
    try markStanding(current, mark, connection)
    try log(.marked, current.content.collection, current.content.key, connection)
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
    record.failures = record.failures.oneMore
    let now = present(now)
    let pause = failure.pause(Int(record.failures))
    var (next, isNamed) = (now.wall.advanced(by: pause.duration), pause.isNamed)
    if let standing = record.nextAttempt, standing > next,
      record.isPauseNamed || (failure.keepsPause && !isNamed),
      standing.duration(since: now.wall) <= Backoff.longestNamed
    {
      // A manual refresh that fails does not end the pause before it, least of all one that the source asked for.
      (next, isNamed) = (standing, record.isPauseNamed)
    }
    try connection.run(
      .noteFailure, record.row, record.failures, next.millisecondsSinceEpoch, failure.message,
      isNamed)
    try connection.run(.setFailing, record.row, next.millisecondsSinceEpoch)
  }
}

extension Storage.Failure {
  /// The facts to remember about a failed fetch; `random` lies in 0 ..< 1.
  init(_ failure: FetchFailure, policy: Policy, random: Double) {
    let backoff = Backoff(base: policy.retryPause, maximum: policy.maximumRetryPause)
    self.init(
      message: failure.message,
      pause: { failure.pause(own: backoff.pause(afterFailures: $0, random: random)) },
      verdict: failure.verdict, keepsPause: !policy.heedsPauses)
  }
}

extension StoredRecord {
  /// True when both rows hold the same bytes with the same validators and variant.
  fileprivate func holdsTheSame(as other: StoredRecord) -> Bool {
    kind == other.kind && contentChecksum == other.contentChecksum
      && content.validators == other.content.validators && content.variant == other.content.variant
  }
}

extension SQL {
  fileprivate static let noteFailure = SQL(
    """
    INSERT OR REPLACE INTO failure (record, failures, next_attempt, message, pause_named)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)
  /// A row in the refetch queue is due again after the pause.
  fileprivate static let setFailing = SQL(
    """
    UPDATE record SET flags = flags | \(RecordFlags.failing), queue_at = iif(queue_at IS NULL, NULL, ?2)
    WHERE id = ?1
    """)
}
