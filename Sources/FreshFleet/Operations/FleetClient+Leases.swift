#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Ends leases without a record; with a pause nobody fetches the keys before its end.
    public func release(
      _ leases: [SharedLease], pausing: SharedPause?
    ) async throws(SharedTierError) {
      for part in Self.inParts(leases) {
        let step =
          pausing.map { pause in
            Step(
              Self.pauseKeys, .bytes(part.map(\.key.collection)), .bytes(part.map(\.key.key)),
              .integers(part.map(\.fence)), .milliseconds(pause.duration),
              .bytes(Array(pause.reason.utf8.prefix(1024))))
          } ?? Self.releaseStep(part)
        // Nobody waits for it, and others wait for the key.
        _ = try await pool.run([step], within: pool.statementLimit)
      }
    }

    /// Ends leases that nobody needs, and waits for nothing.
    static func release(_ leases: [SharedLease], over pool: ConnectionPool) {
      for part in inParts(leases) { pool.start([releaseStep(part)]) }
    }

    private static func releaseStep(_ leases: [SharedLease]) -> Step {
      Step(
        release, .bytes(leases.map(\.key.collection)), .bytes(leases.map(\.key.key)),
        .integers(leases.map(\.fence)))
    }

    /// Moves the ends of leases; returns those that are still valid.
    public func extend(
      _ leases: [SharedLease], for duration: Duration
    ) async throws(SharedTierError) -> Set<SharedLease> {
      var valid: Set<SharedLease> = []
      for part in Self.inParts(leases) {
        let rows = try await pool.run(
          [
            Step(
              Self.extend, .bytes(part.map(\.key.collection)), .bytes(part.map(\.key.key)),
              .integers(part.map(\.fence)), .milliseconds(duration))
          ], within: pool.configuration.limit)
        let fences = Set(rows[0].compactMap { $0.integer(0) })
        valid.formUnion(part.filter { fences.contains($0.fence) })
      }
      return valid
    }

    /// In one order for all, so that two calls never wait for each other.
    private static func inParts(_ leases: [SharedLease]) -> [[SharedLease]] {
      leases.sorted { $0.key.precedes($1.key) }.parts(atMost: PartLimit.keys)
    }

    private static let release = Statement(
      "release",
      """
      DELETE FROM freshstore.lease l
      USING unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS a (collection, key, fence)
      WHERE l.collection = a.collection AND l.key = a.key AND l.fence = a.fence
      """)

    private static let pauseKeys = Statement(
      "pause_keys",
      """
      UPDATE freshstore.lease l SET fence = 0, until = clock_timestamp(), reason = $5::bytea,
        granted_at = clock_timestamp(),
        paused_until = clock_timestamp() + $4::bigint * interval '1 millisecond'
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS a (collection, key, fence)
      WHERE l.collection = a.collection AND l.key = a.key AND l.fence = a.fence
      """)

    private static let extend = Statement(
      "extend",
      """
      UPDATE freshstore.lease l SET until = clock_timestamp() + $4::bigint * interval '1 millisecond'
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS a (collection, key, fence)
      WHERE l.collection = a.collection AND l.key = a.key AND l.fence = a.fence
      RETURNING l.fence
      """)
  }
#endif
