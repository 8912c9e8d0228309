internal import Strategies

extension RecordCollection {
  /// The present state of one record at once, and its next ones as they come: as
  /// ``read(_:policy:)-(String,_)``, with the local write that waits.
  ///
  /// A state follows when this store or another one on the file, in any process, has committed a
  /// change of the record or of its local writes; when time alone changes the decision: at its
  /// expiry, at its hard end, and at the moment that any strategy of the chain names
  /// (`Strategy.nextChange(of:in:)`); and when its source becomes provably unreachable, or ceases to
  /// be, if the provider reports that (`ObservableReachability`). What nothing announces is found with
  /// the next look: a failed fetch, a clock that was set, the answer of a closure. Equal states are left
  /// out, as far as the stored row, the decision's outcome, the failures and the local writes tell.
  ///
  /// It goes on when the store cannot be read for a time: ``RecordState/failure`` says so, and the
  /// last state stays. See ``ObservationSequence`` for its end.
  ///
  /// Cost: that of ``Store/changes(buffering:)``, and for each change a SELECT by key of some ten
  /// microseconds, off the caller's thread; nothing in between.
  ///
  /// - Throws: `invalidKey`.
  public func observe(
    _ key: String, policy: Policy? = nil
  ) throws(StoreError) -> ObservationSequence<RecordState<Value>> {
    try check(key, .observe)
    let shared = policy.map(SharedPolicy.init) ?? sharedPolicy
    let page = page(.key(key), nil, 1)
    return observing(key, shared, every: .zero) { failure in
      RecordState(.unusable(unreadable(key, failure, shared.policy)), failure: failure)
    } finding: { (last) throws(StoreError) in
      try states(page, shared, after: last.map { [$0] } ?? [])[0]
    }
  }

  /// The records with a value, as ``values(prefix:after:limit:policy:)`` gives them, at once and then
  /// whenever they have changed: a screen full of records.
  ///
  /// Changes count as in ``observe(_:policy:)``. All changes within a pause make one element, and the
  /// last state always comes: after thousands of changes in a row an observer has a few elements,
  /// and nothing waits in memory. It goes on when the store cannot be read for a time
  /// (``CollectionState/failure``).
  ///
  /// Cost: one look for all changes within a pause, a microsecond or two for each record of the page,
  /// off the caller's thread; only values that have changed are read and decoded.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - key: The key before the observed records.
  ///   - limit: The most records; all of them unless it is stated.
  ///   - pause: The shortest time between two elements, on the store's clock; by default the tenth of
  ///     a second that people still take for at once. The first change after a rest waits for nothing.
  ///   - policy: Replaces the collection's.
  public func observeValues(
    prefix: String = "", after key: String? = nil, limit: Int = .max,
    every pause: Duration = .milliseconds(100), policy: Policy? = nil
  ) -> ObservationSequence<CollectionState<Value>> {
    observing(page(.prefix(prefix), key, limit), policy, every: pause)
  }

  /// The members of a followed list, as ``values(of:after:limit:policy:)`` gives them, at once and
  /// then whenever they have changed; as ``observeValues(prefix:after:limit:every:policy:)``.
  ///
  /// - Throws: `invalidKey` for a name that no list can have.
  public func observeValues(
    of list: String, after key: String? = nil, limit: Int = .max,
    every pause: Duration = .milliseconds(100), policy: Policy? = nil
  ) throws(StoreError) -> ObservationSequence<CollectionState<Value>> {
    try check(list, .observe)
    return observing(page(.list(list), key, limit), policy, every: pause)
  }

  private func observing(
    _ page: Storage.StatePage, _ policy: Policy?, every pause: Duration
  ) -> ObservationSequence<CollectionState<Value>> {
    let shared = policy.map(SharedPolicy.init) ?? sharedPolicy
    return observing(nil, shared, every: pause) { failure in
      CollectionState([], failure: failure)
    } finding: { (last) throws(StoreError) in
      CollectionState(try states(page, shared, after: last?.records ?? []))
    }
  }

  private func observing<State: ObservedState>(
    _ key: String?, _ shared: SharedPolicy, every pause: Duration,
    initial: @escaping @Sendable (StoreError) -> State,
    finding find: @escaping @Sendable (State?) throws(StoreError) -> State
  ) -> ObservationSequence<State> {
    let followsReachability = shared.policy.reachability == .ask
    return ObservationSequence(
      clock: store.configuration.clock, pause: pause,
      begin: { [store, name] in
        ObservationWatch(
          store, collection: name, key: key, followsReachability: followsReachability)
      },
      look: { [store] last in State.look(after: last, at: store, initial: initial, find) })
  }

  /// The decision on a record that could not be read.
  private func unreadable(_ key: String, _ failure: StoreError, _ policy: Policy) -> Decision {
    let now = store.now().wall
    return Decision(
      DecisionFacts(
        collection: name, key: key, outcome: .unusable, decidedBy: "record",
        cause: .unreadable("\(failure)"), now: now, lastUpdate: nil, staleSince: now,
        mustRevalidate: policy.mustRevalidate,
        graceWhileRevalidating: policy.graceWhileRevalidating, graceOnError: policy.graceOnError,
        hardEnd: policy.hardEnd, maximumAge: policy.maximumAge, record: nil))
  }
}
