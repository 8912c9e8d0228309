internal import FreshStore
internal import Strategies

/// A record on its way from one store to another: everything on which its freshness rests, and
/// nothing that is only this file's own, such as the failures of its fetches.
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
  /// What is exported of a record, or of what its source is known to hold.
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
  /// The last update as another machine is to be told it: as it was written, unless the wall clock
  /// was set since. The two clocks never agree to the millisecond, and a record that did not change
  /// is to read the same every time.
  func statedLastUpdate(at now: ClockReading) -> Timestamp? {
    guard let written = content.lastUpdate, let today = lastUpdate(at: now) else { return nil }
    let step = today.duration(since: written)
    return (Duration.seconds(-1)...Duration.seconds(1)).contains(step) ? written : today
  }
}
