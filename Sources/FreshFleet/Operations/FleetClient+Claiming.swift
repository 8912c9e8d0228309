#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Finds fresh records, or takes the leases of the keys, or tells who has them: one round trip.
    ///
    /// The leases are taken first, then the marks are read, then the records: what is found is covered by
    /// no mark that was made before the answer, and who was granted a lease has missed no record that landed
    /// before it.
    public func claim(
      _ claims: [SharedClaim], owner: String, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
      // In one order for all, so that two claims never wait for each other.
      let claims = Dictionary(claims.map { ($0.key, $0) }) { first, _ in first }.values
        .sorted { $0.key.precedes($1.key) }
      for claim in claims { try Self.check(claim.key) }
      guard !claims.isEmpty else { return SharedAnswer([:], news: try await news(since: position)) }
      let fences = claims.map { _ in Int64.random(in: 1...(.max)) }
      let question = Question(claims: claims, fences: fences)
      let steps = [
        Step(
          Self.take, question.collections, question.keys, .integers(fences), question.known,
          question.asksAlways, question.ignoresPause, .text(owner), .milliseconds(duration)),
        Self.newsStep(since: position),
        Step(
          Self.find, question.collections, question.keys, .integers(fences), question.known,
          question.asksAlways),
      ]
      let rows = try await pool.run(steps, within: pool.configuration.limit) {
        [weak pool] rows in
        // Nobody fetches under these, and others would wait for their end.
        let granted = question.leases(granted: rows[2])
        if !granted.isEmpty { pool?.start([Self.releaseStep(granted)]) }
      }
      var results: [SharedKey: SharedClaimResult] = [:]
      for row in rows[2] {
        guard let place = row.integer(0), claims.indices.contains(Int(place) - 1) else { continue }
        results[claims[Int(place) - 1].key] = question.result(row, Int(place) - 1)
      }
      let needless = question.leases(granted: rows[2]).filter { lease in
        if case .granted = results[lease.key] { return false }
        return true
      }
      if !needless.isEmpty { pool.start([Self.releaseStep(needless)]) }
      return SharedAnswer(results, news: try await news(in: rows[1], since: position))
    }

    /// Refuses what the tables cannot hold.
    static func check(_ key: SharedKey) throws(SharedTierError) {
      guard key.key.count <= 1024, key.collection.count <= 255 else {
        throw SharedTierError(
          .invalidArgument, "a key of the fleet has at most 1024 bytes, and a collection 255")
      }
    }

    /// The claims of one call, and their rows.
    private struct Question: Sendable {
      let claims: [SharedClaim]
      let fences: [Int64]

      var collections: Parameter { .bytes(claims.map(\.key.collection)) }
      var keys: Parameter { .bytes(claims.map(\.key.key)) }
      var known: Parameter { .integers(claims.map(\.known)) }
      var asksAlways: Parameter { .booleans(claims.map(\.asksAlways)) }
      var ignoresPause: Parameter { .booleans(claims.map(\.ignoresPause)) }

      /// The leases that the rows grant, needed or not.
      func leases(granted rows: [Row]) -> [SharedLease] {
        rows.compactMap { row in
          guard let place = row.integer(0), claims.indices.contains(Int(place) - 1) else {
            return nil
          }
          return lease(row, Int(place) - 1)
        }
      }

      private func lease(_ row: Row, _ place: Int) -> SharedLease? {
        guard row.integer(1) == fences[place], let number = row.integer(3) else { return nil }
        return SharedLease(key: claims[place].key, fence: fences[place], number: number)
      }

      func result(_ row: Row, _ place: Int) -> SharedClaimResult {
        if let edition = row.integer(7) {
          let record = SharedRecord(
            value: row.bytes(14), isAbsent: row.boolean(10), tags: row.byteStrings(12),
            stamps: row.bytes(13) ?? [], age: row.milliseconds(9) ?? .zero,
            lifetime: row.milliseconds(11))
          return .found(
            SharedFinding(
              record: record, edition: edition, number: row.integer(8) ?? 0, owner: row.text(15)))
        }
        if let lease = lease(row, place) { return .granted(lease) }
        if let pause = row.milliseconds(5), pause > .zero {
          return .paused(remaining: pause, reason: row.text(6))
        }
        // A lease that ended between two statements is held no longer, and not ours.
        return .held(by: row.text(2), remaining: max(.zero, row.milliseconds(4) ?? .zero))
      }
    }

    /// Takes the leases that are free, of keys without a fresh record. Neither a held one nor a hit is
    /// written to.
    private static let take = Statement(
      "take",
      """
      INSERT INTO freshstore.lease AS l (collection, key, fence, owner, number, until)
      SELECT a.collection, a.key, a.fence, convert_to($7::text, 'UTF8'), c.number,
        clock_timestamp() + $8::bigint * interval '1 millisecond'
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::boolean[], $6::boolean[])
        AS a (collection, key, fence, known, always, hurries), freshstore.counter c
      WHERE c.id = 0
        AND (a.always OR NOT EXISTS (SELECT FROM freshstore.fresh r
          WHERE r.collection = a.collection AND r.key = a.key
            AND r.edition IS DISTINCT FROM a.known))
        AND NOT EXISTS (SELECT FROM freshstore.lease h
          WHERE h.collection = a.collection AND h.key = a.key
            AND (h.until > clock_timestamp()
              OR h.paused_until > clock_timestamp() AND NOT a.hurries))
      ORDER BY a.collection, a.key
      ON CONFLICT (collection, key) DO UPDATE SET fence = excluded.fence, owner = excluded.owner,
        number = excluded.number, until = excluded.until, paused_until = NULL, reason = NULL
      WHERE l.until <= clock_timestamp()
        AND (l.paused_until IS NULL OR l.paused_until <= clock_timestamp() OR EXISTS (
          SELECT FROM unnest($3::bigint[], $6::boolean[]) AS a (fence, hurries)
          WHERE a.fence = excluded.fence AND a.hurries))
      """)

    /// `OFFSET 0` keeps each key's look-ups together: joined as a whole, tables that were empty when the plan
    /// was made would be read through.
    private static let find = Statement(
      "find",
      """
      SELECT a.place, l.fence, convert_from(l.owner, 'UTF8'), l.number,
        floor(extract(epoch FROM l.until - clock_timestamp()) * 1000)::bigint,
        floor(extract(epoch FROM l.paused_until - clock_timestamp()) * 1000)::bigint,
        l.reason, r.edition, r.number,
        floor(extract(epoch FROM clock_timestamp() - r.updated_at) * 1000)::bigint,
        r.is_absent, r.lifetime, r.tags, r.stamps, r.value, r.owner
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::boolean[])
        WITH ORDINALITY AS a (collection, key, fence, known, always, place)
      LEFT JOIN LATERAL (SELECT h.* FROM freshstore.lease h
        WHERE h.collection = a.collection AND h.key = a.key OFFSET 0) AS l ON true
      LEFT JOIN LATERAL (SELECT f.* FROM freshstore.fresh f
        WHERE f.collection = a.collection AND f.key = a.key
          AND f.edition IS DISTINCT FROM a.known AND NOT a.always OFFSET 0) AS r ON true
      """)
  }

  extension SharedKey {
    /// The order of the database.
    func precedes(_ other: SharedKey) -> Bool {
      if collection != other.collection {
        return collection.lexicographicallyPrecedes(other.collection)
      }
      return key.lexicographicallyPrecedes(other.key)
    }
  }
#endif
