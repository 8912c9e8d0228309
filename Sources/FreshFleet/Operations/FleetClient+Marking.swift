#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Marks what the scopes cover as stale, with consecutive numbers: durable when it returns.
    public func mark(
      _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
      guard !scopes.isEmpty else {
        throw SharedTierError(.invalidArgument, "there is nothing to mark")
      }
      var (kinds, collections, names): ([Int64], [[UInt8]], [[UInt8]]) = ([], [], [])
      for scope in scopes {
        try scope.check()
        let (kind, collection, name) = scope.columns
        kinds.append(kind)
        collections.append(collection)
        names.append(name)
      }
      let tokens = scopes.map { _ in Int64.random(in: 1...(.max)) }
      // The lock of the counter is not held while the news go to a host that may read them slowly.
      let steps =
        [
          Step(
            Self.make, .integers(kinds), .bytes(collections), .bytes(names), .integers(tokens),
            .bytes(Array(reason.utf8.prefix(1024))), .integer(Int64(scopes.count)),
            .integer(tokens.last)),
          Step.notice(Self.tell).committed(),
        ] + Self.newsSteps(since: position)
      let rows = try await pool.run(
        steps, in: .marks, within: pool.configuration.markLimit, isUncertain: true)
      guard let last = rows.first?.first?.integer(0) else {
        throw SharedTierError(.other, "the mark got no number", isUncertain: true)
      }
      return SharedAnswer(
        last - Int64(scopes.count) + 1...last,
        news: try news(in: rows.suffix(2), since: position))
    }

    /// The row of the counter is locked until the commit: numbers become visible in their order.
    private static let make = Statement(
      "mark",
      """
      WITH counted AS (
        UPDATE freshstore.counter SET number = number + $6::bigint, token = $7::bigint WHERE id = 0
        RETURNING number),
      made AS (
        INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
        SELECT c.number - $6::bigint + a.place, a.token, a.scope, a.collection, a.name, $5::bytea
        FROM counted c, unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[])
          WITH ORDINALITY AS a (scope, collection, name, token, place)
        RETURNING number)
      SELECT max(m.number) FROM made m
      """)

    static let tell = Statement("tell", "NOTIFY freshstore_mark")
  }

  extension SharedMark.Scope {
    /// The scope as the tables have it.
    var columns: (kind: Int64, collection: [UInt8], name: [UInt8]) {
      switch self {
      case .key(let key): (ScopeNumber.key, key.collection, key.key)
      case .tag(let tag): (ScopeNumber.tag, [], tag)
      case .prefix(let prefix, let collection): (ScopeNumber.prefix, collection, prefix)
      case .collection(let collection): (ScopeNumber.collection, collection, [])
      case .all: (ScopeNumber.all, [], [])
      }
    }
  }

  extension FleetClient {
    /// Marks all records as stale after the history of the journal was lost: durable when it returns. Does nothing
    /// and returns false where such a mark has a later number than `number`, as the one has that it makes. Of two calls
    /// at once the later one sees the earlier one's mark.
    public func markAll(
      reason: String, unlessAfter number: Int64
    ) async throws(SharedTierError) -> Bool {
      let steps = [
        Step(Self.awaitTurn),
        Step(
          Self.makeAll, .integer(.random(in: 1...(.max))), .bytes(Array(reason.utf8.prefix(1024))),
          .integer(number)),
        Step.notice(Self.tell),
      ]
      let rows = try await pool.run(
        steps, in: .marks, within: pool.configuration.markLimit, isUncertain: true)
      return rows.dropFirst().first?.first?.integer(0) == 1
    }

    /// A statement of its own: the next one sees what was committed while this one waited.
    private static let awaitTurn = Statement(
      "await_turn", "SELECT c.id FROM freshstore.counter c WHERE c.id = 0 FOR UPDATE")

    /// The journal may go on after a gap, which says no less: what marks in it could cover, this one covers. A number
    /// from a damaged file does not use up those that are left.
    private static let makeAll = Statement(
      "mark_all",
      """
      WITH counted AS (
        UPDATE freshstore.counter
        SET number = greatest(number, least($3::bigint, number + 1000000000)) + 1,
          token = $1::bigint
        WHERE id = 0 AND NOT EXISTS (SELECT FROM freshstore.mark m
          WHERE m.scope = 4 AND m.collection = ''::bytea AND m.name = ''::bytea
            AND m.number > $3::bigint)
        RETURNING number),
      made AS (
        INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
        SELECT c.number, $1::bigint, 4, ''::bytea, ''::bytea, $2::bytea FROM counted c
        RETURNING number)
      SELECT count(*) FROM made
      """)
  }
#endif
