internal import FreshStore
internal import Strategies

/// A record in transit between two stores: everything that its freshness depends on, and nothing
/// that belongs to one file only, such as the failures of its fetches.
struct ExportedRecord: Sendable {
  var content: RecordContent
  var kind: StoredRecord.Kind
  var mark: Mark?
  var tags: [String]
  var isPinned: Bool

  struct Mark: Sendable {
    var at: Timestamp
    var reason: String
    /// False for a mark that only repeats a verdict.
    var isExplicit: Bool
  }
}

extension ExportedRecord {
  /// The exported form of a record, or of the known state of its source.
  ///
  /// - Parameter covering: The newest invalidation by tag, prefix or collection that covers it.
  init(
    _ record: StoredRecord, tags: [String], isPinned: Bool, covering: StoredRecord.Mark?,
    now: ClockReading
  ) {
    content = record.content
    content.lastUpdate = record.statedLastUpdate(at: now)
    kind = record.kind
    let own = record.mark
    let mark = own.flatMap { $0.epoch > 0 ? $0 : nil } ?? covering ?? own
    self.mark = mark.map { Mark(at: $0.at, reason: $0.reason, isExplicit: $0.epoch > 0) }
    self.tags = tags
    self.isPinned = isPinned
  }
}

extension StoredRecord {
  /// The last update for another machine: as stored, unless the wall clock was set since. The two
  /// clocks never agree to the millisecond, and an unchanged record must read the same every time.
  func statedLastUpdate(at now: ClockReading) -> Timestamp? {
    guard let written = content.lastUpdate, let today = lastUpdate(at: now) else { return nil }
    let step = today.duration(since: written)
    return (Duration.seconds(-1)...Duration.seconds(1)).contains(step) ? written : today
  }
}
