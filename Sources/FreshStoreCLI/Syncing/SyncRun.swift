#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshSync
  internal import Strategies
  internal import Synchronization

  /// Keeps the records of a store that come from URLs up to date, and sends the local writes that go to one.
  final class SyncRun: Sendable {
    let synchronizer: Synchronizer
    private let store: Store
    private let conflicts: ConflictPolicy<[UInt8]>?
    private let sources: OriginSources
    private let policies: SourcePolicies
    private let noteFailure: (@Sendable (_ key: String, any Error) -> Void)?
    private let registered = Mutex<Set<ExactName>>([])

    /// - Parameters:
    ///   - conflicts: `nil` to ignore the outbox.
    ///   - sources: They are closed after the one run.
    ///   - noteFailure: Called for each push that has failed, with the reason.
    init(
      _ store: Store, options: SyncOptions, conflicts: ConflictPolicy<[UInt8]>?,
      sources: OriginSources, noteFailure: (@Sendable (_ key: String, any Error) -> Void)? = nil
    ) throws(CommandFailure) {
      self.noteFailure = noteFailure
      self.store = store
      self.conflicts = conflicts
      self.sources = sources
      policies = try SourcePolicies(sources)
      synchronizer = Synchronizer(store, options: options)
    }

    /// Does all due work now, each item once.
    func drain() async throws -> SyncReport {
      try await sources.closing { [self] in
        try register()
        try await policies.lookUp(dueSources)
        return try await synchronizer.drain()
      }
    }

    /// Sends one local write now, whether it is parked or waits; `nil` when there is no such write.
    func send(_ write: LocalWriteVersions) async throws -> PushOutcome<[UInt8]>? {
      let (entry, address) = (write.entry, write.address)
      return try await sources.closing { [self] in
        guard let policy = policies.policy(of: address) else {
          throw CommandFailure(.usage, "the local write \(entry.id) names no address to send it to")
        }
        guard let due = try await store.claim(byHand: entry.id) else { return nil }
        let push = pushing(entry.collection)
        let collection = try store.bytes(entry.collection)
        let outcomes = await collection.push(
          // Somebody asks for it now: no pause of its origin holds it up.
          [due], policy: policy.askingNow, conflicts: conflicts ?? .parks,
          push: { try await push(address, $0) })
        return try outcomes[entry.id]?.get() ?? .superseded
      }
    }

    /// One source of each origin with due work.
    private func dueSources() async throws(StoreError) -> [String] {
      let records = try await store.queued(
        limit: SourcePolicies.mostOrigins, perOrigin: 1, origin: SourcePolicies.origin
      ).records
      let addresses = records.compactMap(\.address)
      guard conflicts != nil else { return addresses }
      let writes = try store.waitingWrites(
        limit: SourcePolicies.mostOrigins, perOrigin: 1, largeFrom: .max,
        origin: SourcePolicies.origin
      ).writes
      return addresses + writes.compactMap(\.address)
    }

    /// Works until the synchronizer is stopped, and sweeps at this interval; `nil` for no sweeps.
    func run(sweepEvery pause: Duration?) async throws {
      try await sources.closing { [self] in
        // The changes begin before the first look, so that later commits are reported.
        let changes = store.changes()
        try register()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await self.registerNew(changes) }
          if let pause { group.addTask { await self.sweep(every: pause) } }
          defer { group.cancelAll() }
          try await synchronizer.run()
        }
      }
    }

    /// Marks expired records, unless another process does.
    func sweep() async throws(StoreError) {
      do throws(StoreError) {
        var options = SweepOptions()
        options.lock = try await store.lockSweeps()
        defer { options.lock?.release() }
        _ = try await store.sweep(options)
      } catch {
        guard case .sweepUnderWay = error.code else { throw error }
      }
    }

    // MARK: Collections

    /// Registers every collection that exists.
    private func register() throws(StoreError) {
      for name in try store.collectionNames() {
        guard registered.withLock({ $0.insert(name) }) else { continue }
        synchronizer.add(
          try store.bytes(name), policies: { [policies] in policies.policy(of: $0) },
          conflicts: conflicts ?? .parks,
          fetch: { [sources] address, previous in
            try await sources.fetch(address ?? "", previous: previous)
          },
          push: conflicts == nil ? nil : pushing(name))
      }
    }

    private func pushing(
      _ name: String
    ) -> @Sendable (String?, PendingWrite<[UInt8]>) async throws -> Pushed<[UInt8]> {
      { [self] address, write in
        do {
          return try await push(write, of: name, to: address ?? "")
        } catch {
          // A cancelled push has not failed.
          if !Task.isCancelled { noteFailure?(write.key, error) }
          throw error
        }
      }
    }

    private func push(
      _ write: PendingWrite<[UInt8]>, of collection: String, to address: String
    ) async throws -> Pushed<[UInt8]> {
      let pushed = try await sources.push(write, to: address)
      switch pushed {
      case .accepted, .acceptedAs:
        try await noteChange(of: address, but: RecordID(collection, write.key))
      case .conflict, .refused: break
      }
      return pushed
    }

    /// Marks the copies of an address whose object a write has changed (RFC 9111 section 4.4).
    ///
    /// This comes before the write is settled, so that the write is sent again if the process ends here. The record
    /// of the write itself is left out.
    private func noteChange(of address: String, but own: RecordID) async throws(StoreError) {
      // A longer address is no key.
      guard address.utf8.count <= 1024 else { return }
      for collection in try store.collectionNames() where RecordID(collection, address) != own {
        try await store.bytes(collection).markStale(address, reason: "a write changed it")
      }
    }

    /// Registers new collections.
    private func registerNew(_ changes: AsyncStream<Change>) async throws {
      for await change in changes {
        // The changes that were dropped before this one are unknown.
        if change.missed == 0, let name = change.collection,
          registered.withLock({ $0.contains(name) })
        {
          continue
        }
        do throws(StoreError) {
          try register()
        } catch {
          // The next change of the collection tries again.
          Console.note("\(error)")
        }
      }
    }

    private func sweep(every pause: Duration) async {
      while !Task.isCancelled {
        do throws(StoreError) {
          try await sweep()
        } catch {
          Console.note("\(error)")
        }
        // A cancelled sleep ends the loop.
        try? await store.configuration.clock.sleep(for: pause)
      }
    }
  }
#endif
