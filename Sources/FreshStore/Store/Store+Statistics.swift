internal import Strategies

extension Store {
  /// Counts pending work, up to ``QuickStatistics/limit``. Cost: reads of indexes and of the outbox, each bounded by
  /// the limit; a fraction of a millisecond where little waits.
  package func quickStatistics() throws(StoreError) -> QuickStatistics {
    try storage.quickStatistics(now: now())
  }

  /// Counts up to `limit` records after the row `row`.
  ///
  /// So a large store can be counted in many short reads, none of which delays a checkpoint. Marks by tag, prefix and
  /// collection count after a sweep has turned them into marks of their records.
  ///
  /// Cost: a read of those records without their values.
  package func countRecords(after row: Int64, limit: Int) throws(StoreError) -> RecordCounts {
    try storage.countRecords(after: row, limit: limit, now: now())
  }

  /// The number of expired records that a sweep will examine, at most `limit`, to measure its progress. Cost: a pass
  /// over those records.
  package func countExpired(limit: Int = .max) async throws(StoreError) -> Int {
    let now = now()
    return try await WorkQueue(taskClock: configuration.taskClock).run {
      [storage] () throws(StoreError) in
      try storage.countExpired(limit: limit, now: now)
    }
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
  /// each without reachability.
  ///
  /// A value whose bytes have changed on the disk is unusable, as it is to a read. The bytes of values longer than
  /// 64 KiB are not examined; ``check()`` examines them. Cost: a read of each page's records.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - tag: A tag that the records have; `nil` for all.
  ///   - after: The last record of the page before.
  ///   - limit: The most records; all of them unless it is stated. Each record has its place by its name, so that a
  ///     change between two pages moves no other record.
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

  /// As ``list(collection:prefix:tag:after:limit:)``, with more conditions.
  ///
  /// - Parameters:
  ///   - isFailing: True for only the records whose last fetch failed, records that were never fetched included.
  ///   - contentVersion: With it, a value of another content version is unusable.
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
