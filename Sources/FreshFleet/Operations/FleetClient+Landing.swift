#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Stores records under their leases: one round trip, or several in a row for many or large ones. A value
    /// above ``FleetConfiguration/sharedValueLimit`` stays with its host.
    ///
    /// The record has the number its lease was granted at: a mark that came in between covers it. Its age counts
    /// from the grant, too, so that one that arrives late is not taken for younger than it is. It is not waited for
    /// on the database's disk: what a power cut takes is fetched again.
    ///
    /// No caller of a get waits for it, so that it may take ``FleetConfiguration/markLimit``. After a failure the
    /// leases are released: what never arrived keeps nobody from fetching the key.
    public func land(
      _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
      let limit = pool.configuration.sharedValueLimit
      let records = Dictionary(records.map { ($0.lease.key, $0) }) { first, _ in first }.values
        .sorted { $0.lease.key.precedes($1.lease.key) }
        .map { landing in
          var shared = landing
          if (landing.record.value?.count ?? 0) > limit { shared.record.value = nil }
          return shared
        }
      var parts = records.parts(atMost: PartLimit.landings, bytes: PartLimit.bytes) {
        ($0.record.value?.count ?? 0) + $0.record.stamps.count
      }
      // The last one brings the news.
      let last = parts.popLast() ?? []
      do throws(SharedTierError) {
        var landed: Set<SharedLease> = []
        for part in parts {
          let rows = try await pool.run(
            part.map { Self.landStep($0.lease, $0.record) }, within: pool.statementLimit,
            isUncertain: true)
          landed.formUnion(zip(part, rows).filter { !$1.isEmpty }.map(\.0.lease))
        }
        let rows = try await pool.run(
          last.map { Self.landStep($0.lease, $0.record) } + Self.newsSteps(since: position),
          within: pool.statementLimit, isUncertain: true)
        landed.formUnion(zip(last, rows).filter { !$1.isEmpty }.map(\.0.lease))
        return SharedAnswer(landed, news: try news(in: rows.suffix(2), since: position))
      } catch {
        // Those that have landed have none any more.
        Self.release(records.map(\.lease), over: pool)
        throw error
      }
    }

    private static func landStep(_ lease: SharedLease, _ record: SharedRecord) -> Step {
      Step(
        land, .bytes(lease.key.collection), .bytes(lease.key.key), .integer(lease.fence),
        .boolean(record.isAbsent), .milliseconds(max(.zero, record.age)),
        .milliseconds(record.lifetime.map { max(.zero, $0) }), .bytes(record.tags),
        .bytes(record.stamps), .bytes(record.value),
        .milliseconds(record.updatedAfterGrant ?? .zero))
    }

    /// The edition is the fence: no two landings have the same.
    ///
    /// The server may execute it long after it was sent, and an age that counts from then would be too small. The
    /// lease was granted before its holder heard of it, so that what it has measured since then, added to the grant,
    /// is no later than the truth, and earlier by the way of the answer alone.
    private static let land = Statement(
      "land",
      """
      WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true)),
      held AS (
        DELETE FROM freshstore.lease l
        WHERE l.collection = $1::bytea AND l.key = $2::bytea AND l.fence = $3::bigint
          AND EXISTS (SELECT FROM relaxed)
        RETURNING l.collection, l.key, l.fence, l.number, l.owner, l.granted_at)
      INSERT INTO freshstore.record AS r (collection, key, edition, number, owner, is_absent,
        updated_at, lifetime, tags, stamps, value)
      SELECT h.collection, h.key, h.fence, h.number, h.owner, $4::boolean,
        least(clock_timestamp() - $5::bigint * interval '1 millisecond',
          h.granted_at + $10::bigint * interval '1 millisecond'),
        $6::bigint, $7::bytea[], $8::bytea, $9::bytea
      FROM held h
      ON CONFLICT (collection, key) DO UPDATE SET edition = excluded.edition,
        number = excluded.number, owner = excluded.owner, is_absent = excluded.is_absent,
        updated_at = excluded.updated_at, lifetime = excluded.lifetime, tags = excluded.tags,
        stamps = excluded.stamps, value = excluded.value
      RETURNING r.edition
      """)
  }
#endif
