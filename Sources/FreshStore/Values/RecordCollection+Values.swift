internal import Strategies

extension RecordCollection {
  /// The records with a value, in one snapshot and in order of their keys' bytes.
  ///
  /// Each has its value, the gate's decision and the local write that waits. The call never fetches, and never waits
  /// for a writer or for the network.
  ///
  /// Stale values are among the records, and say so. A value that may not be shown is left out of its record, which
  /// has the reason: the value is damaged, undecodable or past its hard end, or breaks its rules. Objects that do not
  /// exist are left out: the store has no record, or the source or a waiting deletion says that there is none.
  ///
  /// Each record counts as read, so a synchronizer refetches the stale ones.
  ///
  /// Cost: some microseconds a record and the decoding of its value, unless the value is in memory. A record with a
  /// local write costs two look-ups more. All values of the page are in memory, and its snapshot delays a
  /// checkpoint for as long: read a big collection in pages.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - key: The last key of the page before.
  ///   - limit: The most records; all of them unless it is stated.
  ///   - policy: Replaces the collection's.
  /// - Throws: The error of the file.
  public func values(
    prefix: String = "", after key: String? = nil, limit: Int = .max, policy: Policy? = nil
  ) throws(StoreError) -> [RecordState<Value>] {
    try states(page(.prefix(prefix), key, limit), policy.map(SharedPolicy.init) ?? sharedPolicy)
  }

  /// The members of a followed list, as ``values(prefix:after:limit:policy:)``; none when it was never followed.
  ///
  /// A member that was not fetched yet has a place, too, without a value: the list is as long as its source's list,
  /// and the value follows. Members are left out that a waiting deletion removes, or that do not exist by the source's
  /// report. A record that was written here and that the list does not name yet is no member.
  ///
  /// - Throws: `invalidKey` for a name that no list can have, or the error of the file.
  public func values(
    of list: String, after key: String? = nil, limit: Int = .max, policy: Policy? = nil
  ) throws(StoreError) -> [RecordState<Value>] {
    try check(list, .read)
    return try states(page(.list(list), key, limit), policy.map(SharedPolicy.init) ?? sharedPolicy)
  }

  func page(
    _ selection: Storage.StatePage.Selection, _ key: String?, _ limit: Int
  ) -> Storage.StatePage {
    Storage.StatePage(collection: name, selection: selection, after: key, limit: max(0, limit))
  }

  /// Reads and judges the records of a page.
  ///
  /// - Parameter last: An earlier result. It gives the values of rows that are unchanged since, and
  ///   states that are the same do not count as read again.
  func states(
    _ page: Storage.StatePage, _ shared: SharedPolicy, after last: [RecordState<Value>] = []
  ) throws(StoreError) -> [RecordState<Value>] {
    guard !store.isClosed else { throw error(.closed, .read, nil) }
    let before = Dictionary(last.map { (ExactName($0.key), $0) }) { first, _ in first }
    let known: @Sendable (String) -> Int64? = { key in before[key]?.checksumOfValue }
    let now = store.now()
    let found = try store.storage.states(page, now: now, known: before.isEmpty ? nil : known)
    return found.map { state(of: $0, shared, now, before[$0.key]) }
  }

  private func state(
    of found: Storage.FoundState, _ shared: SharedPolicy, _ now: ClockReading,
    _ before: RecordState<Value>?
  ) -> RecordState<Value> {
    let wanted = wanted(found.key)
    let decision = store.judge(wanted, found.row, shared, now: now)
    let one = examined(found.key, found.row?.record, decision) { () throws(UnusableValue) in
      try value(of: found.row, wanted, before)
    }
    let state = RecordState(one.reading, waiting: found.first, waitingCount: found.writes)
    if before.map(state.isSame) != true { store.note(one.decision, found.row?.record) }
    return state
  }

  /// The value of a row: the value that was shown before, the value in memory, or the decoded value.
  private func value(
    of row: StoredRow?, _ wanted: Store.Wanted, _ before: RecordState<Value>?
  ) throws(UnusableValue) -> Value {
    if let copy = before?.reading.copy, before?.checksumOfValue == row?.record.checksum {
      return copy.value
    }
    if let box = store.box(of: row, wanted) {
      // Residents of one kind have values of one type.
      let value = unsafe unsafeDowncast(box, to: ValueBox<Value>.self).value
      try admit(value)
      return value
    }
    guard let content = row?.record.content else { throw UnusableValue(.nothingStored) }
    return try decode(content.value ?? [], writtenBy: content.codec, content.contentVersion)
  }

  /// The present state of one record at once, and its later states as they come.
  ///
  /// A state is as ``read(_:policy:)-(String,_)`` gives it, with the local write that waits. A state follows:
  ///
  /// - when this store or another one on the file, in any process, has committed a change of the record or of its local
  ///   writes;
  /// - when the passing of time changes the decision: at the record's expiry, at its hard end, and at the moment that
  ///   any strategy of the chain names (`Strategy.nextChange(of:in:)`);
  /// - when its source becomes provably unreachable, or ceases to be, if the provider reports that
  ///   (`ObservableReachability`).
  ///
  /// The next look also finds changes that nothing announces: a failed fetch, a clock that was set, the answer of a
  /// closure. Equal states are left out; the stored row, the decision's outcome, the failures and the local writes
  /// are compared.
  ///
  /// The observation continues when the store cannot be read for a time: ``RecordState/failure`` says so, and the
  /// last state stays. See ``ObservationSequence`` for its end.
  ///
  /// Cost: the cost of ``Store/changes(buffering:)``, and for each change a SELECT by key of some ten
  /// microseconds, off the caller's thread. Nothing runs in between.
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

  /// The records with a value at once, and again whenever they have changed: a screen full of records.
  ///
  /// The records are as ``values(prefix:after:limit:policy:)`` gives them, and changes count as in
  /// ``observe(_:policy:)``. All changes within a pause make one element, and the last state always comes: after
  /// thousands of changes in a row an observer has a few elements, and nothing waits in memory. The observation
  /// continues when the store cannot be read for a time (``CollectionState/failure``).
  ///
  /// Cost: one look for all changes within a pause, a microsecond or two for each record of the page,
  /// off the caller's thread. Only values that have changed are read and decoded.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - key: The key before the observed records.
  ///   - limit: The most records; all of them unless it is stated.
  ///   - pause: The shortest time between two elements, on the store's clock; by default a tenth of
  ///     a second, which people still take for at once. The first change after a rest does not wait.
  ///   - policy: Replaces the collection's.
  public func observeValues(
    prefix: String = "", after key: String? = nil, limit: Int = .max,
    every pause: Duration = .milliseconds(100), policy: Policy? = nil
  ) -> ObservationSequence<CollectionState<Value>> {
    observing(page(.prefix(prefix), key, limit), policy, every: pause)
  }

  /// The members of a followed list at once, and again whenever they have changed.
  ///
  /// The members are as ``values(of:after:limit:policy:)`` gives them, and the elements come as from
  /// ``observeValues(prefix:after:limit:every:policy:)``.
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
