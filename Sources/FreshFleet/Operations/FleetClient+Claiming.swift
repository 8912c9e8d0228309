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
      let question = ClaimQuestion(
        claims: claims, fences: claims.map { _ in Int64.random(in: 1...(.max)) })
      let owner = Parameter.bytes(Array(owner.utf8.prefix(255)))
      let takers = question.takers
      // Who only looks may have no right to take one.
      if claims.count == 1, takers.claims.count == 1 {
        return try await askOne(question, owner: owner, for: duration, since: position)
      }
      let steps =
        (takers.claims.isEmpty ? [] : [Self.takeStep(takers, owner: owner, for: duration)])
        + Self.newsSteps(since: position) + [Self.findStep(question)]
      let rows = try await run(steps, of: question)
      guard let found = rows.last, rows.count == steps.count else { throw .noFleet }
      var reply = Reply(news: try news(in: rows.suffix(3).prefix(2), since: position))
      take(found, of: question, into: &reply)
      return reply
    }

    /// Runs steps of which the last one's rows tell what leases there are; nobody needs those of an answer that comes late.
    func run(
      _ steps: [Step], of question: ClaimQuestion
    ) async throws(SharedTierError) -> [[Row]] {
      try await pool.run(steps, within: pool.configuration.limit) { [weak pool] rows in
        guard let pool, let found = rows.last else { return }
        Self.release(question.leases(granted: found), over: pool)
      }
    }

    /// Reads the results, and releases the leases that turn out needless.
    func take(_ found: [Row], of question: ClaimQuestion, into reply: inout Reply) {
      for (place, row) in question.places(of: found) {
        let claim = question.claims[place]
        if let size = question.sizeWithheld(row) {
          reply.withheld.append(Asked(claim: claim, size: size))
        } else {
          reply.results[claim.key] = question.result(row, place)
        }
      }
      let needless = question.leases(granted: found).filter {
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
    /// The order of the database.
    func precedes(_ other: SharedKey) -> Bool {
      if collection != other.collection {
        return collection.lexicographicallyPrecedes(other.collection)
      }
      return key.lexicographicallyPrecedes(other.key)
    }
  }
#endif
