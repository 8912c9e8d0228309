extension Store {
  /// Counts pending work, up to ``QuickStatistics/limit``.
  ///
  /// Cost: reads of indexes and of the outbox, each bounded by the limit; a fraction of a
  /// millisecond where little waits.
  package func quickStatistics() throws(StoreError) -> QuickStatistics {
    try storage.quickStatistics(now: now())
  }

  /// Counts up to `limit` records after the row `row`, so that a large store can be counted in many
  /// short reads, none of which delays a checkpoint. Marks by tag, prefix and collection count once
  /// a sweep has turned them into marks of their records.
  ///
  /// Cost: a read of those records without their values.
  package func countRecords(after row: Int64, limit: Int) throws(StoreError) -> RecordCounts {
    try storage.countRecords(after: row, limit: limit, now: now())
  }
}
