public import Strategies

extension RecordCollection {
  /// Returns the copy while it may be served, and the source's value otherwise.
  ///
  /// However many tasks, threads and processes ask for one key at once, its source is fetched from
  /// once, and all get the result. The fetch runs in a task of its own under
  /// ``Policy/hardTimeout``: a caller that is cancelled leaves it running for the others, the last
  /// one ends it. No lock is held and no transaction is open while it runs.
  ///
  /// - Parameters:
  ///   - policy: In place of the collection's.
  ///   - fetch: Asks the source; it is told what the store has, for a conditional request.
  /// - Throws: ``GetError``, which carries what the fetch said and what the store held. A failing
  ///   store does not fail the call: the source is asked, and ``Answer/storeFailure`` tells.
  @inlinable
  public func get(
    _ key: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    if let answer = answer(key, policy) { return answer }
    return try await getThrough(key, policy, fetch)
  }

  /// Gets what memory alone cannot answer.
  @usableFromInline
  func getThrough(
    _ key: String, _ policy: Policy?,
    _ fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await one(key, policy, .get, fetch)
  }

  /// As ``get(_:policy:fetch:)``, and a stale copy is fetched again before the answer even where a
  /// get would have served it and refreshed behind: what a background refresh does.
  public func refresh(
    _ key: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await one(key, policy, .refresh, fetch)
  }

  /// True while somebody, in whichever process, fetches a key or holds it for a fetch.
  package func isBeingFetched(_ key: String) throws(StoreError) -> Bool {
    try check(key, .read)
    return try !store.storage.holders(name, [key], now: store.now()).isEmpty
  }

  /// Gets many keys: one SELECT, and one fetch for all that is neither fresh nor being fetched.
  ///
  /// Every key has a result of its own; a key the fetch says nothing of has failed. A key named
  /// twice is asked for once.
  public func get(
    _ keys: [String], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    await Getter(self, policy ?? self.policy, .get, fetch).results(of: keys)
  }

  private func one(
    _ key: String, _ policy: Policy?, _ intent: GetPlan.Intent,
    _ fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    let isOwn = policy == nil
    let policy = policy ?? self.policy
    let getter = Getter(self, policy, intent) { missing in
      var fetched: [String: Fetched<Value>] = [:]
      for previous in missing { fetched[previous.key] = try await fetch(previous) }
      return fetched
    }
    if isOwn, let result = await getter.resultOfFlight(for: key) { return try result.get() }
    guard let result = await getter.results(of: [key])[key] else {
      throw GetError(.missing, collection: name, key: key)
    }
    return try result.get()
  }

  /// What is known of the way to this collection's source: what the store's provider says, made more
  /// exact by what the store's own fetches found there in the last minute, in this process. A fetch
  /// that brought something makes it ``Reachability/validated``, one that nobody answered
  /// ``Reachability/suspected(_:)``.
  ///
  /// A suspected way changes no verdict. But where a stale copy may stand in for a failed fetch, it
  /// is served at once, and one fetch at a time finds out whether the way is open again.
  public func reachability(policy: Policy? = nil) -> Reachability {
    let policy = policy ?? self.policy
    return switch policy.reachability {
    case .assume(let assumed): assumed
    case .ask, .ignore:
      store.evidence.reachability(over: admission(policy).way, at: store.now())
    }
  }

  /// What a get would do with the key now, and why: fetches nothing and writes nothing.
  public func explain(_ key: String, policy: Policy? = nil) throws(StoreError) -> Explanation {
    try check(key, .read)
    let policy = policy ?? self.policy
    let now = store.now()
    let record = try store.storage.record(name, key)
    let examined = examine(key, record, policy, now: now, explains: true)
    let plan = GetPlan(examined.decision, policy, situation(.get, policy, examined))
    let refusal = try refusal(of: plan, examined, policy)
    let lease = try store.storage.holders(name, [key], now: now)[key]
    let origin = admission(policy).origin
    return Explanation(
      decision: examined.decision, action: action(plan, refusal, examined, policy),
      refusal: refusal, fetchedBy: lease,
      originIsDownUntil: try origin.flatMap { (origin) throws(StoreError) in
        guard case .open(let until) = try store.storage.breakerState(of: origin, now: now) else {
          return nil
        }
        return until
      },
      tags: try record.map { (record) throws(StoreError) in
        try store.storage.tags(of: record.row)
      } ?? [],
      isPinned: record?.isPinned ?? false, size: Int(record?.content.size ?? 0),
      source: record?.content.source, contentType: record?.content.contentType,
      validators: record?.content.validators ?? Validators())
  }
}

extension RecordCollection {
  /// What a plan depends on beside the decision and the policy.
  func situation(
    _ intent: GetPlan.Intent, _ policy: Policy, _ examined: Examined<Value>
  ) -> GetPlan.Situation {
    let decision = examined.decision
    return GetPlan.Situation(
      intent: intent,
      obstacle: { canWait in
        admission(policy).obstacle(
          to: SourceAdmission.Request(pause: decision.pause(policy), canWait: canWait))
      }, random: store.configuration.random,
      fetchCost: examined.record?.content.fetchCost.map { .milliseconds($0) })
  }

  /// Why the fetch that a plan asks for would not be made; `nil` when it would be, or none is asked for.
  private func refusal(
    of plan: GetPlan, _ examined: Examined<Value>, _ policy: Policy
  ) throws(StoreError) -> FetchFailure? {
    switch plan {
    case .fetch, .serve(_, refreshes: true):
      guard policy.mode != .sourceOnly else { return nil }
      let wish = SourceAdmission.Request(canWait: examined.decision.mayStandIn)
      return try admission(policy).look(for: wish)?.failure
    case .standIn(let obstacle): return obstacle.failure
    case .fail, .serve: return nil
    }
  }

  /// What comes of a plan when its fetch is refused.
  private func action(
    _ plan: GetPlan, _ refusal: FetchFailure?, _ examined: Examined<Value>, _ policy: Policy
  ) -> Explanation.Action {
    guard let refusal else { return Explanation.Action(plan) }
    if case .serve(let use, _) = plan { return Explanation.Action(.serve(use, refreshes: false)) }
    let getter = Getter(self, policy, .get) { _ in [:] }
    let subject = Getter<Value>.Subject(key: examined.key, examined: examined)
    if case .success = getter.serveInstead(subject, refusal) { return .standIn }
    return .fail
  }
}

extension Store {
  /// Whether the source of a collection is provably out of reach.
  func isOffline(_ policy: Policy) -> Bool {
    SourceAdmission(store: self, collection: "", policy: policy).isOffline
  }
}
