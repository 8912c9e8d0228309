internal import Strategies

/// A row of the table `record`, as it was read in one snapshot.
struct StoredRecord: Sendable {
  /// What the row stands for.
  enum Kind: Int64 {
    /// A value.
    case value = 0
    /// The source says the object does not exist.
    case absent = 1
    /// Never fetched with success; keeps the failure state.
    case unfetched = 2
  }

  /// A stale mark.
  struct Mark {
    var at: Timestamp
    var reason: String
    /// The place of an explicit mark in the order of invalidations; 0 for a mark that only repeats
    /// a verdict.
    var epoch: Int64
  }

  var row: Int64 = 0
  var content: RecordContent
  var kind: Kind
  /// Invalidations with a higher number cover the row.
  var epoch: Int64
  /// The boot in which ``bootStamp`` was taken; `nil` where the machine has no boot clock.
  var boot: Int64?
  /// `lastUpdate` on the boot clock.
  var bootStamp: Int64?
  var mark: Mark?
  /// The highest number of an invalidation by collection, prefix or tag that covers the key.
  var coveringEpoch: Int64 = 0
  var isTagged = false
  /// True when the last fetch failed: what is known of that stands in a table of its own.
  var isFailing = false
  var failures: Int64 = 0
  var nextAttempt: Timestamp?
  /// True when the source has named ``nextAttempt``.
  var isPauseNamed = false
  var failure: String?
  var isPending = false
  var isPinned = false
  /// Flags that this version does not set: damage, as the checksum tells.
  var unknownFlags: Int64 = 0
  var contentChecksum: Int64 = 0
  /// The row's checksum, as the file has it.
  var checksum: Int64 = 0
  /// False when the row's checksum does not match the row: some bit of it changed on the disk.
  var isIntact = true

  /// Tells a row from one that was put in its place; of two that were put one after the other, with no
  /// question or mark in between, only by their bytes.
  struct Edition: Hashable {
    let epoch: Int64
    let kind: Kind
    let contentChecksum: Int64
  }

  var edition: Edition { Edition(epoch: epoch, kind: kind, contentChecksum: contentChecksum) }

  /// A row about to be written.
  init(content: RecordContent, kind: Kind, epoch: Int64) {
    self.content = content
    self.kind = kind
    self.epoch = epoch
  }

  /// When the record's expiry is reached, on the wall clock of its last update.
  var deadline: Timestamp? {
    guard let lastUpdate = content.lastUpdate, let expiry = content.expiry.stored, expiry >= 0
    else { return nil }
    return lastUpdate.advanced(by: .milliseconds(expiry))
  }

  /// True when an invalidation by collection, prefix or tag covers the row.
  var isCovered: Bool { coveringEpoch > epoch }

  /// The last update on today's wall clock: within one boot it follows the boot clock.
  func lastUpdate(at now: ClockReading) -> Timestamp? {
    JudgedRecord.today(content.lastUpdate, boot: boot, bootStamp: bootStamp, now)
  }

  /// The latest that a moment after the last update may be on today's wall clock, which may have been set
  /// ahead since.
  func latest(_ moment: Timestamp, at now: ClockReading) -> Timestamp {
    guard let then = content.lastUpdate, let today = lastUpdate(at: now) else { return moment }
    return moment.advanced(by: max(.zero, today.duration(since: then)))
  }
}
