#if Fleet
  public import FreshStore

  extension FleetClient {
    /// The most marks of one answer. They must pass within the limit also if their names are long.
    static let newsLimit = 250

    /// The marks since a position.
    public func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
      let rows = try await pool.run(
        Self.newsSteps(since: position), within: pool.configuration.limit)
      return try news(in: rows, since: position)
    }

    /// The steps that read the marks, and then the end of the journal, for a host whose position it does not
    /// know. Records that are read after them are as new as they are.
    ///
    /// The mark of the position is read, too: only its token shows that the journal is still the same.
    static func newsSteps(since position: SharedPosition?) -> [Step] {
      [
        Step(newsSince, newsStart(position), newsLength),
        Step(end),
      ]
    }

    /// The number of the first mark that is read.
    static func newsStart(_ position: SharedPosition?) -> Parameter {
      .integer(position?.number ?? .max)
    }

    /// The mark of the position, the marks that are returned, and one more that shows that there are more.
    static let newsLength = Parameter.integer(Int64(newsLimit) + 2)

    /// The news in the rows of both steps.
    func news<Rows: Collection<[Row]>>(
      in rows: Rows, since position: SharedPosition?
    ) throws(SharedTierError) -> SharedNews {
      lookAtClock(rows.dropFirst().first?.first)
      return try Self.news(in: rows, since: position)
    }

    private static func news<Rows: Collection<[Row]>>(
      in rows: Rows, since position: SharedPosition?
    ) throws(SharedTierError) -> SharedNews {
      guard let end = rows.dropFirst().first?.first, let number = end.integer(0),
        let token = end.integer(1), let oldest = end.integer(2), let generation = end.integer(3),
        let marks = rows.first?.compactMap({ mark($0, of: generation) })
      else { throw .noFleet }
      func suspect(_ cause: SharedNews.Cause) -> SharedNews {
        .suspect(
          cause, position: SharedPosition(number: number, token: token, generation: generation))
      }
      guard let position, position.generation == generation else { return suspect(.new) }
      // The marks have no gap: a mark that somebody has removed by hand is not known. Before a mark of all
      // records a gap does no harm (``markAll(reason:unlessAfter:)``).
      guard marks.first?.position == position,
        zip(marks, marks.dropFirst()).allSatisfy({
          $1.position.number == $0.position.number + 1 || $1.scope == .all
        })
      else { return suspect(position.number < oldest ? .trimmed : .historyLost) }
      let missed = Array(marks.dropFirst().prefix(newsLimit))
      return .marks(
        missed, position: missed.last?.position ?? position, isMore: marks.count - 1 > newsLimit)
    }

    private static func mark(_ row: Row, of generation: Int64) -> SharedMark? {
      guard let number = row.integer(0), let token = row.integer(1), let kind = row.integer(2),
        let collection = row.bytes(3), let name = row.bytes(4)
      else { return nil }
      let scope: SharedMark.Scope
      switch kind {
      case ScopeNumber.key: scope = .key(SharedKey(collection: collection, key: name))
      case ScopeNumber.tag: scope = .tag(name)
      case ScopeNumber.prefix: scope = .prefix(name, in: collection)
      case ScopeNumber.collection: scope = .collection(collection)
      default: scope = .all
      }
      return SharedMark(
        position: SharedPosition(number: number, token: token, generation: generation),
        scope: scope, reason: row.text(5))
    }

    private static let newsSince = Statement(
      "news", marksSince(number: "$1", limit: "$2"))

    /// The marks from a number on, in their order.
    static func marksSince(number: String, limit: String) -> String {
      """
      SELECT m.number, m.token, m.scope, m.collection, m.name, m.reason
      FROM freshstore.mark m WHERE m.number >= \(number)::bigint
      ORDER BY m.number LIMIT \(limit)::bigint
      """
    }

    /// A fleet that is set up anew has another generation, and so has one in another database. A fleet that
    /// is restored from a copy has the generation of the copy, and another journal.
    private static let end = Statement(
      "end",
      """
      SELECT c.number, c.token, \(endColumns)
      FROM freshstore.counter c, freshstore.fleet f WHERE c.id = 0 AND f.id = 0
      """)

    /// The columns of the end of the journal (`c`) that follow its number and token. The last two say whether
    /// the clock is before the noted time, and whether the time has to be noted.
    static let endColumns = """
      c.oldest, f.generation,
        c.clock > clock_timestamp() + interval '5 seconds',
        c.clock < clock_timestamp() - interval '2 seconds'
      """
  }

  /// The clock of the database, the only one that determines the age of a record.
  extension FleetClient {
    /// Lets the database note its time now and then. If its clock is before the noted time, nobody knows the
    /// age of a record, so all records are marked. Until then no record is handed out. This call waits for
    /// nothing. A user without the right leaves it to others.
    ///
    /// - Parameter end: The row of the end of the journal.
    func lookAtClock(_ end: Row?) {
      guard let end, end.boolean(4) || end.boolean(5), pool.mayNoteClock() else { return }
      let leave: @Sendable () -> Void = { [weak pool] in pool?.leaveClock() }
      if end.boolean(4) {
        pool.start(
          [
            Step(
              Self.markSetBack, .integer(.random(in: 1...(.max))),
              .bytes(Array("the database's clock was set back".utf8))),
            Step.notice(Self.tell),
          ], in: .marks, whenRefused: leave)
      } else {
        pool.start([Step(Self.noteTime)], whenRefused: leave)
      }
    }

    /// A host that comes at the same time as another host, or as a mark, does nothing.
    private static let noteTime = Statement(
      "note_time",
      """
      WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
      UPDATE freshstore.counter SET clock = clock_timestamp()
      WHERE EXISTS (SELECT FROM relaxed) AND id IN (
        SELECT c.id FROM freshstore.counter c
        WHERE c.id = 0 AND c.clock < clock_timestamp() - interval '2 seconds'
        FOR UPDATE SKIP LOCKED)
      """)

    /// It happens once for all hosts: a later host waits for the row, and finds another time in it.
    private static let markSetBack = Statement(
      "mark_set_back",
      """
      WITH counted AS (
        UPDATE freshstore.counter
        SET number = number + 1, token = $1::bigint, clock = clock_timestamp()
        WHERE id = 0 AND clock > clock_timestamp() + interval '5 seconds'
        RETURNING number)
      INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
      SELECT c.number, $1::bigint, 4, ''::bytea, ''::bytea, $2::bytea FROM counted c
      """)
  }
#endif
