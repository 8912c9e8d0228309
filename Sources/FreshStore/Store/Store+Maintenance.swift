internal import Strategies

extension Store {
  /// Marks every expired record stale, and turns marks by tag, prefix and collection into marks of their
  /// records, so that the refetch queue sees them.
  ///
  /// Uses the store's chain without reachability. Works in short transactions with pauses in between, so
  /// that writers wait a few milliseconds at most; the cost depends on the number of newly stale records,
  /// not on the size of the table. Cancelling the task ends it between two batches; completed batches
  /// stay, and the next sweep continues from there, as it does after a crash. Of the origins that have failed the
  /// thousand are remembered whose pauses end last.
  ///
  /// Then it removes the blocks of long values that no record has any more, and returns the space to the file system
  /// if there were any.
  ///
  /// One sweep at a time: while another is running, in any process, this fails with
  /// ``StoreError/Code/sweepUnderWay(_:)``, after ``SweepOptions/wait``.
  public func sweep(_ options: SweepOptions = SweepOptions()) async throws(StoreError)
    -> SweepResult
  {
    if let problem = options.numbers.problem {
      throw StoreError(.invalidArgument("a sweep's \(problem)"), .sweep, path: path)
    }
    let needsLock = options.lock == nil && !options.isDryRun
    let lock = needsLock ? try await lockSweeps(waiting: options.wait) : nil
    defer { lock?.release() }
    // The sweep stamps its marks with times that it reads.
    if !options.isDryRun { try await keepTime() }
    await flushMarks()
    let result = try await Sweeper(store: self, options: options).run()
    if result.marked > 0, !options.isDryRun { queueSignal.wake() }
    report(.swept(result))
    return result
  }

  /// Removes the blocks of long values that nobody reads any more, and returns the space to the file system: what a sweep
  /// does at its end, at once, for a disk that is full.
  ///
  /// - Parameter limit: The time after which the rest is left to the next sweep.
  package func collectContents(within limit: Duration) async throws(StoreError) {
    let (hold, end) = (SweepOptions().holdTime, ContinuousClock.now + limit)
    _ = try await ContentCollector(self, hold: hold, until: end).run()
    _ = try await FileShrinker(self, .sweep, hold: hold, until: end).run()
  }

  /// Takes the right to sweep this store, which one process at a time can hold; for callers that do
  /// more under it than one sweep (``SweepOptions/lock``).
  ///
  /// Fails with ``StoreError/Code/sweepUnderWay(_:)`` when `duration` is over, or the task is
  /// cancelled, and another owner still holds it.
  package func lockSweeps(waiting duration: Duration = .zero) async throws(StoreError) -> SweepLock
  {
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
        // After a cancellation, the next attempt is the last one.
        try? await pause(for: min(end - .now, .milliseconds(50)))
      }
    }
  }

  /// The number of expired records that a sweep will examine, `limit` at most: the base for
  /// measuring progress. Cost: a pass over those records.
  package func countExpired(limit: Int = .max) async throws(StoreError) -> Int {
    let now = now()
    return try await WorkQueue(taskClock: configuration.taskClock).run {
      [storage] () throws(StoreError) in
      try storage.countExpired(limit: limit, now: now)
    }
  }

  /// Removes records by age, count or bytes, and returns the space to the file system. Pinned
  /// records and records with a pending write are never removed. At least one limit must be given.
  public func prune(_ options: PruneOptions) async throws(StoreError) -> PruneResult {
    var pruner = Pruner(store: self, options: options)
    let result = try await pruner.run()
    report(.pruned(result))
    return result
  }

  /// Counts the store's content, in one snapshot. Cost: one pass over the table.
  public func statistics() throws(StoreError) -> Statistics {
    try storage.statistics(now: now())
  }

  /// The number of records that ``list(collection:prefix:tag:after:limit:)`` gives. Cost: a look at each.
  package func countRecords(
    collection: String?, prefix: String = "", tag: String? = nil
  ) throws(StoreError) -> Int {
    try storage.count(collection: collection, prefix: prefix, tag: tag)
  }

  /// The collections that hold a record, in order of name. Cost: one index look-up for each.
  package func collectionNames() throws(StoreError) -> [String] {
    try storage.collectionNames()
  }

  /// Records in order of collection and key, without their values, with the gate's decision on
  /// each, reachability left aside.
  ///
  /// A value whose bytes have changed on the disk is unusable, as it is to a read; those of values longer than
  /// 64 KiB are not looked at, which ``check()`` does. Cost: a read of each page's records.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - tag: A tag that the records have; `nil` for all.
  ///   - after: The last record of the page before.
  ///   - limit: The most records; all of them unless it is stated. Each has its place by its name, so that what
  ///     changes meanwhile moves no other.
  public func list(
    collection: String? = nil, prefix: String = "", tag: String? = nil,
    after: RecordSummary? = nil, limit: Int = .max
  ) throws(StoreError) -> [RecordSummary] {
    try Paging.all(limit, after: after, id: Optional.some) { (last, count) throws(StoreError) in
      try list(
        collection: collection, prefix: prefix, tag: tag, isFailing: false, after: last,
        limit: count)
    }
  }

  /// As ``list(collection:prefix:tag:after:limit:)``; of `isFailing` only records whose last fetch failed, those
  /// that were never fetched included. With a content version a value of another one is unusable.
  package func list(
    collection: String?, prefix: String, tag: String?, isFailing: Bool, after: RecordSummary?,
    limit: Int, contentVersion: Int64? = nil
  ) throws(StoreError) -> [RecordSummary] {
    let now = now()
    return try Paging.all(limit, after: after, id: Optional.some) {
      (last, count) throws(StoreError) in
      let page = Storage.ListPage(
        collection: collection, prefix: prefix, tag: tag, isFailing: isFailing,
        after: last.map { ($0.collection, $0.key) }, limit: count)
      return try storage.list(page).map { summary(of: $0, contentVersion, now) }
    }
  }

  private func summary(
    of listed: Storage.ListedRecord, _ contentVersion: Int64?, _ now: ClockReading
  ) -> RecordSummary {
    let record = listed.record
    var decision = gate.decideWithoutReachability(record, now: now)
    if let contentVersion, record.kind == .value, record.isIntact,
      record.content.contentVersion != contentVersion
    {
      decision = decision.settled(
        .unusable,
        .otherVersion(
          found: Int(record.content.contentVersion), required: Int(contentVersion)))
    }
    return RecordSummary(
      collection: record.content.collection, key: record.content.key,
      size: Int(record.content.size), contentType: record.content.contentType,
      source: record.content.source, tags: listed.tags, isPinned: record.isPinned,
      isPending: record.isPending, decision: decision)
  }

  /// Reads the whole file: SQLite's own check of the structure, then the checksum of every record and
  /// every local write. Damage does not stop the check: all of it is listed. Cost: a read of the file;
  /// writers continue.
  public func check() async throws(StoreError) -> CheckResult {
    // On a queue of its own: writes must not wait for a read of the whole file.
    try await WorkQueue(taskClock: configuration.taskClock).run { [storage] () throws(StoreError) in
      try storage.check()
    }
  }
}

extension Store {
  /// Moves the file aside where its structure is damaged, as a read does that meets the damage; true when it was.
  package func replaceIfDamaged() async throws(StoreError) -> Bool {
    try await queue.run { [storage] () throws(StoreError) in
      try storage.database.replaceIfDamaged()
    }
  }
}

extension Gate {
  /// The gate's decision on a record without the reachability of its source.
  func decideWithoutReachability(_ record: StoredRecord, now: ClockReading) -> Decision {
    let question = Question(
      collection: record.content.collection, key: record.content.key,
      record: JudgedRecord(record, coveringMark: nil))
    return decide(question, policy: Self.ignoringReachability, now: now)
  }

  /// Made once, as a sweep decides on every candidate.
  private static let ignoringReachability: SharedPolicy = {
    var policy = Policy()
    policy.reachability = .ignore
    return SharedPolicy(policy)
  }()
}
