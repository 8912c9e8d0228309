#if Fleet
  internal import FreshStore

  /// The claims of one round trip, and their rows.
  struct ClaimRequest: Sendable {
    let claims: [SharedClaim]
    let fences: [Int64]

    /// The claims that take a lease.
    var takers: ClaimRequest {
      let taking = zip(claims, fences).filter { $0.0.takesLease }
      return ClaimRequest(claims: taking.map(\.0), fences: taking.map(\.1))
    }

    var collections: Parameter { .bytes(claims.map(\.key.collection)) }
    var keys: Parameter { .bytes(claims.map(\.key.key)) }
    var known: Parameter { .integers(claims.map(\.known)) }
    var asksAlways: Parameter { .booleans(claims.map(\.asksAlways)) }
    var ignoresPause: Parameter { .booleans(claims.map(\.ignoresPause)) }

    /// The rows, each with the index of its claim.
    func places(of rows: [Row]) -> [(place: Int, row: Row)] {
      rows.compactMap { row in
        guard let number = row.integer(0), let place = Int(exactly: number - 1),
          claims.indices.contains(place)
        else { return nil }
        return (place, row)
      }
    }

    /// The leases that the rows grant, whether needed or not.
    func leases(granted rows: [Row]) -> [SharedLease] {
      places(of: rows).compactMap { lease($0.row, $0.place) }
    }

    private func lease(_ row: Row, _ place: Int) -> SharedLease? {
      guard row.integer(1) == fences[place], let number = row.integer(3) else { return nil }
      return SharedLease(key: claims[place].key, fence: fences[place], number: number)
    }

    /// The size of a found record that did not fit; `nil` when no record was found, or it is in the row.
    func sizeWithheld(_ row: Row) -> Int? {
      guard row.integer(7) != nil, !row.boolean(17) else { return nil }
      return row.integer(16).map { Int($0) } ?? 0
    }

    /// The result of a claim; `nil` for a claim without a lease that finds nothing.
    func result(_ row: Row, _ place: Int) -> SharedClaimResult? {
      if let edition = row.integer(7) {
        // The age would be negative if the clock was set back a little since.
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
      // A lease that ended between two statements is no longer held, and is not ours.
      return .held(by: row.text(2), remaining: remaining)
    }
  }

  /// The statements of claims of many keys, and the parts that they share with the statements for one key.
  extension FleetClient {
    static func takeStep(
      _ takers: ClaimRequest, owner: Parameter, for duration: Duration
    ) -> Step {
      Step(
        take, takers.collections, takers.keys, .integers(takers.fences), takers.known,
        takers.asksAlways, takers.ignoresPause, owner, .milliseconds(duration))
    }

    static func findStep(_ request: ClaimRequest) -> Step {
      Step(
        find, request.collections, request.keys, .integers(request.fences), request.known,
        request.asksAlways, .integer(Int64(PartLimit.bytes)))
    }

    /// True while a lease keeps the key from being claimed, or a pause that the caller heeds. One from the
    /// future is over: the clock was set back since, and its end may never come.
    static func isKept(collection: String, key: String, hurries: String) -> String {
      """
      EXISTS (SELECT FROM freshstore.lease h
        WHERE h.collection = \(collection) AND h.key = \(key)
          AND h.granted_at <= clock_timestamp() + interval '5 seconds'
          AND (h.until > clock_timestamp()
            OR h.paused_until > clock_timestamp() AND NOT \(hurries)))
      """
    }

    /// The end of an insertion of leases (`l`), which takes over ended ones. It checks them again, as another
    /// claim may have taken one by then.
    static func takeOver(hurries: String) -> String {
      """
      ON CONFLICT (collection, key) DO UPDATE SET fence = excluded.fence, owner = excluded.owner,
        number = excluded.number, until = excluded.until, granted_at = excluded.granted_at,
        paused_until = NULL, reason = NULL
      WHERE l.granted_at > clock_timestamp() + interval '5 seconds'
        OR (l.until <= clock_timestamp()
          AND (l.paused_until IS NULL OR l.paused_until <= clock_timestamp() OR \(hurries)))
      """
    }

    /// The columns of a lease (`l`), which follow the index in the rows of `ClaimRequest`.
    static let leaseColumns = """
      l.fence, l.owner AS holder, l.number AS lease_number,
        floor(extract(epoch FROM l.until - clock_timestamp()) * 1000)::bigint AS held,
        floor(extract(epoch FROM l.paused_until - clock_timestamp()) * 1000)::bigint AS paused,
        l.reason
      """

    /// The columns of a record (`r`), which follow those of the lease.
    static let recordColumns = """
      r.edition, r.number,
        floor(extract(epoch FROM clock_timestamp() - r.updated_at) * 1000)::bigint AS age,
        r.is_absent, r.lifetime, r.tags, r.stamps, r.value, r.owner
      """

    /// Takes the free leases of keys without a fresh record. It writes to no held lease and to no key with a
    /// fresh record.
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
        AND NOT \(isKept(collection: "a.collection", key: "a.key", hurries: "a.hurries"))
      ORDER BY a.collection, a.key
      \(takeOver(
        hurries: """
          EXISTS (SELECT FROM unnest($3::bigint[], $6::boolean[]) AS a (fence, hurries)
            WHERE a.fence = excluded.fence AND a.hurries)
          """))
      """)

    /// `OFFSET 0` keeps the look-ups of each key together. Joined as a whole, the statement would read
    /// through tables that were empty when the plan was made.
    private static let looked = """
      SELECT a.place, \(leaseColumns), \(recordColumns),
        COALESCE(octet_length(r.value), 0) + COALESCE(octet_length(r.stamps), 0) AS size
      FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::boolean[])
        WITH ORDINALITY AS a (collection, key, fence, known, always, place)
      LEFT JOIN LATERAL (SELECT h.* FROM freshstore.lease h
        WHERE h.collection = a.collection AND h.key = a.key OFFSET 0) AS l ON true
      LEFT JOIN LATERAL (SELECT f.* FROM freshstore.fresh f
        WHERE f.collection = a.collection AND f.key = a.key
          AND f.edition IS DISTINCT FROM a.known AND NOT a.always OFFSET 0) AS r ON true
      """

    /// As many of the found records are sent as fit, and a first record of any size.
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
#endif
