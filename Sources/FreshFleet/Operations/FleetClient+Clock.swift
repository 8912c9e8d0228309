#if Fleet
  internal import FreshStore

  /// The database's clock, which alone says how old a record is.
  extension FleetClient {
    /// Has the database note its time now and then, and mark all records where its clock is before the noted one: how
    /// old they are nobody knows any more. Waits for nothing: until then nothing is handed out. A user without the right
    /// leaves it to others.
    ///
    /// - Parameter end: What was read of the end of the journal.
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

    /// Whoever comes at the same time as another one, or as a mark, leaves it at that.
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

    /// Once for all hosts: the later one waits for the row, and finds another time in it.
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
