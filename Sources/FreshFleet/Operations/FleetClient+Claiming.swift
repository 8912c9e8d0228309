#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Finds fresh records, takes the leases of the other keys, or tells the holders of these leases. It
    /// takes one round trip, or several in a row for many keys or large values.
    ///
    /// The leases are taken first, then the marks are read, then the records. So no mark from before the
    /// answer covers a found record, and the holder of a granted lease has missed no record that landed
    /// before the grant. Claims without a lease only read.
    ///
    /// The news are those of the first round trip: the records of later ones are newer. When a later one
    /// fails, its keys are not among the results.
    public func claim(
      _ claims: [SharedClaim], owner: String, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
      for claim in claims { try claim.key.check() }
      guard !claims.isEmpty else { return SharedAnswer([:], news: try await news(since: position)) }
      var left = Dictionary(claims.map { ($0.key, PendingClaim(claim: $0)) }) { first, _ in first }
        .values
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
          // Nobody fetches under these leases, and others would wait for their end.
          Self.release(results.values.compactMap(\.lease), over: pool)
          throw error
        }
      }
      guard let news else { throw .noFleet }
      return SharedAnswer(results, news: news)
    }

    /// A claim whose result is not known yet.
    struct PendingClaim: Sendable {
      let claim: SharedClaim
      /// The size of a found record that did not fit into the answer; 0 if nothing is known of it.
      var size = 0
    }

    /// The results of one round trip.
    struct Reply: Sendable {
      var results: [SharedKey: SharedClaimResult] = [:]
      /// The claims whose records did not fit.
      var withheld: [PendingClaim] = []
      let news: SharedNews
    }

    /// Sends the claims of one part of the keys.
    func ask(
      _ claims: [SharedClaim], owner: String, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> Reply {
      // All callers use one order, so that two claims never wait for each other.
      let claims = claims.sorted { $0.key.precedes($1.key) }
      let request = ClaimRequest(
        claims: claims, fences: claims.map { _ in Int64.random(in: 1...(.max)) })
      let owner = Parameter.bytes(Array(owner.utf8.prefix(255)))
      let takers = request.takers
      // A user that only reads may have no right to take a lease.
      if claims.count == 1, takers.claims.count == 1 {
        return try await askOne(request, owner: owner, for: duration, since: position)
      }
      let steps =
        (takers.claims.isEmpty ? [] : [Self.takeStep(takers, owner: owner, for: duration)])
        + Self.newsSteps(since: position) + [Self.findStep(request)]
      let rows = try await run(steps, of: request)
      guard let found = rows.last, rows.count == steps.count else { throw .noFleet }
      var reply = Reply(news: try news(in: rows.suffix(3).prefix(2), since: position))
      take(found, of: request, into: &reply)
      return reply
    }

    /// Runs steps whose last rows tell the leases. Leases of an answer that comes late are released.
    func run(
      _ steps: [Step], of request: ClaimRequest
    ) async throws(SharedTierError) -> [[Row]] {
      try await pool.run(steps, within: pool.configuration.limit) { [weak pool] rows in
        guard let pool, let found = rows.last else { return }
        Self.release(request.leases(granted: found), over: pool)
      }
    }

    /// Reads the results, and releases the leases that are not needed.
    func take(_ found: [Row], of request: ClaimRequest, into reply: inout Reply) {
      for (place, row) in request.places(of: found) {
        let claim = request.claims[place]
        if let size = request.sizeWithheld(row) {
          reply.withheld.append(PendingClaim(claim: claim, size: size))
        } else {
          reply.results[claim.key] = request.result(row, place)
        }
      }
      let needless = request.leases(granted: found).filter {
        reply.results[$0.key]?.lease == nil
      }
      Self.release(needless, over: pool)
    }
  }

  extension SharedClaimResult {
    /// The lease that it grants.
    fileprivate var lease: SharedLease? {
      if case .granted(let lease) = self { lease } else { nil }
    }
  }

  extension SharedKey {
    /// True when the database orders this key before the other one.
    func precedes(_ other: SharedKey) -> Bool {
      if collection != other.collection {
        return collection.lexicographicallyPrecedes(other.collection)
      }
      return key.lexicographicallyPrecedes(other.key)
    }
  }

  extension FleetClient {
    /// Claims one key, as most claims do: with two statements instead of four, and one search for marks
    /// instead of two.
    ///
    /// The first statement finds a fresh record or takes the lease, and reads the marks and the end of the journal,
    /// all as of one moment. The second one reads the holder of the lease afterwards. A record may land between
    /// that moment and the lease. If the second statement shows that, another round trip reads the record.
    func askOne(
      _ request: ClaimRequest, owner: Parameter, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> Reply {
      let claim = request.claims[0]
      let (collection, key) = (
        Parameter.bytes(claim.key.collection), Parameter.bytes(claim.key.key)
      )
      let claimStep = Step(
        Self.claimOne, collection, key, .integer(request.fences[0]), .integer(claim.known),
        .boolean(claim.asksAlways), .boolean(claim.ignoresPause), owner, .milliseconds(duration),
        Self.newsStart(position), Self.newsLength)
      let rows = try await run([claimStep, Step(Self.holder, collection, key)], of: request)
      guard rows.count == 2, let end = rows[0].first(where: { $0.integer(0) == RowKind.end }) else {
        throw .noFleet
      }
      let marks = rows[0].filter { $0.integer(0) == RowKind.mark }
      let record = rows[0].first { $0.integer(0) == RowKind.record }
      let holder = rows[1].first
      let told = [marks.map { $0.picking(1...6) }, [end.picking([1, 2, 16, 17, 18, 19])]]
      var reply = Reply(news: try news(in: told, since: position))

      let hasChanged = holder.map { $0.integer(7) != end.integer(20) } ?? true
      guard record != nil || !hasChanged else {
        do throws(SharedTierError) {
          let found = try await run([Self.findStep(request)], of: request)
          take(found.last ?? [], of: request, into: &reply)
          return reply
        } catch {
          // Nobody fetches under the lease, and others would wait for its end.
          Self.release(request.leases(granted: rows[1]), over: pool)
          throw error
        }
      }
      let lease = holder?.picking(0...6).columns ?? [[1]] + Array(repeating: nil, count: 6)
      let found = record?.picking(7...15).columns ?? Array(repeating: nil, count: 9)
      // The record is in the row, whatever its size. An attempt whose answer was lost may have taken a lease
      // that is not needed any more.
      take([Row(columns: lease + found + [nil, [1]])], of: request, into: &reply)
      return reply
    }

    /// The kinds of rows of ``claimOne``.
    private enum RowKind {
      static let end: Int64 = 0
      static let mark: Int64 = 1
      static let record: Int64 = 2
    }

    /// It returns one row for the end of the journal, with the edition of the record, fresh or not. It returns rows
    /// of the marks (columns 1 to 6), and a row for a found record, in the columns of `ClaimRequest`.
    private static let claimOne = Statement(
      "claim_one",
      """
      WITH r AS MATERIALIZED (
        SELECT f.* FROM freshstore.fresh f
        WHERE f.collection = $1::bytea AND f.key = $2::bytea
          AND f.edition IS DISTINCT FROM $4::bigint AND NOT $5::boolean),
      taken AS (
        INSERT INTO freshstore.lease AS l (collection, key, fence, owner, number, until, granted_at)
        SELECT $1::bytea, $2::bytea, $3::bigint, $7::bytea, c.number,
          clock_timestamp() + $8::bigint * interval '1 millisecond', clock_timestamp()
        FROM freshstore.counter c
        WHERE c.id = 0 AND NOT EXISTS (SELECT FROM r)
          AND NOT \(isKept(collection: "$1::bytea", key: "$2::bytea", hurries: "$6::boolean"))
        \(takeOver(hurries: "$6::boolean")))
      SELECT \(RowKind.end)::bigint, c.number, c.token, NULL::bigint, NULL::bytea, NULL::bytea, NULL::bytea,
        NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint, NULL::bytea[], NULL::bytea,
        NULL::bytea, NULL::bytea, \(endColumns), (SELECT r.edition FROM freshstore.record r
          WHERE r.collection = $1::bytea AND r.key = $2::bytea)
      FROM freshstore.counter c, freshstore.fleet f WHERE c.id = 0 AND f.id = 0
      UNION ALL
      SELECT \(RowKind.mark), m.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL
      FROM (\(marksSince(number: "$9", limit: "$10"))) AS m
      UNION ALL
      SELECT \(RowKind.record), NULL, NULL, NULL, NULL, NULL, NULL, \(recordColumns), NULL, NULL, NULL, NULL, NULL
      FROM r
      """)

    /// The holder of the lease, or the pause of the key, and the edition of the record.
    private static let holder = Statement(
      "holder",
      """
      SELECT 1::bigint, \(leaseColumns), (SELECT r.edition FROM freshstore.record r
        WHERE r.collection = $1::bytea AND r.key = $2::bytea)
      FROM freshstore.lease l WHERE l.collection = $1::bytea AND l.key = $2::bytea
      """)
  }
#endif
