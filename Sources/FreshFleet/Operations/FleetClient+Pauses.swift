#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Pauses an origin for the fleet, unless a longer pause is in force; `nil` ends its pause.
    public func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
      let name = Parameter.bytes(Array(origin.utf8))
      let step =
        pause.map { pause in
          Step(
            Self.pauseOrigin, name, .milliseconds(pause.duration),
            .reason(pause.reason))
        } ?? Step(Self.endPause, name)
      _ = try await pool.run([step], within: pool.configuration.limit)
    }

    /// The pauses of origins that have not ended.
    public func pauses(
      of origins: [String]
    ) async throws(SharedTierError) -> [String: SharedPause] {
      guard !origins.isEmpty else { return [:] }
      let names = origins.map { Array($0.utf8) }
      let rows = try await pool.run(
        [Step(Self.findPauses, .bytes(names))], within: pool.configuration.limit)
      var pauses: [String: SharedPause] = [:]
      for row in rows[0] {
        guard let duration = row.milliseconds(1) else { continue }
        pauses[row.text(0)] = SharedPause(duration, reason: row.text(2))
      }
      return pauses
    }

    /// A pause from the future is over: the clock was set back since, and its end may never come.
    private static let pauseOrigin = Statement(
      "pause_origin",
      """
      INSERT INTO freshstore.origin AS o (name, paused_until, reason, made_at)
      VALUES ($1::bytea, clock_timestamp() + $2::bigint * interval '1 millisecond', $3::bytea,
        clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET paused_until = excluded.paused_until,
        reason = excluded.reason, made_at = excluded.made_at
      WHERE o.paused_until < excluded.paused_until
        OR o.made_at > clock_timestamp() + interval '5 seconds'
      """)

    private static let endPause = Statement(
      "end_pause", "DELETE FROM freshstore.origin WHERE name = $1::bytea")

    private static let findPauses = Statement(
      "pauses",
      """
      SELECT o.name, ceil(extract(epoch FROM o.paused_until - clock_timestamp()) * 1000)::bigint,
        o.reason
      FROM freshstore.origin o
      WHERE o.name = ANY ($1::bytea[]) AND o.paused_until > clock_timestamp()
        AND o.made_at <= clock_timestamp() + interval '5 seconds'
      """)
  }

  extension FleetClient {
    /// Ends the pauses of keys. It ends no lease.
    public func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
      for key in keys { try key.check() }
      // All callers use one order, so that two calls never wait for each other.
      for part in keys.sorted(by: { $0.precedes($1) }).parts(atMost: PartLimit.keys) {
        let step = Step(
          Self.endKeyPauses, .bytes(part.map(\.collection)), .bytes(part.map(\.key)))
        _ = try await pool.run([step], within: pool.statementLimit)
      }
    }

    /// Ends all pauses, of keys and of origins: one round trip.
    public func endPauses() async throws(SharedTierError) {
      let steps = [Step(Self.endAllKeyPauses), Step(Self.endOriginPauses)]
      _ = try await pool.run(steps, within: pool.statementLimit)
    }

    /// A pause has no fence, as nobody fetches under it.
    private static let endKeyPauses = Statement(
      "end_key_pauses",
      """
      DELETE FROM freshstore.lease l
      USING unnest($1::bytea[], $2::bytea[]) AS a (collection, key)
      WHERE l.collection = a.collection AND l.key = a.key AND l.fence = 0
      """)

    private static let endAllKeyPauses = Statement(
      "end_all_key_pauses",
      """
      DELETE FROM freshstore.lease l USING (
        SELECT h.collection, h.key FROM freshstore.lease h WHERE h.fence = 0
        ORDER BY h.collection, h.key) AS o
      WHERE l.collection = o.collection AND l.key = o.key AND l.fence = 0
      """)

    private static let endOriginPauses = Statement(
      "end_origin_pauses", "DELETE FROM freshstore.origin")
  }
#endif
