#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Stores records under their leases, all in one round trip. A value above
    /// ``FleetConfiguration/sharedValueLimit`` stays with its host.
    ///
    /// The record has the number its lease was granted at: a mark that came in between covers it. It is not
    /// waited for on the database's disk: what a power cut takes is fetched again.
    public func land(
      _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
      let records = Dictionary(records.map { ($0.lease.key, $0) }) { first, _ in first }.values
        .sorted { $0.lease.key.precedes($1.lease.key) }
      let steps = records.map { landing in
        let (lease, record) = landing
        let isShared = (record.value?.count ?? 0) <= pool.configuration.sharedValueLimit
        return Step(
          Self.land, .bytes(lease.key.collection), .bytes(lease.key.key), .integer(lease.fence),
          .boolean(record.isAbsent), .milliseconds(max(.zero, record.age)),
          .milliseconds(record.lifetime.map { max(.zero, $0) }), .bytes(record.tags),
          .bytes(record.stamps), .bytes(isShared ? record.value : nil))
      }
      let rows = try await pool.run(
        steps + [Self.newsStep(since: position)], within: pool.configuration.limit,
        isUncertain: true)
      let landed = zip(records, rows).filter { !$1.isEmpty }.map(\.0.lease)
      return SharedAnswer(
        Set(landed), news: try await news(in: rows.last ?? [], since: position))
    }

    /// The edition is the fence: no two landings have the same.
    private static let land = Statement(
      "land",
      """
      WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true)),
      held AS (
        DELETE FROM freshstore.lease l
        WHERE l.collection = $1::bytea AND l.key = $2::bytea AND l.fence = $3::bigint
          AND EXISTS (SELECT FROM relaxed)
        RETURNING l.collection, l.key, l.fence, l.number, l.owner)
      INSERT INTO freshstore.record AS r (collection, key, edition, number, owner, is_absent,
        updated_at, lifetime, tags, stamps, value)
      SELECT h.collection, h.key, h.fence, h.number, h.owner, $4::boolean,
        clock_timestamp() - $5::bigint * interval '1 millisecond', $6::bigint, $7::bytea[],
        $8::bytea, $9::bytea
      FROM held h
      ON CONFLICT (collection, key) DO UPDATE SET edition = excluded.edition,
        number = excluded.number, owner = excluded.owner, is_absent = excluded.is_absent,
        updated_at = excluded.updated_at, lifetime = excluded.lifetime, tags = excluded.tags,
        stamps = excluded.stamps, value = excluded.value
      RETURNING r.edition
      """)
  }
#endif
