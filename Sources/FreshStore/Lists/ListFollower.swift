internal import Strategies

/// One following of a list under way.
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
    let answer = await ask(previous)
    if case .failure(let failure) = answer, failure.code == .cancelled {
      await release(lease)
      throw self.failure(.cancelled, fetch: failure)
    }
    switch answer {
    case .failure(let failure):
      try await note(failure, lease)
      throw self.failure(.fetchFailed, fetch: failure)
    case .success(let change):
      return try await store(change, lease, previous, asked: asked)
    }
  }

  // MARK: The lease

  private func claim() async throws(GetError) -> (Lease, PreviousList) {
    // Nobody renews it: it outlives the fetch, whatever that does.
    let holding = policy.hardTimeout + store.configuration.leaseDuration
    do throws(StoreError) {
      try collection.check(list, .follow)
      try await store.keepTime()
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

  private func release(_ lease: Lease) async {
    do throws(StoreError) {
      try await store.owed.giveBack(leases: [lease], to: store.storage, on: store.queue)
    } catch {
      // It stays owed.
      store.report(.notStored(error))
    }
  }

  // MARK: The source

  private var admission: SourceAdmission {
    SourceAdmission(store: store, collection: collection.name, policy: policy)
  }

  private var origin: OriginGuard? { admission.origin }

  /// Why the source is not to be asked now.
  private func pause() async -> FetchFailure? {
    do throws(StoreError) {
      return try await admission.admit()?.failure
    } catch {
      // A breaker that cannot be read must not keep anyone from the source.
      store.report(.notStored(error))
      return nil
    }
  }

  /// Asks the source, once more without a cursor when it does not know that any more.
  private func ask(_ previous: PreviousList) async -> Result<SourceListChange<Value>, FetchFailure>
  {
    let answer = await askOnce(previous)
    guard case .success(.expiredCursor) = answer else { return answer }
    let whole = PreviousList(name: list, lastUpdate: previous.lastUpdate, count: previous.count)
    let second = await askOnce(whole)
    if case .success(.expiredCursor) = second { return .failure(.cursorExpiredWithoutCursor) }
    return second
  }

  private func askOnce(
    _ previous: PreviousList
  ) async -> Result<SourceListChange<Value>, FetchFailure> {
    store.report(.fetchBegan(collection: collection.name, keys: [list]))
    let start = store.now()
    let fetch = fetch
    let answer = await store.watched(admission.way) {
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
    let askedAt = policy.ageBase == .request ? asked.wall(at: store.now()) : store.now().wall
    var change = Storage.ListChange(
      lease: lease, list: list, expiry: policy.expiry, origin: origin, askedAt: askedAt)
    change.asked = previous.cursor
    var followed = FollowedList()
    switch answer {
    case .full(let members, let cursor):
      change.cursor = .some(cursor)
      change.isFull = true
      await admit(members, into: &change, &followed)
    case .delta(let members, let removals, let cursor):
      change.cursor = .some(cursor)
      change.removals = removals
      await admit(members, into: &change, &followed)
    case .notModified, .expiredCursor:
      followed.isUnchanged = true
    }
    followed.isFull = change.isFull
    guard !Task.isCancelled else {
      // A rule that was not waited for has let nothing in: the cursor must not go past it.
      await release(lease)
      throw failure(.cancelled, fetch: .cancelled)
    }
    let now = store.now()
    do throws(StoreError) {
      let settled = change
      let done = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.follow(settled, now: now)
      }
      guard let done else { throw collection.error(.superseded, .follow, list) }
      publish(done)
      (followed.stored, followed.queued, followed.pending) = (
        done.stored, done.queued, done.pending
      )
      (followed.removed, followed.kept) = (done.removed, done.kept)
      return followed
    } catch {
      await release(lease)
      throw failure(.store, store: error)
    }
  }

  /// Checks and encodes the members, each for itself.
  private func admit(
    _ members: [String: ListMember<Value>], into change: inout Storage.ListChange,
    _ followed: inout FollowedList
  ) async {
    var fetched: [String: Fetched<Value>] = [:]
    for (key, member) in members {
      guard (1...1024).contains(key.utf8.count) else {
        followed.refused[key] = FetchFailure(.notStorable, "the key is no key of a record")
        continue
      }
      change.members.append(key)
      switch member {
      case .value(let value, let details): fetched[key] = .value(value, details)
      case .named: change.named.append(key)
      case .changed: change.changed.append(key)
      }
    }
    let admitted = await collection.admitted(
      .success(fetched), for: Array(fetched.keys), limit: policy.hardTimeout)
    for (key, answer) in admitted {
      switch answer {
      case .success(.value(let value, let details)) where details.isStorable:
        do throws(StoreError) {
          change.writes.append(try write(value, details, for: key, askedAt: change.askedAt))
        } catch {
          change.changed.append(key)
          followed.refused[key] = FetchFailure(.notStorable, "\(error)", underlying: error)
        }
      case .success: change.changed.append(key)
      case .failure(let failure):
        // The source has another value than the copy, though none that may be stored.
        change.changed.append(key)
        followed.refused[key] = failure
      }
    }
  }

  private func write(
    _ value: Value, _ details: FetchDetails, for key: String, askedAt: Timestamp
  ) throws(StoreError) -> Storage.Write {
    var content = collection.content(
      key, details, expiry: details.expiry(orOfPolicy: policy.expiry))
    content.lastUpdate = details.lastUpdate ?? askedAt
    content.value = try collection.encoded(value, key, .follow)
    return Storage.Write(content: content, tags: details.tags)
  }

  private func note(_ failure: FetchFailure, _ lease: Lease) async throws(GetError) {
    let (now, random) = (store.now(), store.configuration.random())
    let backoff = Backoff(base: policy.retryPause, maximum: policy.maximumRetryPause)
    let note = Storage.Failure(
      message: failure.message,
      pause: { failures in
        failure.namedPause ?? backoff.pause(afterFailures: failures, random: random)
      }, isPauseNamed: failure.namedPause != nil, blame: failure.blame)
    let (origin, list) = (origin, list)
    do throws(StoreError) {
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.noteListFailure(note, list, lease, origin: origin, now: now)
      }
    } catch {
      throw self.failure(.fetchFailed, fetch: failure, store: error)
    }
  }

  // MARK: Telling

  private func publish(_ done: Storage.ListResult) {
    let settled = Set(names: done.stored + done.removed)
    store.closeFlights(collection.name) { settled.contains($0) }
    publish(.stored, done.stored)
    publish(.removed, done.removed)
    publish(.marked, done.queued)
  }

  /// One change for each key, or one for all of many: a long list must not push everything else out
  /// of an observer's buffer.
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
}
