#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Marks all records as stale after the history of the journal was lost: durable when it returns. Does nothing
    /// and returns false where such a mark has a later number than `number`, as the one has that it makes. Of two calls
    /// at once the later one sees the earlier one's mark.
    public func markAll(
      reason: String, unlessAfter number: Int64
    ) async throws(SharedTierError) -> Bool {
      let steps = [
        Step(Self.awaitTurn),
        Step(
          Self.makeAll, .integer(.random(in: 1...(.max))), .bytes(Array(reason.utf8.prefix(1024))),
          .integer(number)),
        Step.notice(Self.tell),
      ]
      let rows = try await pool.run(
        steps, in: .marks, within: pool.configuration.markLimit, isUncertain: true)
      return rows.dropFirst().first?.first?.integer(0) == 1
    }

    /// A statement of its own: the next one sees what was committed while this one waited.
    private static let awaitTurn = Statement(
      "await_turn", "SELECT c.id FROM freshstore.counter c WHERE c.id = 0 FOR UPDATE")

    /// The journal may go on after a gap, which says no less: what marks in it could cover, this one covers. A number
    /// from a damaged file does not use up those that are left.
    private static let makeAll = Statement(
      "mark_all",
      """
      WITH counted AS (
        UPDATE freshstore.counter
        SET number = greatest(number, least($3::bigint, number + 1000000000)) + 1,
          token = $1::bigint
        WHERE id = 0 AND NOT EXISTS (SELECT FROM freshstore.mark m
          WHERE m.scope = 4 AND m.collection = ''::bytea AND m.name = ''::bytea
            AND m.number > $3::bigint)
        RETURNING number),
      made AS (
        INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
        SELECT c.number, $1::bigint, 4, ''::bytea, ''::bytea, $2::bytea FROM counted c
        RETURNING number)
      SELECT count(*) FROM made
      """)
  }
#endif
