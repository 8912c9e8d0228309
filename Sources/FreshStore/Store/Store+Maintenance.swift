internal import Strategies

extension Store {
  /// Marks stale every record whose time is over, and turns marks by tag, prefix and collection
  /// into marks of their records, so that the refetch queue sees them.
  ///
  /// Asks the store's chain without reachability. Works in short transactions with pauses in between,
  /// so that writers wait a few milliseconds at most; its cost follows the number of newly stale
  /// records, not the size of the table. Cancelling the task ends it between two batches; what is
  /// done stays done, and the next sweep goes on from there, as it does after a crash.
  ///
  /// One sweep at a time: where another is under way, in any process, this fails with
  /// ``StoreError/Code/sweepUnderWay(_:)``, after ``SweepOptions/wait``.
  public func sweep(_ options: SweepOptions = SweepOptions()) async throws(StoreError)
    -> SweepResult
  {
    let numbers = [options.batchSize, options.limit ?? 1]
    let spans = [options.holdTime, options.timeLimit ?? .seconds(1)]
    guard numbers.allSatisfy({ $0 > 0 }), spans.allSatisfy({ $0 > .zero }) else {
      throw StoreError(
        .invalidArgument("the batch and the limits of a sweep must be positive"), .sweep,
        path: path)
    }
    let needsLock = options.lock == nil && !options.isDryRun
    let lock = needsLock ? try await lockSweeps(waiting: options.wait) : nil
    defer { lock?.release() }
    // What a sweep marks is stamped by what it reads.
    if !options.isDryRun { try await keepTime() }
    await flushMarks()
    let sweeper = Sweeper(store: self, options: options)
    let result = try await sweeper.run()
    if result.marked > 0, !options.isDryRun { queueSignal.wake() }
    report(.swept(result))
    return result
  }

  /// Takes the right to sweep this store, which one process at a time can have; for who does more
  /// under it than one sweep (``SweepOptions/lock``).
  ///
  /// Fails with ``StoreError/Code/sweepUnderWay(_:)`` when `duration` is over, or the task is
  /// cancelled, and somebody else still has it.
  public func lockSweeps(waiting duration: Duration = .zero) async throws(StoreError) -> SweepLock {
    guard configuration.access == .readWrite else {
      throw StoreError(.readOnly, .sweep, path: path)
    }
    let end = ContinuousClock.now + duration
    while true {
      do throws(StoreError) {
        return try SweepLock(database: path, since: now().wall)
      } catch {
        guard case .sweepUnderWay = error.code, ContinuousClock.now < end, !Task.isCancelled else {
          throw error
        }
        // Cancelled, the next look is the last one.
        try? await pause(for: min(end - .now, .milliseconds(50)))
      }
    }
  }

  /// How many records a sweep will look at because their expiry has passed, `limit` at most: what
  /// progress is measured by. Cost: a pass over those records.
  public func countExpired(limit: Int = .max) async throws(StoreError) -> Int {
    let now = now()
    return try await WorkQueue(taskClock: configuration.taskClock).run {
      [storage] () throws(StoreError) in
      try storage.countExpired(limit: limit, now: now)
    }
  }

  /// Removes records by age, count or bytes, and gives the space back to the file system. Pinned
  /// records and records with a pending write are never removed. At least one limit must be given.
  public func prune(_ options: PruneOptions) async throws(StoreError) -> PruneResult {
    let result = try await Pruner(store: self, options: options).run()
    if result.removed > 0, !options.isDryRun {
      hub.publish(Change(kind: .removed, collection: options.collection, key: nil))
    }
    report(.pruned(result))
    return result
  }

  /// Counts what the store holds, in one snapshot. Cost: one pass over the table.
  public func statistics() throws(StoreError) -> Statistics {
    try storage.statistics(now: now())
  }

  /// The collections that hold a record, in order of name. Cost: one look into an index for each.
  public func collectionNames() throws(StoreError) -> [String] {
    try storage.collectionNames()
  }

  /// Records in order of collection and key, without their values, with what the gate says of each,
  /// reachability left aside.
  ///
  /// - Parameters:
  ///   - after: The last record of the page before.
  ///   - limit: The longest page.
  public func list(
    collection: String? = nil, prefix: String = "", after: RecordSummary? = nil, limit: Int = 1000
  ) throws(StoreError) -> [RecordSummary] {
    let now = now()
    let page = Storage.ListPage(
      collection: collection, prefix: prefix, after: after.map { ($0.collection, $0.key) },
      limit: max(0, limit))
    return try storage.list(page).map { record in
      RecordSummary(
        collection: record.content.collection, key: record.content.key,
        size: Int(record.content.size), contentType: record.content.contentType,
        source: record.content.source, isPinned: record.isPinned, isPending: record.isPending,
        decision: gate.decideWithoutReachability(record, now: now))
    }
  }

  /// Reads the whole file: SQLite's own check of the structure, then the checksum of every record and
  /// every local write. Damage ends nothing: all of it is listed. Cost: a read of the file; writers go on.
  public func check() async throws(StoreError) -> CheckResult {
    // On a queue of its own: what writes must not wait for a read of the whole file.
    try await WorkQueue(taskClock: configuration.taskClock).run { [storage] () throws(StoreError) in
      try storage.check()
    }
  }
}

extension Gate {
  /// What the gate says of a record when nobody asks whether its source can be reached.
  func decideWithoutReachability(_ record: StoredRecord, now: ClockReading) -> Decision {
    var policy = Policy()
    policy.reachability = .ignore
    let question = Question(
      collection: record.content.collection, key: record.content.key,
      record: JudgedRecord(record, coveringMark: nil))
    return decide(question, policy: policy, now: now)
  }
}
