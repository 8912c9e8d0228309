internal import Strategies

/// One running update of a list.
struct ListFollower<Value: Sendable>: Sendable {
  let collection: RecordCollection<Value>
  let list: String
  let policy: Policy
  let fetch: @Sendable (PreviousList) async throws -> SourceListChange<Value>

  private var store: Store { collection.store }

  func follow() async throws(GetError) -> FollowedList {
    let begun = store.numberOfRequest()
    guard !call.source.isOffline else { throw failure(.offline) }
    var (lease, position) = try await claim(begun)
    if let pause = await call.refusal() {
      await release(lease)
      throw failure(.fetchFailed, fetch: pause)
    }
    var whole: FollowedList?
    while true {
      let attempt = try await ask(&position, &lease)
      let change: SourceListChange<Value>
      switch attempt.result {
      case .failure(let failure) where failure.code == .cancelled:
        await release(lease)
        throw self.failure(.cancelled, fetch: failure)
      case .failure(let failure) where failure.isNoVerdict:
        await release(lease)
        throw self.failure(.fetchFailed, fetch: failure)
      case .failure(let failure):
        try await note(failure, lease)
        throw self.failure(.fetchFailed, fetch: failure)
      case .success(let answer): change = answer
      }
      if let failure = position.refusal(of: change) {
        try await note(failure, lease, endsWalk: true)
        throw self.failure(.fetchFailed, fetch: failure)
      }
      let followed = try await store(change, lease, position, attempt)
      whole?.add(followed)
      guard let next = change.next else { return whole ?? followed }
      whole = whole ?? followed
      position.goOn(
        to: next, isWhole: followed.isFull, number: lease.fence, asked: attempt.asked)
      try await goOn(lease)
    }
  }

  // MARK: The lease

  /// The duration of the lease for one step: the awaited work in it, and time to store the result.
  private var holding: Duration { policy.hardTimeout + store.configuration.leaseDuration }

  private func claim(_ begun: Int64?) async throws(GetError) -> (Lease, ListPosition) {
    let holding = holding
    do throws(StoreError) {
      try collection.check(list, .follow)
      try collection.check(policy, .follow)
      let now = store.now()
      let (claim, state) = try await store.queue.run {
        [store, list, collection] () throws(StoreError) in
        try store.storage.claimList(
          list, in: collection.name, owner: store.owner, for: holding, begun: begun, now: now)
      }
      switch claim {
      case .granted(let lease):
        return (
          lease, ListPosition(list, state, contentVersion: collection.contentVersion)
        )
      case .held(let owner, _):
        throw collection.error(.busy(holder: owner), .follow, list)
      }
    } catch {
      throw failure(.store, store: error)
    }
  }

  /// Extends the lease for another step.
  private func hold(_ lease: Lease) async throws(GetError) {
    let (now, holding) = (store.now(), holding)
    do throws(StoreError) {
      let isHeld = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.hold(lease, for: holding, now: now)
      }
      guard isHeld else { throw collection.error(.superseded, .follow, list) }
    } catch {
      await release(lease)
      throw failure(.store, store: error)
    }
  }

  /// The lease for another question in place of the one before: what was seen on pages that the source
  /// has forgotten does not count for it.
  private func lease(after lease: Lease) async throws(GetError) -> Lease {
    let (now, holding) = (store.now(), holding)
    do throws(StoreError) {
      let next = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.askAnew(lease, for: holding, now: now)
      }
      guard let next else { throw collection.error(.superseded, .follow, list) }
      return next
    } catch {
      await release(lease)
      throw failure(.store, store: error)
    }
  }

  private func release(_ lease: Lease) async {
    do throws(StoreError) {
      try await store.returnClaims(leases: [lease])
    } catch {
      // The lease stays owed, and is released later.
      store.report(.notStored(error))
    }
  }

  // MARK: The source

  private var call: SourceCall { SourceCall(of: collection.name, in: store, by: policy) }

  private var origin: OriginGuard? { call.source.origin }

  /// Throws where the source must not be asked once more, as something has come since it was asked first; what
  /// is stored stays, and the next update goes on from there.
  private func goOn(_ lease: Lease) async throws(GetError) {
    let refused: GetError
    do throws(StoreError) {
      guard try store.storage.isCurrent(lease) else {
        throw collection.error(.wiped, .follow, list)
      }
      switch try call.source.goOn() {
      case nil: return
      case .offline: refused = failure(.offline)
      case .paused(let pause): refused = failure(.fetchFailed, fetch: pause.failure)
      }
    } catch {
      refused = failure(.store, store: error)
    }
    await release(lease)
    throw refused
  }

  private typealias Attempt = SourceAttempt<SourceListChange<Value>>

  /// Asks the source, and again from further back when it no longer knows the page or the cursor.
  private func ask(
    _ position: inout ListPosition, _ lease: inout Lease
  ) async throws(GetError) -> Attempt {
    var attempt = await askOnce(position.previous)
    while case .success(.expiredCursor) = attempt.result {
      let isPage = position.previous.page != nil
      guard position.goBack() else {
        attempt.result = .failure(isPage ? .pagesExpire : .cursorExpiredWithoutCursor)
        return attempt
      }
      lease = try await self.lease(after: lease)
      try await goOn(lease)
      attempt = await askOnce(position.previous)
    }
    return attempt
  }

  private func askOnce(_ previous: PreviousList) async -> Attempt {
    await call.run(reporting: [list]) { [fetch] in try await fetch(previous) }
  }

  // MARK: The store

  private func store(
    _ answer: SourceListChange<Value>, _ lease: Lease, _ position: ListPosition, _ attempt: Attempt
  ) async throws(GetError) -> FollowedList {
    let known = attempt.known(by: policy.ageBase)
    var change = Storage.ListChange(
      lease: lease, list: list, expiry: policy.expiry, origin: origin, known: known)
    change.contentVersion = collection.contentVersion
    change.basis = position.basis
    change.walk = position.walk.map { ($0.number, $0.began) }
    (change.next, change.holding) = (answer.next, holding)
    change.cursor = answer.newCursor
    let isWhole = position.tellsWhole(answer)
    change.followed.isFull = isWhole == true
    change.followed.isUnchanged = isWhole == nil
    if isWhole != nil {
      change.removals = answer.removals.filter(Self.isKey)
      try await hold(lease)
      await admit(answer.members, toldAt: attempt.answered, into: &change)
    }
    guard !Task.isCancelled else {
      // A rule that was not waited for has admitted nothing: the cursor must not go past it.
      await release(lease)
      throw failure(.cancelled, fetch: .cancelled)
    }
    do throws(StoreError) {
      let followed = try await store(change, at: store.now())
      store.tellFleet(.answered, of: origin)
      guard let followed else { throw collection.error(.superseded, .follow, list) }
      closeFlights(followed)
      return followed
    } catch {
      await release(lease)
      throw failure(.store, store: error)
    }
  }

  private func store(
    _ change: Storage.ListChange, at now: ClockReading
  ) async throws(StoreError) -> FollowedList? {
    do throws(StoreError) {
      return try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.follow(change, now: now)
      }
    } catch {
      // Nothing is stored. A value that finds no room must not keep out the list and the other values.
      guard !error.code.isOfAll, let smaller = change.withoutLargest(error) else { throw error }
      store.report(.notStored(error))
      return try await store(smaller, at: now)
    }
  }

  private func note(
    _ failure: FetchFailure, _ lease: Lease, endsWalk: Bool = false
  ) async throws(GetError) {
    let now = store.now()
    let note = Storage.Failure(failure, policy: policy, random: store.configuration.random())
    let (origin, list) = (origin, list)
    do throws(StoreError) {
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.noteListFailure(
          note, list, lease, endsWalk: endsWalk, origin: origin, now: now)
      }
      store.tellFleet(failure.verdictForFleet, of: origin)
    } catch {
      await release(lease)
      throw self.failure(.fetchFailed, fetch: failure, store: error)
    }
  }

  private func closeFlights(_ followed: FollowedList) {
    let settled = Set(names: followed.stored + followed.queued + followed.removed)
    store.closeFlights(collection.name) { settled.contains($0) }
  }

  private func failure(
    _ code: GetError.Code, fetch: FetchFailure? = nil, store: StoreError? = nil
  ) -> GetError {
    GetError(
      code, collection: collection.name, key: list, fetchFailure: fetch, storeFailure: store)
  }
}

extension ListFollower {
  /// Checks and encodes the members, each on its own.
  func admit(
    _ members: [String: ListMember<Value>], toldAt: ClockReading,
    into change: inout Storage.ListChange
  ) async {
    var fetched: [String: Fetched<Value>] = [:]
    for (key, member) in members {
      guard Self.isKey(key) else {
        change.followed.refused[key] = FetchFailure(.notStorable, "the key is no key of a record")
        continue
      }
      change.members.append(key)
      switch member {
      case .value(let value, let details): fetched[key] = .value(value, details)
      case .named: change.named.append(key)
      case .unchanged: change.unchanged.append(key)
      case .changed: change.changed.append(key)
      }
    }
    let admitted = await collection.admitted(
      .success(fetched), for: Array(fetched.keys), limit: policy.hardTimeout)
    for (key, answer) in admitted {
      switch answer {
      case .success(.value(let value, let details)) where details.isStorable:
        do throws(StoreError) {
          change.writes.append(try write(value, details, toldAt: toldAt, for: key))
        } catch {
          change.changed.append(key)
          change.followed.refused[key] = FetchFailure(.notStorable, "\(error)", underlying: error)
        }
      case .success: change.changed.append(key)
      case .failure(let failure):
        // The source has another value than the copy, but not one that may be stored.
        change.changed.append(key)
        change.followed.refused[key] = failure
      }
    }
  }

  static func isKey(_ key: String) -> Bool { (1...1024).contains(key.utf8.count) }

  private func write(
    _ value: Value, _ details: FetchDetails, toldAt: ClockReading, for key: String
  ) throws(StoreError) -> Storage.Write {
    var content = collection.content(
      key, details,
      expiry: policy.expiry(of: details, random: collection.store.configuration.random))
    content.value = try collection.encoded(value, key, .follow)
    return Storage.Write(
      content: content, tags: details.tags, statedAt: details.lastUpdate == nil ? nil : toldAt)
  }
}
