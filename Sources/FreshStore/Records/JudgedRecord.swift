internal import Strategies

/// The part of a stored record that the gate reads: small, and nearly all of it numbers, as every
/// read passes it on.
struct JudgedRecord: Sendable {
  var kind: StoredRecord.Kind
  var isIntact: Bool
  var isPending: Bool
  var mustRevalidate: Bool
  var lastUpdate: Timestamp?
  var boot: Int64?
  var bootStamp: Int64?
  var expiry: Expiry
  var hardEnd: Duration?
  var graceWhileRevalidating: Duration?
  var graceOnError: Duration?
  var version: Int
  /// The time and reason of the record's stale mark, its own or a covering invalidation's.
  var markedAt: Timestamp?
  var mark: String?
  var failures: Int
  var failure: String?
  var nextAttempt: Timestamp?
  /// True when the source named the moment.
  var isPauseNamed = false

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
  init(_ record: StoredRecord, coveringMark: StoredRecord.Mark?) {
    self.init(
      kind: record.kind,
      isIntact: record.isIntact,
      isPending: record.isPending,
      mustRevalidate: record.content.mustRevalidate,
      lastUpdate: record.content.lastUpdate,
      boot: record.boot,
      bootStamp: record.bootStamp,
      expiry: record.content.expiry,
      hardEnd: record.content.hardEnd,
      graceWhileRevalidating: record.content.graceWhileRevalidating,
      graceOnError: record.content.graceOnError,
      version: Int(record.content.contentVersion),
      markedAt: (record.mark ?? coveringMark)?.at,
      mark: record.invalidation(coveringReason: coveringMark?.reason),
      failures: Int(record.failures),
      failure: record.failure,
      nextAttempt: record.nextAttempt, isPauseNamed: record.isPauseNamed)
  }
}
