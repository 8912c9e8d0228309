#if Fleet
  public import FreshStore

  extension FleetClient {
    /// The most marks of one answer.
    static let newsLimit = 1000

    /// The marks since a position.
    public func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
      let rows = try await pool.run(
        [Self.newsStep(since: position)], within: pool.configuration.limit)
      return try await news(in: rows[0], since: position)
    }

    /// Reads the mark of the position, too: only its token tells that the journal is still the same.
    static func newsStep(since position: SharedPosition?) -> Step {
      Step(newsSince, .integer(position?.number ?? .max), .integer(Int64(newsLimit) + 2))
    }

    /// The news that rows of the journal bring; asks once more if they do not know the position.
    func news(in rows: [Row], since position: SharedPosition?) async throws(SharedTierError)
      -> SharedNews
    {
      guard let position else { return try await suspect(because: .new, since: nil) }
      var marks = rows.compactMap { Self.mark($0) }
      guard marks.first?.position == position else {
        return try await suspect(because: nil, since: position)
      }
      marks.removeFirst()
      let isMore = marks.count > Self.newsLimit
      if isMore { marks.removeLast() }
      return .marks(marks, position: marks.last?.position ?? position, isMore: isMore)
    }

    private func suspect(
      because cause: SharedNews.Cause?, since position: SharedPosition?
    ) async throws(SharedTierError) -> SharedNews {
      let rows = try await pool.run([Step(Self.end)], within: pool.configuration.limit)
      guard let row = rows[0].first, let number = row.integer(0), let token = row.integer(1),
        let oldest = row.integer(2)
      else { throw .noFleet }
      let isTrimmed = position.map { $0.number < oldest } ?? false
      return .suspect(
        cause ?? (isTrimmed ? .trimmed : .historyLost),
        position: SharedPosition(number: number, token: token))
    }

    private static func mark(_ row: Row) -> SharedMark? {
      guard let number = row.integer(0), let token = row.integer(1), let kind = row.integer(2),
        let collection = row.bytes(3), let name = row.bytes(4)
      else { return nil }
      let scope: SharedMark.Scope
      switch kind {
      case ScopeNumber.key: scope = .key(SharedKey(collection: collection, key: name))
      case ScopeNumber.tag: scope = .tag(name)
      case ScopeNumber.prefix: scope = .prefix(name, in: collection)
      case ScopeNumber.collection: scope = .collection(collection)
      default: scope = .all
      }
      return SharedMark(
        position: SharedPosition(number: number, token: token), scope: scope, reason: row.text(5))
    }

    private static let newsSince = Statement(
      "news",
      """
      SELECT m.number, m.token, m.scope, m.collection, m.name, m.reason
      FROM freshstore.mark m WHERE m.number >= $1::bigint ORDER BY m.number LIMIT $2::bigint
      """)

    private static let end = Statement(
      "end", "SELECT c.number, c.token, c.oldest FROM freshstore.counter c WHERE c.id = 0")
  }
#endif
