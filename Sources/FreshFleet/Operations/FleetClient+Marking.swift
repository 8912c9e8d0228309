#if Fleet
  public import FreshStore

  extension FleetClient {
    /// Marks the records in the scopes as stale, with consecutive numbers. The marks are durable when it returns.
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
      // The transaction ends before the news: the lock of the counter is not held while they go to a host
      // that may read slowly.
      let steps =
        [
          Step(
            Self.make, .integers(kinds), .bytes(collections), .bytes(names), .integers(tokens),
            .reason(reason), .integer(Int64(scopes.count)),
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

    /// The row of the counter is locked until the commit, so that numbers become visible in their order.
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
    /// Marks all records as stale after the history of the journal was lost. The mark is durable when it
    /// returns. If such a mark with a number after `number` exists, it does nothing and returns false; its
    /// own mark gets such a number. Of two calls at once the later one sees the mark of the earlier one.
    public func markAll(
      reason: String, unlessAfter number: Int64
    ) async throws(SharedTierError) -> Bool {
      let steps = [
        Step(Self.awaitTurn),
        Step(
          Self.makeAll, .integer(.random(in: 1...(.max))), .reason(reason),
          .integer(number)),
        Step.notice(Self.tell),
      ]
      let rows = try await pool.run(
        steps, in: .marks, within: pool.configuration.markLimit, isUncertain: true)
      return rows.dropFirst().first?.first?.integer(0) == 1
    }

    /// It is a statement of its own, so that the next one sees the commits for which this one waited.
    private static let awaitTurn = Statement(
      "await_turn", "SELECT c.id FROM freshstore.counter c WHERE c.id = 0 FOR UPDATE")

    /// The journal may have a gap before this mark, which covers all that the missing marks could cover. A
    /// number from a damaged file does not use up the remaining numbers.
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
