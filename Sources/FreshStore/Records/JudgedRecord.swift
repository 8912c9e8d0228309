internal import Strategies

/// The part of a stored record that the gate reads, and that memory keeps: a reference, as every read and
/// every decision hands it on.
final class JudgedRecord: Sendable {
  /// The row, and its checksum: a row with another checksum is another row.
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
  let hardEnd: Duration?
  let graceWhileRevalidating: Duration?
  let graceOnError: Duration?
  let version: Int
  /// The time and reason of the record's stale mark, its own or a covering invalidation's.
  let markedAt: Timestamp?
  let mark: String?
  let failures: Int
  let failure: String?
  let nextAttempt: Timestamp?
  /// True when the source named the moment.
  let isPauseNamed: Bool

  /// - Parameter coveringMark: The invalidation that covers the record, when one does.
  @inline(__always)
  init(_ record: StoredRecord, coveringMark: StoredRecord.Mark?) {
    let content = record.content
    row = record.row
    checksum = record.checksum
    kind = record.kind
    isIntact = record.isIntact
    isPending = record.isPending
    mustRevalidate = content.mustRevalidate
    lastUpdate = content.lastUpdate
    boot = record.boot
    bootStamp = record.bootStamp
    expiry = content.expiry
    hardEnd = content.hardEnd
    graceWhileRevalidating = content.graceWhileRevalidating
    graceOnError = content.graceOnError
    version = Int(content.contentVersion)
    markedAt = (record.mark ?? coveringMark)?.at
    mark = record.invalidation(coveringReason: coveringMark?.reason)
    failures = Int(record.failures)
    failure = record.failure
    nextAttempt = record.nextAttempt
    isPauseNamed = record.isPauseNamed
  }

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

  /// Whether its age by the boot clock makes it fresh, and nothing else stated of it could contradict. False
  /// where more must be looked at, as where the wall clock has to tell the age.
  @inline(__always)
  func isFresh(at now: BootTime, allowedSkew: Int64) -> Bool {
    guard kind == .value, let bootStamp, boot == now.boot, now.boot != 0, lastUpdate != nil,
      hardEnd == nil
    else { return false }
    let (age, overflows) = now.milliseconds.subtractingReportingOverflow(bootStamp)
    guard !overflows, age >= -allowedSkew else { return false }
    return expiry.opinion(ofAge: .milliseconds(max(0, age))).verdict == .valid
  }
}
