package import Strategies

/// A row of the table `record`, read in one snapshot.
package struct StoredRecord: Sendable {
  /// The meaning of the row.
  package enum Kind: Int64 {
    /// A value.
    case value = 0
    /// The source says the object does not exist.
    case absent = 1
    /// No fetch has succeeded yet. The row keeps the failures.
    case unfetched = 2
  }

  /// A stale mark.
  package struct Mark {
    package var at: Timestamp
    package var reason: String
    /// The position of an explicit mark in the order of invalidations; 0 for a mark that only repeats a verdict.
    package var epoch: Int64

    package init(at: Timestamp, reason: String, epoch: Int64) {
      (self.at, self.reason, self.epoch) = (at, reason, epoch)
    }
  }

  package var row: Int64 = 0
  package var content: RecordContent
  package var kind: Kind
  /// Invalidations with a higher number cover the row.
  package var epoch: Int64
  /// The boot in which ``bootStamp`` was taken; `nil` where the machine has no boot clock.
  package var boot: Int64?
  /// `lastUpdate` on the boot clock.
  var bootStamp: Int64?
  package var mark: Mark?
  /// The highest number of an invalidation by collection, prefix or tag that covers the key.
  package var coveringEpoch: Int64 = 0
  package var isTagged = false
  /// True when the last fetch failed. The failures are in a table of their own.
  package var isFailing = false
  package var failures: Int64 = 0
  package var nextAttempt: Timestamp?
  /// True when the source named ``nextAttempt``.
  var isPauseNamed = false
  package var failure: String?
  package var isPending = false
  package var isPinned = false
  /// Flags that this version does not set. They are damage, as the checksum shows.
  var unknownFlags: Int64 = 0
  var contentChecksum: Int64 = 0
  /// The row's checksum in the file.
  package var checksum: Int64 = 0
  /// False when the row's checksum does not match the row: a bit of the row changed on the disk.
  package var isIntact = true

  /// Distinguishes a row from its replacement.
  /// Two consecutive puts, with no request or mark in between, differ only by their bytes.
  struct Edition: Hashable {
    let epoch: Int64
    let kind: Kind
    let contentChecksum: Int64
  }

  var edition: Edition { Edition(epoch: epoch, kind: kind, contentChecksum: contentChecksum) }

  init(content: RecordContent, kind: Kind, epoch: Int64) {
    self.content = content
    self.kind = kind
    self.epoch = epoch
  }

  /// The expiry of the record, on the wall clock of its last update.
  package var deadline: Timestamp? {
    guard let lastUpdate = content.lastUpdate, let expiry = content.expiry.stored, expiry >= 0
    else { return nil }
    return lastUpdate.advanced(by: .milliseconds(expiry))
  }

  /// True when an invalidation by collection, prefix or tag covers the row.
  package var isCovered: Bool { coveringEpoch > epoch }

  /// The last update on today's wall clock: within one boot it follows the boot clock.
  package func lastUpdate(at now: ClockReading) -> Timestamp? {
    JudgedRecord.today(content.lastUpdate, boot: boot, bootStamp: bootStamp, now)
  }

  /// The latest time that a moment after the last update may be on today's wall clock. The wall clock may have been set
  /// forward since.
  package func latest(_ moment: Timestamp, at now: ClockReading) -> Timestamp {
    guard let then = content.lastUpdate, let today = lastUpdate(at: now) else { return moment }
    return moment.advanced(by: max(.zero, today.duration(since: then)))
  }
}

/// A record as read. A class, so that it is passed on without a copy.
package final class StoredRow: Sendable {
  package let record: StoredRecord

  init(_ record: StoredRecord) {
    self.record = record
  }
}

/// A lease: one owner may fetch one key until a deadline.
///
/// The fence grows with every lease and every invalidation. When the lease was taken over, or the record was put or
/// removed meanwhile, the owner finds its fence gone and stores nothing. The fence also tells which invalidations came
/// after the fetch began.
struct Lease: Sendable, Hashable {
  let collection: String
  let key: String
  let owner: String
  let fence: Int64
}

/// A record from the refetch queue, with a lease to fetch it.
package struct DueRecord: Sendable {
  package let collection: String
  package let key: String
  /// The source's URL or label.
  package let source: String?
  /// The full address to ask; ``source`` when no other is known. It may contain secrets.
  package let address: String?
  /// The time at which the record expired; `nil` when it has no expiry.
  package let deadline: Timestamp?
  /// Failed fetches since the last success.
  package let failures: Int
  let lease: Lease
  let row: Int64
  /// The record's former place in the queue.
  let queuedAt: Timestamp
  /// The record's place in the queue while it is handed out.
  let comesUpAgain: Timestamp
}
