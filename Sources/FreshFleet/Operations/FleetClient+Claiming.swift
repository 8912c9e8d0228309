#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Finds fresh records, or takes the leases of the keys, or tells who has them: one round trip, or several
    /// in a row for many keys or large values.
    ///
    /// The leases are taken first, then the marks are read, then the records: what is found is covered by
    /// no mark that was made before the answer, and who was granted a lease has missed no record that landed
    /// before it. Claims that take none only read. Of several round trips the news are the first one's: what the
    /// later ones bring is newer. When a later one fails, its keys are not among the results.
    public func claim(
      _ claims: [SharedClaim], owner: String, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
      for claim in claims { try claim.key.check() }
      guard !claims.isEmpty else { return SharedAnswer([:], news: try await news(since: position)) }
      var left = Dictionary(claims.map { ($0.key, Asked(claim: $0)) }) { first, _ in first }.values
        .sorted { $0.claim.key.precedes($1.claim.key) }
      var results: [SharedKey: SharedClaimResult] = [:]
      var news: SharedNews?
      while !left.isEmpty {
        let length = left.partLength(atMost: PartLimit.keys, bytes: PartLimit.bytes, size: \.size)
        let part = left.prefix(length).map(\.claim)
        left.removeFirst(length)
        do throws(SharedTierError) {
          let reply = try await ask(part, owner: owner, for: duration, since: position)
          news = news ?? reply.news
          results.merge(reply.results) { first, _ in first }
          left += reply.withheld
        } catch {
          if let news, error.code != .cancelled, error.code != .closed {
            return SharedAnswer(results, news: news)
          }
          // Nobody fetches under these, and others would wait for their end.
          Self.release(results.values.compactMap(\.lease), over: pool)
          throw error
        }
      }
      guard let news else { throw .noFleet }
      return SharedAnswer(results, news: news)
    }

    /// A claim whose result is not known yet.
    struct Asked: Sendable {
      let claim: SharedClaim
      /// The size of what was found for it and did not fit into the answer; 0 if nothing is known of it.
      var size = 0
    }

    /// What one round trip brings.
    struct Reply: Sendable {
      var results: [SharedKey: SharedClaimResult] = [:]
      /// The claims whose findings did not fit.
      var withheld: [Asked] = []
      let news: SharedNews
    }

    /// Asks for one part of the keys.
    func ask(
      _ claims: [SharedClaim], owner: String, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> Reply {
      // In one order for all, so that two claims never wait for each other.
      let claims = claims.sorted { $0.key.precedes($1.key) }
      let fences = claims.map { _ in Int64.random(in: 1...(.max)) }
      let question = Question(claims: claims, fences: fences)
      let takers = question.takers
      let take = Step(
        Self.take, takers.collections, takers.keys, .integers(takers.fences), takers.known,
        takers.asksAlways, takers.ignoresPause, .bytes(Array(owner.utf8.prefix(255))),
        .milliseconds(duration))
      let find =
        claims.count == 1
        ? Step(
          Self.findOne, question.collections, question.keys, .integers(fences), question.known,
          question.asksAlways)
        : Step(
          Self.find, question.collections, question.keys, .integers(fences), question.known,
          question.asksAlways, .integer(Int64(PartLimit.bytes)))
      let steps =
        (takers.claims.isEmpty ? [] : [take]) + Self.newsSteps(since: position) + [find]
      let rows = try await pool.run(steps, within: pool.configuration.limit) {
        [weak pool] rows in
        guard let pool, let found = rows.last else { return }
        Self.release(question.leases(granted: found), over: pool)
      }
      guard let found = rows.last, rows.count == steps.count else { throw .noFleet }
      var reply = Reply(news: try news(in: rows.suffix(3).prefix(2), since: position))
      for (place, row) in question.places(of: found) {
        if let size = question.sizeWithheld(row) {
          reply.withheld.append(Asked(claim: claims[place], size: size))
        } else {
          reply.results[claims[place].key] = question.result(row, place)
        }
      }
      let needless = question.leases(granted: found).filter {
        reply.results[$0.key]?.lease == nil
      }
      Self.release(needless, over: pool)
      return reply
    }

    /// The claims of one round trip, and their rows.
    private struct Question: Sendable {
      let claims: [SharedClaim]
      let fences: [Int64]

      /// Those that want a lease.
      var takers: Question {
        let taking = zip(claims, fences).filter { $0.0.takesLease }
        return Question(claims: taking.map(\.0), fences: taking.map(\.1))
      }

      var collections: Parameter { .bytes(claims.map(\.key.collection)) }
      var keys: Parameter { .bytes(claims.map(\.key.key)) }
      var known: Parameter { .integers(claims.map(\.known)) }
      var asksAlways: Parameter { .booleans(claims.map(\.asksAlways)) }
      var ignoresPause: Parameter { .booleans(claims.map(\.ignoresPause)) }

      /// The rows, each with the place of its claim.
      func places(of rows: [Row]) -> [(place: Int, row: Row)] {
        rows.compactMap { row in
          guard let number = row.integer(0), let place = Int(exactly: number - 1),
            claims.indices.contains(place)
          else { return nil }
          return (place, row)
        }
      }

      /// The leases that the rows grant, needed or not.
      func leases(granted rows: [Row]) -> [SharedLease] {
        places(of: rows).compactMap { lease($0.row, $0.place) }
      }

      private func lease(_ row: Row, _ place: Int) -> SharedLease? {
        guard row.integer(1) == fences[place], let number = row.integer(3) else { return nil }
        return SharedLease(key: claims[place].key, fence: fences[place], number: number)
      }

      /// The size of what was found and did not fit; `nil` when nothing was found, or it is here.
      func sizeWithheld(_ row: Row) -> Int? {
        guard row.integer(7) != nil, !row.boolean(17) else { return nil }
        return row.integer(16).map { Int($0) } ?? 0
      }

      /// `nil` for a look that finds nothing.
      func result(_ row: Row, _ place: Int) -> SharedClaimResult? {
        if let edition = row.integer(7) {
          // Of a clock that was set back a little since it would be below zero.
          let record = SharedRecord(
            value: row.bytes(14), isAbsent: row.boolean(10), tags: row.byteStrings(12),
            stamps: row.bytes(13) ?? [], age: max(.zero, row.milliseconds(9) ?? .zero),
            lifetime: row.milliseconds(11))
          return .found(
            SharedFinding(
              record: record, edition: edition, number: row.integer(8) ?? 0, owner: row.text(15)))
        }
        if let lease = lease(row, place) { return .granted(lease) }
        if !claims[place].ignoresPause, let pause = row.milliseconds(5), pause > .zero {
          return .paused(remaining: pause, reason: row.text(6))
        }
        let remaining = max(.zero, row.milliseconds(4) ?? .zero)
        guard claims[place].takesLease || remaining > .zero else { return nil }
        // A lease that ended between two statements is held no longer, and not ours.
        return .held(by: row.text(2), remaining: remaining)
      }
    }

    /// Takes the leases that are free, of keys without a fresh record. Neither a held one nor a hit is
    /// written to. A lease, or a pause, from the future is over: the clock was set back since, and its end may never come.
    private static let take = Statement(
      "take",
      """
      INSERT INTO freshstore.lease AS l (collection, key, fence, owner, number, until, granted_at)
      SELECT a.collection, a.key, a.fence, $7::bytea, c.number,
        clock_timestamp() + $8::bigint * interval '1 millisecond', clock_timestamp()
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::boolean[], $6::boolean[])
        AS a (collection, key, fence, known, always, hurries), freshstore.counter c
      WHERE c.id = 0
        AND (a.always OR NOT EXISTS (SELECT FROM freshstore.fresh r
          WHERE r.collection = a.collection AND r.key = a.key
            AND r.edition IS DISTINCT FROM a.known))
        AND NOT EXISTS (SELECT FROM freshstore.lease h
          WHERE h.collection = a.collection AND h.key = a.key
            AND h.granted_at <= clock_timestamp() + interval '5 seconds'
            AND (h.until > clock_timestamp()
              OR h.paused_until > clock_timestamp() AND NOT a.hurries))
      ORDER BY a.collection, a.key
      ON CONFLICT (collection, key) DO UPDATE SET fence = excluded.fence, owner = excluded.owner,
        number = excluded.number, until = excluded.until, granted_at = excluded.granted_at,
        paused_until = NULL, reason = NULL
      WHERE l.granted_at > clock_timestamp() + interval '5 seconds'
        OR (l.until <= clock_timestamp()
          AND (l.paused_until IS NULL OR l.paused_until <= clock_timestamp() OR EXISTS (
            SELECT FROM unnest($3::bigint[], $6::boolean[]) AS a (fence, hurries)
            WHERE a.fence = excluded.fence AND a.hurries)))
      """)

    /// `OFFSET 0` keeps each key's look-ups together: joined as a whole, tables that were empty when the plan
    /// was made would be read through.
    private static let looked = """
      SELECT a.place, l.fence, l.owner AS holder, l.number AS lease_number,
        floor(extract(epoch FROM l.until - clock_timestamp()) * 1000)::bigint AS held,
        floor(extract(epoch FROM l.paused_until - clock_timestamp()) * 1000)::bigint AS paused,
        l.reason, r.edition, r.number,
        floor(extract(epoch FROM clock_timestamp() - r.updated_at) * 1000)::bigint AS age,
        r.is_absent, r.lifetime, r.tags, r.stamps, r.value, r.owner,
        COALESCE(octet_length(r.value), 0) + COALESCE(octet_length(r.stamps), 0) AS size
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::boolean[])
        WITH ORDINALITY AS a (collection, key, fence, known, always, place)
      LEFT JOIN LATERAL (SELECT h.* FROM freshstore.lease h
        WHERE h.collection = a.collection AND h.key = a.key OFFSET 0) AS l ON true
      LEFT JOIN LATERAL (SELECT f.* FROM freshstore.fresh f
        WHERE f.collection = a.collection AND f.key = a.key
          AND f.edition IS DISTINCT FROM a.known AND NOT a.always OFFSET 0) AS r ON true
      """

    /// A value of any size fits alone.
    private static let findOne = Statement("find_one", "SELECT s.*, true FROM (\(looked)) AS s")

    /// Of what was found as much is sent as fits, and a first value of any size.
    private static let find = Statement(
      "find",
      """
      SELECT f.place, f.fence, f.holder, f.lease_number, f.held, f.paused, f.reason, f.edition,
        f.number, f.age, f.is_absent, f.lifetime, CASE WHEN f.fits THEN f.tags END,
        CASE WHEN f.fits THEN f.stamps END, CASE WHEN f.fits THEN f.value END, f.owner, f.size, f.fits
      FROM (SELECT s.*,
          (sum(s.size) OVER up_to_it <= $6::bigint OR sum(s.size) OVER up_to_it = s.size) AS fits
        FROM (\(looked)) AS s
        WINDOW up_to_it AS (ORDER BY s.place ROWS UNBOUNDED PRECEDING)) AS f
      """)
  }

  extension SharedClaimResult {
    /// The lease that it grants.
    fileprivate var lease: SharedLease? {
      if case .granted(let lease) = self { lease } else { nil }
    }
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
