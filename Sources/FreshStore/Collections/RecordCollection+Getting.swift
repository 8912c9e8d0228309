package import Strategies

extension RecordCollection {
  /// Returns the copy while it may be served, and the source's value otherwise.
  ///
  /// However many tasks, threads and processes request one key at once, its source is asked once, and all get the
  /// result. The fetch runs in a task of its own under ``Policy/hardTimeout``. A cancelled caller leaves the fetch
  /// running for the other callers; the last caller ends it. A fetch that would wait for itself, because its closure
  /// gets the same key, fails at once. No lock is held and no transaction is open while the fetch runs.
  ///
  /// In a fleet (``Configuration/sharedTier``) this holds for all of its hosts. Before the fetch, one round trip finds
  /// another host's fresh record, takes the fleet's lease, or learns the lease holder. Where the shared tier does not
  /// answer, the host asks the source by itself, and ``Answer/sharedTierFailure`` says so. Later the tier answers
  /// again: from its first answer until the missed marks are applied, earlier copies count as marked.
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - fetch: Asks the source; it gets the stored state, for a conditional request.
  /// - Throws: ``GetError``, with the fetch's failure and the stored state. A failing store does
  ///   not fail the call: the source is asked, and ``Answer/storeFailure`` holds the error.
  @inlinable
  public func get(
    _ key: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    if let answer = answer(key, policy) { return answer }
    return try await getThrough(key, policy, fetch)
  }

  /// Gets a key that memory cannot answer.
  @usableFromInline
  func getThrough(
    _ key: String, _ policy: Policy?,
    _ fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await one(key, policy, .get, fetch)
  }

  /// Asks the source now, regardless of the copy's age and of pauses after failures: the operation behind
  /// pull-to-refresh.
  ///
  /// Simultaneous refreshes of one key share one fetch. Refreshes that come after its source was asked share the next
  /// fetch.
  ///
  /// When the fetch fails, the copy answers where the policy allows it, and ``Answer/fetchFailure`` holds the failure.
  /// With ``Policy/sourceOnly`` the failure is thrown. A provably unreachable source is not asked. A local write that
  /// waits for its source is newer than any value there, and answers.
  public func refresh(
    _ key: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await one(key, (policy ?? self.policy).askingNow, .get, fetch)
  }

  /// Asks the source for many keys now, as ``refresh(_:policy:fetch:)``, in one fetch; each key has its own result.
  public func refresh(
    _ keys: [String], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    await Getter(self, (policy ?? self.policy).askingNow, .get, fetch).results(of: keys)
  }

  /// Gets a key, and fetches a stale copy again before the answer: the operation of a background refresh.
  ///
  /// It is as ``get(_:policy:fetch:)``, which may serve the stale copy and refresh it in the background.
  package func renew(
    _ key: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await one(key, policy, .renew, fetch)
  }

  /// True while any process fetches a key or holds its lease.
  package func isBeingFetched(_ key: String) throws(StoreError) -> Bool {
    try check(key, .read)
    return try !store.storage.holders(name, [key], now: store.now()).isEmpty
  }

  /// The ``FetchDetails/metadata`` stored with a key; `nil` without any.
  package func storedMetadata(of key: String) throws(StoreError) -> String? {
    try check(key, .read)
    return try store.storage.record(name, key)?.content.metadata
  }

  /// Gets many keys: one SELECT, and one fetch for all keys that are neither fresh nor being fetched.
  ///
  /// Every key has its own result; a key missing from the fetch's result has failed. A key named twice is
  /// requested once.
  public func get(
    _ keys: [String], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    await Getter(self, policy ?? self.policy, .get, fetch).results(of: keys)
  }

  /// Returns the copy, and asks no source: a get of ``Policy/cacheOnly``.
  ///
  /// - Parameter policy: Replaces the collection's. If its mode may ask the source, the mode does not count, and a
  ///   stale copy is an error.
  /// - Throws: ``GetError`` with `stale`, `missing`, `absent` or `store`.
  public func get(_ key: String, policy: Policy? = nil) throws(GetError) -> Answer<Value> {
    guard let result = storedGetter(policy).storedResults(of: [key])[key] else {
      throw GetError(.missing, collection: name, key: key)
    }
    return try result.get()
  }

  /// Returns the copies of many keys as ``get(_:policy:)``, in one SELECT.
  public func get(
    _ keys: [String], policy: Policy? = nil
  ) -> [String: Result<Answer<Value>, GetError>] {
    storedGetter(policy).storedResults(of: keys)
  }

  private func storedGetter(_ policy: Policy?) -> Getter<Value> {
    var policy = policy ?? self.policy
    if case .cacheOnly = policy.mode {} else { policy.mode = .cacheOnly(allowsStale: false) }
    return Getter(self, policy, .get) { _ in [:] }
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

  /// The known state of the route to this collection's source.
  ///
  /// It is the answer of the store's provider, refined by this process's own fetches there in the last minute. A
  /// successful fetch makes it ``Reachability/validated``, and a fetch without an answer makes it
  /// ``Reachability/suspected(_:)``.
  ///
  /// A suspected route changes no verdict. But where a stale copy may replace a failed fetch, the copy is served at
  /// once. One fetch at a time then finds out whether the route works again.
  package func reachability(policy: Policy? = nil) -> Reachability {
    let policy = policy ?? self.policy
    return switch policy.reachability {
    case .assume(let assumed): assumed
    case .ask, .ignore:
      store.evidence.reachability(over: admission(policy).route, at: store.now())
    }
  }
}

extension RecordCollection {
  /// The inputs of a plan besides the decision and the policy.
  func situation(
    _ intent: GetPlan.Intent, _ policy: Policy, _ examined: JudgedCopy<Value>,
    passesPause: Bool = false
  ) -> GetPlan.Situation {
    let pause = passesPause ? nil : examined.decision.pause(policy)
    return GetPlan.Situation(
      intent: intent,
      obstacle: { canWait in
        admission(policy).obstacle(
          to: SourceAdmission.Request(pause: pause, canWait: canWait))
      }, random: store.configuration.random,
      fetchCost: examined.record?.content.fetchCost.map { .milliseconds($0) })
  }
}

extension Store {
  /// True when the source of a collection is provably unreachable.
  func isOffline(_ policy: Policy) -> Bool {
    SourceAdmission(store: self, collection: "", policy: policy).isOffline
  }
}

extension RecordCollection {
  /// Fetches records from the refetch queue (``Store/due(collection:limit:holding:)``), in one call of `fetch`.
  ///
  /// The results are stored under the leases that came with the records. Records of other collections are ignored. Each
  /// key has a result. A failed fetch delays the record's next attempt, and a stale copy replaces the result where the
  /// policy allows it.
  ///
  /// Two keys may be the same text in different bytes. The second one goes back to the queue, because an answer by key
  /// can hold only one of them.
  package func refetch(
    _ due: [DueRecord], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    var (own, others): ([DueRecord], [DueRecord]) = ([], [])
    var keys: Set<String> = []
    for record in due where record.collection.hasSameBytes(as: name) {
      if keys.insert(record.key).inserted { own.append(record) } else { others.append(record) }
    }
    guard !own.isEmpty else { return [:] }
    do throws(StoreError) {
      try await store.giveBack(others)
    } catch {
      // They are due again after the time for which they were handed out.
      store.report(.notStored(error))
    }
    let getter = Getter(self, policy ?? self.policy, .renew, fetch)
    return await getter.results(ofLeased: own.map(\.lease))
  }
}
