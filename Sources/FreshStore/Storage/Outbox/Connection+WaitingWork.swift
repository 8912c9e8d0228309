internal import Strategies

extension Connection {
  /// What waits to be fetched and pushed. Every count ends at `limit`.
  package func waitingWork(
    at now: ClockReading, limit: Int = .max
  ) throws(SQLiteError) -> WaitingWork {
    var work = WaitingWork()
    try addRecords(to: &work, now, limit)
    try addWrites(to: &work, limit)
    try addMarks(to: &work, limit)
    try withStatement(.failingOrigins) { (statement) throws(SQLiteError) in
      try statement.bind(Int64(limit), at: 1)
      while try statement.step() {
        work.failingOrigins.append(
          Backlog.Origin(
            name: statement.text(0), failures: Int(statement.int(1)),
            pausedUntil: Timestamp(millisecondsSinceEpoch: statement.int(2)),
            failure: statement.text(3)))
      }
    }
    return work
  }

  private func addRecords(
    to work: inout WaitingWork, _ now: ClockReading, _ limit: Int
  ) throws(SQLiteError) {
    try withStatement(.waitingRecords) { (statement) throws(SQLiteError) in
      try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
      try statement.bind(Int64(limit), at: 2)
      try statement.bind(now.boot, at: 3)
      try statement.bind(now.sinceBoot, at: 4)
      _ = try statement.step()
      work.due = Int(statement.int(0))
      work.nextDue = statement.optionalInt(1).map(Timestamp.init(millisecondsSinceEpoch:))
      work.fetches = Int(statement.int(2))
    }
  }

  private func addMarks(to work: inout WaitingWork, _ limit: Int) throws(SQLiteError) {
    try withStatement(.marksForFleet, Int64(limit)) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      work.refusedMarks = Int(statement.int(1))
      work.keptMarks = Int(statement.int(0)) - work.refusedMarks
    }
  }

  private func addWrites(
    to work: inout WaitingWork, _ limit: Int
  ) throws(SQLiteError) {
    try withStatement(.writesByCollection) { (statement) throws(SQLiteError) in
      try statement.bind(Int64(limit), at: 1)
      while try statement.step() {
        work.writes[statement.text(0)] = WaitingWork.Writes(
          waiting: Int(statement.int(1)), parked: Int(statement.int(2)))
        let oldest = Timestamp(millisecondsSinceEpoch: statement.int(3))
        work.oldestWrite = min(oldest, work.oldestWrite ?? oldest)
      }
    }
  }
}

extension SQL {
  /// A lease is valid on the clock of its own boot; one without a collection fetches no record.
  fileprivate static let waitingRecords = SQL(
    """
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM record
        WHERE queue_at <= ?1 AND \(RecordFlags.isNotPending) LIMIT ?2)),
      (SELECT min(queue_at) FROM record
        WHERE queue_at IS NOT NULL AND \(RecordFlags.isNotPending)),
      (SELECT count(*) FROM lease WHERE collection <> '' AND boot = ?3 AND deadline > ?4)
    """)
  fileprivate static let writesByCollection = SQL(
    """
    SELECT collection, sum(parked = 0), sum(parked <> 0), min(written_at) FROM
      (SELECT collection, parked, written_at FROM outbox LIMIT ?1)
    GROUP BY collection ORDER BY collection
    """)
  fileprivate static let marksForFleet = SQL(
    "SELECT count(*), count(refusal) FROM (SELECT refusal FROM fleet_mark LIMIT ?1)")
  fileprivate static let failingOrigins = SQL(
    """
    SELECT name, failures, open_until, failure FROM origin WHERE failures > 0
    ORDER BY name LIMIT ?1
    """)
}
