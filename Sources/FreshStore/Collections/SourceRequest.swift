internal import Strategies

/// A request to a source that is under way, made by a caller that asks the source by itself; to be ended by
/// ``RecordCollection/end(_:)`` or ``RecordCollection/update(_:answering:about:at:)``.
package struct SourceRequest: Sendable {
  let open: Storage.OpenRequest
  /// What is held of the fleet.
  var part = FleetPart.none
  /// True where there was nothing yet for the answer to take the place of, as its lease was taken.
  package var findsNothing = false

  /// True when no other owner, in any process, may ask about the key meanwhile.
  package var isExclusive: Bool {
    if case .leased = open { true } else { false }
  }
}

extension RecordCollection {
  /// Takes the lease of a key, as every get does before it asks; `nil` while another owner holds it.
  package func request(exclusively key: String) async throws(StoreError) -> SourceRequest? {
    try check(key, .claim)
    let now = store.now()
    let answers = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.claim(
        name, [key], owner: store.owner, for: store.configuration.leaseDuration, now: now)
    }
    guard case .granted(let lease) = answers[key]?.claim else { return nil }
    return SourceRequest(open: .leased(lease))
  }

  /// The same for one of several keys under which the answers to a question lie, whichever it will be: it tells, too,
  /// whether there is none of them (``SourceRequest/findsNothing``). It costs less than to look for them next.
  ///
  /// - Parameters:
  ///   - base: The first of them.
  ///   - prefix: What all others begin with.
  package func request(
    exclusively key: String, lookingFor base: String, _ prefix: String
  ) async throws(StoreError) -> SourceRequest? {
    try check(key, .claim)
    // One that has ended while the file took nothing holds nobody up.
    if !store.owed.isEmpty { try await store.giveBackOwed() }
    let now = store.now()
    return try await store.requestCommits.run(touching: Touched(name, [key])) {
      [store, name] (connection) throws(SQLiteError) -> SourceRequest? in
      let claim = try store.storage.lease(
        name, key, owner: store.owner, for: store.configuration.leaseDuration, now: now,
        connection)
      guard case .granted(let lease) = claim else { return nil }
      let findsNothing = try store.storage.hasNone(
        of: name, base, beginningWith: prefix, connection)
      return SourceRequest(open: .leased(lease), findsNothing: findsNothing)
    }
  }

  /// Begins a request beside others about the same key.
  package func request() async throws(StoreError) -> SourceRequest {
    SourceRequest(open: .question(try await ask(at: store.now())))
  }

  /// Marks a key stale, as ``markStale(_:reason:)``, as an answer that is here already demands, and begins the request
  /// under which that answer is stored: nothing comes between the two. `nil` where anything was marked, put, removed,
  /// wiped or asked for, by whatever process, since the file was at a number: the answer may know nothing of that.
  ///
  /// Not in a fleet, whose marks are made in its shared tier first.
  ///
  /// - Parameter number: What the file was at before the source was asked (``numberSoFar()``).
  package func request(
    marking key: String, reason: String, ifStillAt number: Int64
  ) async throws(StoreError) -> SourceRequest? {
    try check(key, .markStale)
    let now = store.now()
    let question = try await store.queue.run {
      [store, name] () throws(StoreError) -> Storage.Question? in
      try store.storage.ask(
        marking: key, of: name, reason: reason, ifStillAt: number, now: now
      ).question
    }
    store.closeFlights(name) { $0.hasSameBytes(as: key) }
    return question.map { SourceRequest(open: .question($0)) }
  }

  /// False where a mark, a put, a removal or a wipe, by whatever process, has come since a request was made, and its
  /// answer may know nothing of that: whoever asks now is to be told something newer. False also for one that has ended.
  ///
  /// Cost: a look at some tables that are almost empty, and at the records of the keys without their values, in the file.
  ///
  /// - Parameters:
  ///   - keys: Those that the answer may be stored under, and the one that the request is about.
  ///   - tags: Those of the answer, and of what it takes the place of; `nil` while they are not known: a mark of any tag
  ///     counts.
  package func isUpToDate(
    _ request: SourceRequest, about keys: [String], tags: Set<String>?
  ) throws(StoreError) -> Bool {
    try store.storage.isUpToDate(request.open, of: name, about: keys, tags: tags)
  }

  /// The number that the file is at, for a caller who asks without a request as none can be made: each mark, put, removal
  /// and wipe moves it, and so do requests. `nil` where it cannot be read. Cost: one SELECT.
  package func numberSoFar() -> Int64? { store.numberOfRequest() }

  /// Ends a request whose answer changes nothing here.
  ///
  /// - Parameter withdraws: True where it says that nothing is to be kept of what the request is about: what the fleet has
  ///   of that goes, if the request holds its lease there.
  package func end(_ request: SourceRequest, withdrawing withdraws: Bool = false) async {
    if withdraws, let key = request.part.leases.keys.first {
      await takeBack(key, under: request.part)
    } else {
      request.part.releaseAll(reporting: store)
    }
    switch request.open {
    case .question(let question): await withdraw(question)
    case .leased(let lease):
      do throws(StoreError) {
        _ = try await store.requestCommits.run(touching: Touched()) {
          [store] (connection) throws(SQLiteError) in
          try store.storage.end(lease, connection)
        }
      } catch {
        // Whoever asks next gives it back; else it expires by itself.
        store.owed.add(lease)
        store.report(.notStored(error))
      }
    }
  }

  /// Renews the lease of a request until the keeper is cancelled; `nil` for a request without one.
  package func keeping(_ request: SourceRequest) -> LeaseKeeper? {
    guard case .leased(let lease) = request.open else { return nil }
    return LeaseKeeper([lease], request.part, in: store)
  }

  /// Waits until the lease of a key is free; true when it is, false when the time is over or the task is cancelled.
  package func waitForLease(of key: String, atMost limit: Duration) async -> Bool {
    let end = Duration.milliseconds(store.now().sinceBoot) + limit
    return await store.waitForRelease(of: [key], in: name, until: end) == .released
  }
}
