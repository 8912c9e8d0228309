internal import Strategies

extension Store {
  /// Marks stale every record whose time is over, and turns marks by tag, prefix and collection
  /// into marks of their records, so that the refetch queue sees them.
  ///
  /// Asks the store's chain without reachability. Works in bounded transactions, so writers wait a
  /// few milliseconds at most; its cost follows the number of newly stale records, not the size of
  /// the table. Cancelling the task ends it between two batches; what is done stays done.
  public func sweep(_ options: SweepOptions = SweepOptions()) async throws(StoreError)
    -> SweepResult
  {
    await flushMarks()
    let sweeper = Sweeper(store: self, options: options)
    let result = try await sweeper.run()
    report(.swept(result))
    return result
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

  /// Reads the whole file: SQLite's own check of the structure, then the checksum of every record.
  /// Cost: a read of the file; writers go on.
  public func check() async throws(StoreError) -> CheckResult {
    // On a queue of its own: what writes must not wait for a read of the whole file.
    try await WorkQueue().run { [storage] () throws(StoreError) in
      var result = CheckResult(
        problems: try storage.structuralProblems(), damagedRecords: [], records: 0)
      var last = Int64.min
      while true {
        let records = try storage.wholeRecords(after: last, limit: 100)
        guard let end = records.last else { return result }
        last = end.row
        result.records += records.count
        result.damagedRecords += records.filter { !$0.isIntact }.map {
          "\($0.content.collection)/\($0.content.key)"
        }
      }
    }
  }
}

extension Gate {
  /// What the gate says of a record when nobody asks whether its source can be reached.
  func decideWithoutReachability(_ record: StoredRecord, now: ClockReading) -> Decision {
    var policy = Policy()
    policy.reachability = .ignore
    let question = Question(
      collection: record.content.collection, key: record.content.key, record: record,
      coveringMark: nil)
    return decide(question, policy: policy, now: now)
  }
}
