#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Ends leases without a record. With a pause nobody fetches the keys before the pause ends.
    public func release(
      _ leases: [SharedLease], pausing: SharedPause?
    ) async throws(SharedTierError) {
      for part in Self.inParts(leases) {
        let step =
          pausing.map { pause in
            Step(
              Self.pauseKeys, on: part, .milliseconds(pause.duration), .reason(pause.reason))
          } ?? Step(Self.release, on: part)
        // No caller waits for this call, but others wait for the key.
        _ = try await pool.run([step], within: pool.statementLimit)
      }
    }

    /// Ends leases that nobody needs, without waiting.
    static func release(_ leases: [SharedLease], over pool: ConnectionPool) {
      for part in inParts(leases) { pool.start([Step(release, on: part)]) }
    }

    /// Extends leases; returns those that are still valid.
    public func extend(
      _ leases: [SharedLease], for duration: Duration
    ) async throws(SharedTierError) -> Set<SharedLease> {
      var valid: Set<SharedLease> = []
      for part in Self.inParts(leases) {
        let rows = try await pool.run(
          [Step(Self.extend, on: part, .milliseconds(duration))],
          within: pool.configuration.limit)
        let fences = Set(rows[0].compactMap { $0.integer(0) })
        valid.formUnion(part.filter { fences.contains($0.fence) })
      }
      return valid
    }

    /// The parts of the leases. All callers use one order, so that two calls never wait for each other.
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

  extension FleetClient {
    /// Stores records under their leases: in one round trip, or several in a row for many or large records. A
    /// value above ``FleetConfiguration/sharedValueLimit`` stays with its host.
    ///
    /// The record has the number at which its lease was granted, so that a mark that was made in between covers it.
    /// Its age counts from the grant, too, so that a late record is not taken for younger than it is. The call does
    /// not wait for the disk of the database: a record that a power cut removes is fetched again.
    ///
    /// No caller of a get waits for it, so it may take ``FleetConfiguration/markLimit``. After a failure the
    /// leases are released: a record that never arrived keeps nobody from fetching the key.
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
      // The last part brings the news.
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
        // The landed records have no lease any more.
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

    /// The edition is the fence: no two landings have the same one.
    ///
    /// The server may execute the statement long after it was sent, and an age that counts from then would be
    /// too small. The lease was granted before its holder heard of it. So the time since the holder heard,
    /// added to the grant, is no later than the truth. It is earlier only by the transfer time of the answer.
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

  /// The limits of one round trip: an amount that passes within the time limit also over a slow network.
  enum PartLimit {
    /// The bytes of values, in either direction: some 20 ms at 100 Mbit a second.
    static let bytes = 256 * 1024
    /// The keys that are claimed, extended or released: some 60 µs each.
    static let keys = 256
    /// The records that land; each is a statement of its own.
    static let landings = 64
  }

  extension Array {
    /// The number of first elements that fit into one part; at least one.
    func partLength(
      atMost count: Int, bytes: Int = .max, size: (Element) -> Int = { _ in 0 }
    ) -> Int {
      var (length, sum) = (0, 0)
      for element in prefix(count) {
        let next = sum.addingReportingOverflow(size(element))
        guard length == 0 || (!next.overflow && next.partialValue <= bytes) else { break }
        (length, sum) = (length + 1, next.overflow ? .max : next.partialValue)
      }
      return length
    }

    /// The elements in parts, in their order.
    func parts(
      atMost count: Int, bytes: Int = .max, size: (Element) -> Int = { _ in 0 }
    ) -> [[Element]] {
      var (parts, left): ([[Element]], [Element]) = ([], self)
      while !left.isEmpty {
        let length = left.partLength(atMost: count, bytes: bytes, size: size)
        parts.append(Array(left.prefix(length)))
        left.removeFirst(length)
      }
      return parts
    }
  }
#endif
