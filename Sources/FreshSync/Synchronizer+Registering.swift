public import FreshStore
internal import Strategies

extension Synchronizer {
  /// Takes care of a collection from now on: its records, its local writes and its lists.
  ///
  /// The records are fetched from the source, the local writes sent there, and the lists followed. A collection of
  /// the same name is replaced.
  ///
  /// ```swift
  /// synchronizer.add(notes, from: server, following: "all", conflicts: .clientWins)
  /// ```
  ///
  /// - Parameters:
  ///   - source: Gets the requests, under the policy's hard timeout. The writes of one key go one at a time, before
  ///     anything is fetched.
  ///   - lists: The names of the lists to follow, as ``follow(_:of:policy:fetch:)`` does.
  ///   - policy: Replaces the collection's.
  ///   - conflicts: The winner when the source holds another change than the base of a local write.
  public func add<Value>(
    _ collection: RecordCollection<Value>, from source: some RecordSource<Value>,
    following lists: String..., policy: Policy? = nil,
    conflicts: ConflictPolicy<Value> = .parks
  ) {
    let policy = (policy ?? collection.policy).from(source)
    add(
      collection, policy: policy, conflicts: conflicts, fetch: { try await source.fetch($0) },
      push: { try await source.push($0) })
    for list in lists {
      follow(list, of: collection, policy: policy) { try await source.list($0) }
    }
  }

  /// As ``add(_:from:following:policy:conflicts:)``, with closures in place of a type.
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - conflicts: The winner when the source holds another change than the base of a local write.
  ///   - fetch: Asks the source for one record. The policy's hard timeout holds.
  ///   - push: Sends a local write to the source, one at a time for each key, before anything is fetched; `nil` to
  ///     push nothing.
  public func add<Value>(
    _ collection: RecordCollection<Value>, policy: Policy? = nil,
    conflicts: ConflictPolicy<Value> = .parks,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>,
    push: (@Sendable (PendingWrite<Value>) async throws -> Pushed<Value>)? = nil
  ) {
    add(
      collection, policy: policy, batch: 1, conflicts: conflicts,
      fetch: { missing in
        var fetched: [String: Fetched<Value>] = [:]
        for previous in missing { fetched[previous.key] = try await fetch(previous) }
        return fetched
      }, push: push)
  }

  /// As ``add(_:policy:conflicts:fetch:push:)``, for a source that answers for many records at once.
  ///
  /// - Parameters:
  ///   - batch: The most records of one fetch; all of a fetch have one origin.
  ///   - fetch: Asks the source; a key without a result has failed.
  public func add<Value>(
    _ collection: RecordCollection<Value>, policy: Policy? = nil, batch: Int,
    conflicts: ConflictPolicy<Value> = .parks,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>],
    push: (@Sendable (PendingWrite<Value>) async throws -> Pushed<Value>)? = nil
  ) {
    register(
      collection, .alike((policy ?? collection.policy).patient), batch: batch,
      conflicts: conflicts, fetch: { _, missing in try await fetch(missing) },
      push: push.map { push in .single { _, write in try await push(write) } })
  }

  /// As ``add(_:policy:batch:conflicts:fetch:push:)``, for a source that also takes many local writes at once.
  ///
  /// - Parameters:
  ///   - batch: The most records of one fetch, and the most local writes of one push. All of a request have one
  ///     origin, and different keys. A large body (``SyncOptions/largeBody``) goes by itself.
  ///   - pushAll: Sends the local writes, and returns the source's answers by key. A write without an answer has
  ///     failed, and waits. An error is the failure of all, and counts once for the origin. When the error does not
  ///     blame the origin and names no pause, each of the writes then goes by itself. The time limit follows the size
  ///     of all of them (``SyncOptions/slowestUpload``).
  public func add<Value>(
    _ collection: RecordCollection<Value>, policy: Policy? = nil, batch: Int,
    conflicts: ConflictPolicy<Value> = .parks,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>],
    pushAll: @escaping @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]
  ) {
    register(
      collection, .alike((policy ?? collection.policy).patient), batch: batch,
      conflicts: conflicts, fetch: { _, missing in try await fetch(missing) },
      push: .batch(pushAll))
  }

  /// As ``add(_:policy:conflicts:fetch:push:)``, for a collection whose records come from many sources.
  ///
  /// Each source is asked, paused and found out of reach by itself. The closures get the full address to ask:
  /// `FetchDetails.address` where a fetch has stated one, else `FetchDetails.source`.
  ///
  /// - Parameter policies: The policy for a record with that address; `nil` for a record that is not to be asked for
  ///   here, and stays in the queue. The closure is called often: it must be cheap.
  public func add<Value>(
    _ collection: RecordCollection<Value>,
    policies: @escaping @Sendable (_ address: String?) -> Policy?,
    conflicts: ConflictPolicy<Value> = .parks,
    fetch: @escaping @Sendable (_ address: String?, Previous<Value>) async throws -> Fetched<Value>,
    push: (@Sendable (_ address: String?, PendingWrite<Value>) async throws -> Pushed<Value>)? = nil
  ) {
    register(
      collection,
      .bySource { [name = collection.name] address in
        guard var policy = policies(address)?.patient else { return nil }
        policy.route = SourceOrigin.name(policy: nil, address: address, collection: name)
        return policy
      }, batch: 1, conflicts: conflicts,
      fetch: { address, missing in
        var fetched: [String: Fetched<Value>] = [:]
        for previous in missing { fetched[previous.key] = try await fetch(address, previous) }
        return fetched
      }, push: push.map { .single($0) })
  }

  /// Follows a list of a collection from now on (`FreshStore.RecordCollection.follow(_:policy:fetch:)`).
  ///
  /// A list is followed when the policy's expiry has passed since it was last followed, and at most once a second.
  /// The store remembers that time across runs. A list is followed at once:
  ///
  /// - when it is restarted (`FreshStore.RecordCollection.restart(list:)`) or forgotten;
  /// - when the store is wiped;
  /// - when the program's content has a newer version than the one under which the list was last followed.
  ///
  /// The fetch of the collection fetches the members that have to be fetched one by one. The members' values are to
  /// come with their validators (`FreshStore.ListMember`).
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - fetch: Asks the source for the list, or for its changes.
  public func follow<Value>(
    _ list: String, of collection: RecordCollection<Value>, policy: Policy? = nil,
    fetch: @escaping @Sendable (PreviousList) async throws -> SourceListChange<Value>
  ) {
    let policy = policy ?? collection.policy
    registry.add(
      SyncedList(
        name: SyncedList.Name(collection: ExactName(collection.name), list: ExactName(list)),
        account: RunProgress.Account(
          collection: collection.name, origin: policy.origin?.name ?? collection.name),
        sourceState: { () throws(StoreError) in try collection.sourceState(policy: policy) },
        followsNetwork: policy.reachability == .ask,
        standing: { () throws(StoreError) in try collection.listStanding(list) },
        follow: {
          var end = JobEnd()
          do throws(GetError) {
            end.note(.success(try await collection.follow(list, policy: policy, fetch: fetch)))
          } catch {
            end.note(.failure(error))
          }
          return end
        }))
    noteChange()
  }

  /// Stops taking care of a collection and its lists; its work in flight goes on.
  public func remove(_ collection: String) {
    registry.remove(collection)
    noteChange()
  }

  private func register<Value>(
    _ collection: RecordCollection<Value>, _ policies: SyncedCollection.Policies, batch: Int,
    conflicts: ConflictPolicy<Value>,
    fetch:
      @escaping @Sendable (String?, [Previous<Value>]) async throws -> [String: Fetched<Value>],
    push: PushRequest<Value>?
  ) {
    let limits = PushLimits(
      attempts: options.maximumAttempts, age: options.maximumAge,
      slowestUpload: options.slowestUpload)
    var pushing: (@Sendable ([DueWrite], Policy) async -> JobEnd)?
    if let push {
      pushing = { writes, policy in
        await collection.pushed(
          writes, policy: policy, conflicts: conflicts, limits: limits, push: push)
      }
    }
    let batch = max(1, batch)
    let pushBatch = if case .batch? = push { batch } else { 1 }
    registry.add(
      SyncedCollection(
        name: collection.name, policies: policies, batch: batch,
        sourceState: { (policy) throws(StoreError) in try collection.sourceState(policy: policy) },
        refetch: { claims, policy in
          let address = claims.first?.address
          return await collection.refetched(claims, policy: policy) { try await fetch(address, $0) }
        }, push: pushing, pushBatch: pushBatch))
    store.noteReaders()
    noteChange()
  }
}

/// The request with which a source takes local writes.
private enum PushRequest<Value: Sendable>: Sendable {
  /// One write, with its address.
  case single(@Sendable (String?, PendingWrite<Value>) async throws -> Pushed<Value>)
  case batch(@Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>])
}

extension Policy {
  /// Without a soft timeout, as no caller waits here for a faster answer.
  fileprivate var patient: Policy {
    var policy = self
    policy.softTimeout = nil
    return policy
  }
}

extension RecordCollection {
  fileprivate func refetched(
    _ claims: [DueRecord], policy: Policy,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> JobEnd {
    let results = await refetch(claims, policy: policy, fetch: fetch)
    var end = JobEnd()
    for claim in claims { end.note(results[claim.key], claim) }
    do throws(StoreError) {
      try await store.putBack(end.unsettled)
    } catch {
      // The claims stay unreturned, and go back as soon as the store accepts them.
      end.note(error)
    }
    return end
  }

  /// Pushes one local write, or several in one request.
  fileprivate func pushed(
    _ writes: [DueWrite], policy: Policy, conflicts: ConflictPolicy<Value>,
    limits: PushLimits, push: PushRequest<Value>
  ) async -> JobEnd {
    let outcomes =
      switch push {
      case .single(let push):
        await self.push(writes, policy: policy, conflicts: conflicts, limits: limits) {
          [address = writes.first?.address] in try await push(address, $0)
        }
      case .batch(let push):
        await self.push(
          together: writes, policy: policy, conflicts: conflicts, limits: limits, push: push)
      }
    var end = JobEnd()
    for write in writes { end.note(outcomes[write.entry.id]) }
    return end
  }
}
