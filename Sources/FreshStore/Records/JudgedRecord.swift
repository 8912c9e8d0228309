public import Strategies

/// The part of a stored record that the gate reads.
/// A class, because every read passes it on and every decision keeps it.
final class JudgedRecord: Sendable {
  /// The number of the row. With another ``checksum`` it is another row.
  let row: Int64
  let checksum: Int64
  let kind: StoredRecord.Kind
  let isIntact: Bool
  let isPending: Bool
  let mustRevalidate: Bool
  let lastUpdate: Timestamp?
  let boot: Int64?
  let bootStamp: Int64?
  let expiry: Expiry
  let version: Int
  /// The fields that few records have; `nil` when this record has none of them.
  let rare: RareFields?

  init(
    row: Int64, checksum: Int64, kind: StoredRecord.Kind, isIntact: Bool, isPending: Bool,
    mustRevalidate: Bool, lastUpdate: Timestamp?, boot: Int64?, bootStamp: Int64?, expiry: Expiry,
    version: Int, rare: RareFields?
  ) {
    self.row = row
    self.checksum = checksum
    self.kind = kind
    self.isIntact = isIntact
    self.isPending = isPending
    self.mustRevalidate = mustRevalidate
    self.lastUpdate = lastUpdate
    self.boot = boot
    self.bootStamp = bootStamp
    self.expiry = expiry
    self.version = version
    self.rare = rare
  }

  /// The fields that the gate reads and that few records have.
  final class RareFields: Sendable {
    let hardEnd: Duration?
    let graceWhileRevalidating: Duration?
    let graceOnError: Duration?
    /// The time of the stale mark, which is the record's own or a covering invalidation.
    let markedAt: Timestamp?
    /// The reason for the stale mark.
    let mark: String?
    let failures: Int
    let failure: String?
    let nextAttempt: Timestamp?
    /// True when the source named ``nextAttempt``.
    let isPauseNamed: Bool

    @inline(__always)
    init?(_ record: StoredRecord, coveringMark: StoredRecord.Mark?) {
      guard
        record.content.hasDetails || record.isFailing || record.isCovered || record.mark != nil
          || record.failures != 0 || record.failure != nil || record.nextAttempt != nil
      else { return nil }
      hardEnd = record.content.hardEnd
      graceWhileRevalidating = record.content.graceWhileRevalidating
      graceOnError = record.content.graceOnError
      markedAt = (record.mark ?? coveringMark)?.at
      mark = record.invalidation(coveringReason: coveringMark?.reason)
      failures = Int(record.failures)
      failure = record.failure
      nextAttempt = record.nextAttempt
      isPauseNamed = record.isPauseNamed
    }
  }

  var hardEnd: Duration? { rare?.hardEnd }
  var graceWhileRevalidating: Duration? { rare?.graceWhileRevalidating }
  var graceOnError: Duration? { rare?.graceOnError }
  var markedAt: Timestamp? { rare?.markedAt }
  var mark: String? { rare?.mark }
  var failures: Int { rare?.failures ?? 0 }
  var failure: String? { rare?.failure }
  var nextAttempt: Timestamp? { rare?.nextAttempt }
  var isPauseNamed: Bool { rare?.isPauseNamed ?? false }

  /// The last update on today's wall clock: within one boot it follows the boot clock.
  func lastUpdate(at now: ClockReading) -> Timestamp? {
    Self.today(lastUpdate, boot: boot, bootStamp: bootStamp, now)
  }

  /// As ``lastUpdate(at:)``, from the columns of a row.
  static func today(
    _ lastUpdate: Timestamp?, boot: Int64?, bootStamp: Int64?, _ now: ClockReading
  ) -> Timestamp? {
    guard let lastUpdate else { return nil }
    guard let bootStamp, boot == now.boot, now.boot != 0 else { return lastUpdate }
    return now.wall.advanced(by: .milliseconds(bootStamp &- now.sinceBoot))
  }
}

extension JudgedRecord {
  /// - Parameter coveringMark: The invalidation that covers the record, when one does.
  @inline(__always)
  convenience init(_ record: StoredRecord, coveringMark: StoredRecord.Mark?) {
    self.init(
      row: record.row, checksum: record.checksum, kind: record.kind, isIntact: record.isIntact,
      isPending: record.isPending, mustRevalidate: record.content.mustRevalidate,
      lastUpdate: record.content.lastUpdate, boot: record.boot, bootStamp: record.bootStamp,
      expiry: record.content.expiry, version: Int(record.content.contentVersion),
      rare: RareFields(record, coveringMark: coveringMark))
  }
}

/// The facts about a stored record that a store's chain judges.
///
/// ``lastUpdate`` is on the current wall clock. Within one boot it is derived from the boot clock,
/// so a step of the wall clock changes no age.
public struct RecordStamps: Sendable, Hashable, Timestamped, Invalidatable, Versioned {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// When the record was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// How long the record is valid from ``lastUpdate``.
  public let expiry: Expiry
  /// The reason for the record's stale mark; `nil` when it is not marked.
  public let invalidation: String?
  /// The content version that the writer declared.
  public let version: Int

  /// Creates stamps.
  public init(
    collection: String, key: String, lastUpdate: Timestamp?, expiry: Expiry,
    invalidation: String? = nil, version: Int = 0
  ) {
    self.collection = collection
    self.key = key
    self.lastUpdate = lastUpdate
    self.expiry = expiry
    self.invalidation = invalidation
    self.version = version
  }
}

extension RecordStamps {
  init(_ collection: String, _ key: String, _ record: JudgedRecord, now: ClockReading) {
    self.init(
      collection: collection, key: key, lastUpdate: record.lastUpdate(at: now),
      expiry: record.expiry, invalidation: record.mark, version: record.version)
  }
}

extension StoredRecord {
  /// The reason why the record is stale whatever its age; `nil` when there is none.
  ///
  /// - Parameter coveringReason: The reason of the invalidation that covers the record.
  func invalidation(coveringReason: String?) -> String? {
    mark?.reason ?? (isCovered ? coveringReason ?? "invalidated" : nil)
  }
}
