#if Fleet
  internal import FreshStore

  extension FleetClient {
    /// Claims one key, as most claims do: two statements instead of four, and one search for marks instead of two.
    ///
    /// The first statement finds a fresh record or takes the lease, and reads the marks and the end of the journal, all
    /// as of one moment. The second one tells who has the lease afterwards. A record may land between that moment and
    /// the lease: where the second statement says so, another round trip looks for it.
    func askOne(
      _ question: ClaimQuestion, owner: Parameter, for duration: Duration,
      since position: SharedPosition?
    ) async throws(SharedTierError) -> Reply {
      let claim = question.claims[0]
      let (collection, key) = (
        Parameter.bytes(claim.key.collection), Parameter.bytes(claim.key.key)
      )
      let claimStep = Step(
        Self.claimOne, collection, key, .integer(question.fences[0]), .integer(claim.known),
        .boolean(claim.asksAlways), .boolean(claim.ignoresPause), owner, .milliseconds(duration),
        Self.newsStart(position), Self.newsLength)
      let rows = try await run([claimStep, Step(Self.holder, collection, key)], of: question)
      guard rows.count == 2, let end = rows[0].first(where: { $0.integer(0) == OneKind.end }) else {
        throw .noFleet
      }
      let marks = rows[0].filter { $0.integer(0) == OneKind.mark }
      let record = rows[0].first { $0.integer(0) == OneKind.record }
      let holder = rows[1].first
      let told = [marks.map { $0.picking(1...6) }, [end.picking([1, 2, 16, 17, 18, 19])]]
      var reply = Reply(news: try news(in: told, since: position))

      let hasChanged = holder.map { $0.integer(7) != end.integer(20) } ?? true
      guard record != nil || !hasChanged else {
        do throws(SharedTierError) {
          let found = try await run([Self.findStep(question)], of: question)
          take(found.last ?? [], of: question, into: &reply)
          return reply
        } catch {
          // Nobody fetches under it, and others would wait for its end.
          Self.release(question.leases(granted: rows[1]), over: pool)
          throw error
        }
      }
      let lease = holder?.picking(0...6).columns ?? [[1]] + Array(repeating: nil, count: 6)
      let found = record?.picking(7...15).columns ?? Array(repeating: nil, count: 9)
      // It is here, whatever its size. An attempt whose answer was lost may have taken a lease that is needless by now.
      take([Row(columns: lease + found + [nil, [1]])], of: question, into: &reply)
      return reply
    }

    /// The kinds of rows of ``claimOne``.
    private enum OneKind {
      static let end: Int64 = 0
      static let mark: Int64 = 1
      static let record: Int64 = 2
    }

    /// A row of the end of the journal, which also has the edition that is there, fresh or not; rows of the marks
    /// (columns 1 to 6); a row of a record that was found, in the columns of `ClaimQuestion`.
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
      SELECT \(OneKind.end)::bigint, c.number, c.token, NULL::bigint, NULL::bytea, NULL::bytea, NULL::bytea,
        NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint, NULL::bytea[], NULL::bytea,
        NULL::bytea, NULL::bytea, \(endColumns), (SELECT r.edition FROM freshstore.record r
          WHERE r.collection = $1::bytea AND r.key = $2::bytea)
      FROM freshstore.counter c, freshstore.fleet f WHERE c.id = 0 AND f.id = 0
      UNION ALL
      SELECT \(OneKind.mark), m.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL
      FROM (\(marksSince(number: "$9", limit: "$10"))) AS m
      UNION ALL
      SELECT \(OneKind.record), NULL, NULL, NULL, NULL, NULL, NULL, \(recordColumns), NULL, NULL, NULL, NULL, NULL
      FROM r
      """)

    /// Who has the lease, or what pauses the key, and the edition that is there.
    private static let holder = Statement(
      "holder",
      """
      SELECT 1::bigint, \(leaseColumns), (SELECT r.edition FROM freshstore.record r
        WHERE r.collection = $1::bytea AND r.key = $2::bytea)
      FROM freshstore.lease l WHERE l.collection = $1::bytea AND l.key = $2::bytea
      """)
  }
#endif
