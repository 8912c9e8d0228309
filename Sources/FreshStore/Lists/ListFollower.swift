internal import Strategies

/// One running update of a list.
struct ListFollower<Value: Sendable>: Sendable {
  let collection: RecordCollection<Value>
  let list: String
  let policy: Policy
  let fetch: @Sendable (PreviousList) async throws -> SourceListChange<Value>

  private var store: Store { collection.store }

  func follow() async throws(GetError) -> FollowedList {
    guard !admission.isOffline else { throw failure(.offline) }
    let (lease, previous) = try await claim()
    if let pause = await pause() {
      await release(lease)
      throw failure(.fetchFailed, fetch: pause)
    }
    let asked = store.now()
    let answer = try await ask(previous, lease)
    switch answer {
    case .failure(let failure) where failure.code == .cancelled:
      await release(lease)
      throw self.failure(.cancelled, fetch: failure)
    case .failure(let failure) where failure.isNoVerdict:
      await release(lease)
      throw self.failure(.fetchFailed, fetch: failure)
    case .failure(let failure):
      try await note(failure, lease)
      throw self.failure(.fetchFailed, fetch: failure)
    case .success(let change):
      return try await store(change, lease, previous, asked: asked)
    }
  }

  // MARK: The lease

  /// The duration of the lease for one step: the awaited work in it, and time to store the result.
  private var holding: Duration { policy.hardTimeout + store.configuration.leaseDuration }

  private func claim() async throws(GetError) -> (Lease, PreviousList) {
    let holding = holding
    do throws(StoreError) {
      try collection.check(list, .follow)
      let now = store.now()
      let (claim, state) = try await store.queue.run {
        [store, list, collection] () throws(StoreError) in
        try store.storage.claimList(
          list, in: collection.name, owner: store.owner, for: holding, now: now)
      }
      switch claim {
      case .granted(let lease):
        let previous = PreviousList(
          name: list, cursor: state?.cursor, lastUpdate: state?.lastUpdate,
          count: state?.count ?? 0)
        return (lease, previous)
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

  private func release(_ lease: Lease) async {
    do throws(StoreError) {
      try await store.owed.giveBack(leases: [lease], to: store.storage, on: store.queue)
    } catch {
      // The lease stays owed, and is released later.
      store.report(.notStored(error))
    }
  }

  // MARK: The source

  private var admission: SourceAdmission {
    SourceAdmission(store: store, collection: collection.name, policy: policy)
  }

  private var origin: OriginGuard? { admission.origin }

  /// The reason why the source must not be asked now.
  private func pause() async -> FetchFailure? {
    do throws(StoreError) {
      return try await admission.admit()?.failure
    } catch {
      // An unreadable breaker must not block the source.
      store.report(.notStored(error))
      return nil
    }
  }

  /// Asks the source, and once more without a cursor when it no longer knows that one.
  private func ask(
    _ previous: PreviousList, _ lease: Lease
  ) async throws(GetError) -> Result<SourceListChange<Value>, FetchFailure> {
    let answer = await askOnce(previous)
    guard case .success(.expiredCursor) = answer else { return answer }
    try await hold(lease)
    let whole = PreviousList(name: list, count: previous.count)
    let second = await askOnce(whole)
    switch second {
    case .success(.expiredCursor): return .failure(.cursorExpiredWithoutCursor)
    // The stored members belong to the cursor that the source no longer knows.
    case .success(.notModified): return .failure(.notModifiedWithoutCursor)
    default: return second
    }
  }

  private func askOnce(
    _ previous: PreviousList
  ) async -> Result<SourceListChange<Value>, FetchFailure> {
    store.report(.fetchBegan(collection: collection.name, keys: [list]))
    let start = store.now()
    let fetch = fetch
    let answer = await store.watched(admission.route) {
      await Deadline.run(policy.hardTimeout, clock: store.configuration.clock) {
        try await fetch(previous)
      }
    }
    var failure: FetchFailure?
    if case .failure(let why) = answer { failure = why }
    store.report(
      .fetchEnded(
        collection: collection.name, keys: [list],
        duration: .milliseconds(store.now().sinceBoot - start.sinceBoot), failure: failure))
    return answer
  }

  // MARK: The store

  private func store(
    _ answer: SourceListChange<Value>, _ lease: Lease, _ previous: PreviousList,
    asked: ClockReading
  ) async throws(GetError) -> FollowedList {
    let answered = store.now()
    let known = policy.ageBase == .request ? asked : answered
    var change = Storage.ListChange(
      lease: lease, list: list, expiry: policy.expiry, origin: origin, known: known)
    change.isOfWhole = previous.cursor == nil && previous.lastUpdate == nil
    switch answer {
    case .full(let members, let cursor):
      change.cursor = .some(cursor)
      change.followed.isFull = true
      try await hold(lease)
      await admit(members, toldAt: answered, into: &change)
    case .delta(let members, let removals, let cursor):
      change.cursor = .some(cursor)
      change.removals = removals
      try await hold(lease)
      await admit(members, toldAt: answered, into: &change)
    case .notModified, .expiredCursor:
      change.followed.isUnchanged = true
    }
    guard !Task.isCancelled else {
      // A rule that was not waited for has admitted nothing: the cursor must not go past it.
      await release(lease)
      throw failure(.cancelled, fetch: .cancelled)
    }
    let now = store.now()
    do throws(StoreError) {
      let settled = change
      let followed = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.follow(settled, now: now)
      }
      guard let followed else { throw collection.error(.superseded, .follow, list) }
      publish(followed)
      return followed
    } catch {
      await release(lease)
      throw failure(.store, store: error)
    }
  }

  private func note(_ failure: FetchFailure, _ lease: Lease) async throws(GetError) {
    let now = store.now()
    let note = Storage.Failure(failure, policy: policy, random: store.configuration.random())
    let (origin, list) = (origin, list)
    do throws(StoreError) {
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.noteListFailure(note, list, lease, origin: origin, now: now)
      }
    } catch {
      await release(lease)
      throw self.failure(.fetchFailed, fetch: failure, store: error)
    }
  }

  // MARK: Notifying

  private func publish(_ followed: FollowedList) {
    let settled = Set(names: followed.stored + followed.queued + followed.removed)
    store.closeFlights(collection.name) { settled.contains($0) }
    publish(.stored, followed.stored)
    publish(.removed, followed.removed)
    publish(.marked, followed.queued)
  }

  /// One change for each key, or one for all of many: a long list must not flush an observer's
  /// buffer.
  private func publish(_ kind: Change.Kind, _ keys: [String]) {
    guard !keys.isEmpty else { return }
    guard keys.count <= Storage.mostListChanges else {
      store.hub.publish(Change(kind: kind, collection: collection.name, key: nil))
      return
    }
    for key in keys {
      store.hub.publish(Change(kind: kind, collection: collection.name, key: key))
    }
  }

  private func failure(
    _ code: GetError.Code, fetch: FetchFailure? = nil, store: StoreError? = nil
  ) -> GetError {
    GetError(
      code, collection: collection.name, key: list, fetchFailure: fetch, storeFailure: store)
  }
}

extension FetchFailure {
  fileprivate static let cursorExpiredWithoutCursor = FetchFailure(
    .notStorable, "the source says that a cursor has expired, but none was sent")
  fileprivate static let notModifiedWithoutCursor = FetchFailure(
    .notModifiedWithoutCopy,
    "the source answered \"not modified\" where the whole list was asked for")
}
