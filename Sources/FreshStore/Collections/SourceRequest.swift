internal import Strategies

/// A running request to a source, made by a caller that asks the source by itself.
///
/// The caller ends it by ``RecordCollection/end(_:)`` or ``RecordCollection/update(_:answering:about:at:)``.
package struct SourceRequest: Sendable {
  let open: Storage.OpenRequest
  /// The fleet's leases that the request holds.
  var part = FleetPart.none
  /// True where, when the lease was taken, there was no record yet that the answer would replace.
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

  /// Takes the lease of a key, and tells whether several keys have no record yet (``SourceRequest/findsNothing``).
  ///
  /// The answers to one question lie under these keys. This costs less than a separate look-up.
  ///
  /// - Parameters:
  ///   - base: The first of the keys.
  ///   - prefix: The beginning of all other keys.
  package func request(
    exclusively key: String, lookingFor base: String, _ prefix: String
  ) async throws(StoreError) -> SourceRequest? {
    try check(key, .claim)
    // A lease that has ended while the file took no writes holds up no request.
    if !store.owed.isEmpty { try await store.giveBackOwed() }
    let now = store.now()
    return try await store.requestCommits.run(touching: AffectedKeys(name, [key])) {
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

  /// Begins a request that may run beside other requests about the same key.
  package func request() async throws(StoreError) -> SourceRequest {
    SourceRequest(open: .question(try await ask(at: store.now())))
  }

  /// Marks a key stale, and begins the request under which an answer that is already here is stored.
  ///
  /// The answer demands the mark, which is as of ``markStale(_:reason:)``. Nothing comes between the mark and the
  /// request. Returns `nil` where any process has marked, put, removed, wiped or requested something since the file was
  /// at `number`. The answer may know nothing of such a change.
  ///
  /// This is not for a fleet, whose marks are made in its shared tier first.
  ///
  /// - Parameter number: The number of the file before the source was asked (``numberSoFar()``).
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

  /// False where a mark, a put, a removal or a wipe, by any process, has come since the request was made.
  ///
  /// The answer may know nothing of such a change: a caller that asks now is to be told something newer. False also for
  /// a request that has ended.
  ///
  /// Cost: a look-up in some tables that are almost empty, and of the keys' records in the file, without their values.
  ///
  /// - Parameters:
  ///   - keys: The keys under which the answer may be stored, and the key that the request is about.
  ///   - tags: The tags of the answer, and of the record that it replaces. While they are not known, it is `nil`, and a
  ///     mark of any tag counts.
  package func isUpToDate(
    _ request: SourceRequest, about keys: [String], tags: Set<String>?
  ) throws(StoreError) -> Bool {
    try store.storage.isUpToDate(request.open, of: name, about: keys, tags: tags)
  }

  /// The present number of the file; `nil` where it cannot be read. Cost: one SELECT.
  ///
  /// Each mark, put, removal, wipe and request moves the number. It is for a caller that asks the source without a
  /// request, because none can be made.
  package func numberSoFar() -> Int64? { store.numberOfRequest() }

  /// Ends a request whose answer changes nothing here.
  ///
  /// - Parameter withdraws: True where the answer says that no record of the key is to be kept. The fleet's record then
  ///   goes, if the request holds the fleet's lease.
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
        _ = try await store.requestCommits.run(touching: AffectedKeys()) {
          [store] (connection) throws(SQLiteError) in
          try store.storage.end(lease, connection)
        }
      } catch {
        // The next request returns the lease; otherwise the lease expires by itself.
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

  /// Waits until the lease of a key is free. Returns false when the time is over or the task is cancelled.
  package func waitForLease(of key: String, atMost limit: Duration) async -> Bool {
    let end = Duration.milliseconds(store.now().sinceBoot) + limit
    return await store.waitForRelease(of: [key], in: name, until: end) == .released
  }
}
