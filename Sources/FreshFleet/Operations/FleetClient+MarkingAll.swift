#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Marks all records as stale after the history of the journal was lost, unless such a mark was made within this
    /// time.
    public func markAll(
      reason: String, unlessWithin duration: Duration?
    ) async throws(SharedTierError) -> Bool {
      var steps = [
        Step(Self.lock),
        Step(
          Self.makeOne, .integer(Int64.random(in: 1...(.max))),
          .bytes(Array(reason.utf8.prefix(1024))), .milliseconds(duration)),
      ]
      if pool.canNotify { steps.append(Step(Self.tellOfAll)) }
      let rows = try await pool.run(
        steps, within: pool.configuration.markLimit, isUncertain: true)
      return !rows[1].isEmpty
    }

    /// Ahead of the look for another host's mark: what that host has committed is seen by the next statement.
    private static let lock = Statement(
      "lock_counter", "SELECT c.number FROM freshstore.counter c WHERE c.id = 0 FOR UPDATE")

    private static let makeOne = Statement(
      "mark_all",
      """
      WITH counted AS (
        UPDATE freshstore.counter SET number = number + 1, token = $1::bigint
        WHERE id = 0 AND NOT EXISTS (SELECT FROM freshstore.mark m
          WHERE m.scope = 4 AND m.collection = ''::bytea AND m.name = ''::bytea
            AND m.made_at >= clock_timestamp() - $3::bigint * interval '1 millisecond')
        RETURNING number)
      INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
      SELECT c.number, $1::bigint, 4, ''::bytea, ''::bytea, $2::bytea FROM counted c
      RETURNING number
      """)

    private static let tellOfAll = Statement("tell_of_all", "NOTIFY freshstore_mark")
  }
#endif
