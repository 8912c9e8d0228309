extension Store {
  /// Ends every pause after failures, and every hold on an origin.
  ///
  /// Records, lists, local writes, routes to sources and origins are no longer paused, and the breakers of origins
  /// close. The change is durable when the call returns. Workers on a queue of the store, in any process, resume at
  /// once. Parked local writes stay parked until ``retry(_:)``.
  ///
  /// In a fleet the call ends all pauses of keys and origins there, too, if the shared tier is in reach. The other
  /// hosts keep the failures that they have noted themselves.
  ///
  /// - Returns: The number of records, lists, local writes and origins that were paused here or had failed.
  @discardableResult
  public func endPauses() async throws(StoreError) -> Int {
    try await endPauses(releasingHolds: true)
  }

  /// As ``endPauses()``; without `releasingHolds` held origins stay held, as no user has signed in.
  @discardableResult
  package func endPauses(releasingHolds: Bool) async throws(StoreError) -> Int {
    let now = now()
    evidence.forgetFailures(over: nil)
    unwrittenBreakers.forget(nil)
    unread.forgetAll()
    await endSharedPauses(byHand: .all)
    let paused = try storage.pausedRecords(at: now)
    var count = try await queue.run { [storage] () throws(StoreError) in
      try storage.forgetFailures(of: nil, releasingHolds: releasingHolds)
        + storage.endListPauses(now: now)
        + storage.endWritePauses(now: now)
    }
    // No transaction may block other writers for long.
    for start in stride(from: 0, to: paused.count, by: Self.pausesAtOnce) {
      let rows = paused[start..<min(start + Self.pausesAtOnce, paused.count)]
      count += try await queue.run { [storage] () throws(StoreError) in
        try storage.endPauses(of: rows, now: now)
      }
    }
    await tell(nil, nil, ended: .all)
    return count
  }

  /// Ends the pause and the hold of one origin, whose breaker closes; false when there was nothing to end.
  ///
  /// The store forgets the failures of the origin and of the route to it. The change is durable when the call returns.
  /// Workers on a queue of the store, in any process, resume at once. In a fleet the origin's pause ends there, too,
  /// whichever host has made it, if the shared tier is in reach.
  @discardableResult
  public func endPause(origin: Origin) async throws(StoreError) -> Bool {
    try await endPause(origin: origin, releasingHold: true)
  }

  /// As ``endPause(origin:)``; without `releasingHold` a held origin stays held.
  @discardableResult
  package func endPause(
    origin: Origin, releasingHold: Bool
  ) async throws(StoreError) -> Bool {
    let hadRoute = evidence.forgetFailures(over: .origin(origin))
    unwrittenBreakers.forget(origin)
    await endSharedPauses(byHand: .origin(origin.name))
    let count = try await queue.run { [storage] () throws(StoreError) in
      try storage.forgetFailures(of: origin.name, releasingHolds: releasingHold)
    }
    await tell(nil, nil, ended: .origin(origin))
    return hadRoute || count > 0
  }

  /// Ends the pauses of local writes that no source has named, such as after a change of the network.
  ///
  /// With `origin` it ends all pauses, named or not, of the writes for which `origin` returns a name.
  ///
  /// - Returns: The number of local writes that were paused.
  @discardableResult
  package func endWritePauses(
    where origin: OriginOfRecord? = nil
  ) async throws(StoreError) -> Int {
    let now = now()
    let count = try await queue.run { [storage] () throws(StoreError) in
      try storage.endWritePauses(alsoNamed: origin != nil, where: origin, now: now)
    }
    if count > 0 { await tell(nil, nil) }
    return count
  }

  /// Holds the work with an origin until ``endPause(origin:)`` or ``endPauses()``.
  ///
  /// No process asks the origin for a get of any mode, a list, a local write or in the background, and none polls. An
  /// application holds an origin while no user is signed in there. A fetch whose error says so
  /// (``FetchErrorTraits/needsSignIn``) holds the origin by itself, unless some process has ended holds, or wiped
  /// the store, since the fetch began.
  ///
  /// Copies are served meanwhile, as far as the policy lets them replace a failed fetch or one whose
  /// origin is down (``Policy/graceWhileOriginIsDown``). A get without such a copy fails with
  /// ``FetchFailure/Code/held``. A refresh by hand still asks. Local writes wait, and their attempts are not counted.
  ///
  /// A hold is the application's own statement, and no data of its user. It outlives restarts, power
  /// cuts and a ``wipe(removingDamagedFiles:droppingUnsent:)``, which replaces only its reason.
  ///
  /// - Parameter reason: The reason for people: it is stored, and shown by `explain` and `sync status`.
  public func hold(_ origin: Origin, because reason: String) async throws(StoreError) {
    try await queue.run { [storage] () throws(StoreError) in
      _ = try storage.hold(origin.name, because: reason)
    }
    // Synchronizers look at the states of their sources.
    queueSignal.wake()
  }

  /// The held origins, each with the reason.
  public func holds() throws(StoreError) -> [Origin: String] {
    var holds: [Origin: String] = [:]
    for (name, reason) in try storage.holds() { holds[Origin(name)] = reason }
    return holds
  }

  private static let pausesAtOnce = 256

  /// Tells observers, and other stores on the file, that pauses have ended.
  ///
  /// - Parameter ended: The origins that all stores on the file may ask again.
  fileprivate func tell(
    _ collection: String?, _ key: String?, ended: Change.EndedPauses? = nil
  ) async {
    do throws(StoreError) {
      try await queue.run { [storage] () throws(StoreError) in
        try storage.noteEndOfPauses(collection, key, ended)
      }
    } catch {
      // Other processes notice at their next read.
      report(.notStored(error))
      hub.publish(Change(kind: .resumed, collection: collection, key: key, ended: ended))
    }
  }
}

extension RecordCollection {
  /// Ends the pause after failed fetches of a record; false when there is none here.
  /// In a fleet the pause of the record's key ends there, too, if the shared tier is in reach.
  @discardableResult
  public func endPause(_ key: String) async throws(StoreError) -> Bool {
    try check(key, .due)
    await store.endSharedPauses(byHand: .key(SharedKey(name, key)))
    let now = store.now()
    let rows = try store.storage.pausedRecords(at: now, collection: name, key: key)
    guard !rows.isEmpty else { return false }
    _ = try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.endPauses(of: rows[...], now: now)
    }
    await store.tell(name, key)
    return true
  }
}
