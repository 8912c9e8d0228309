internal import Strategies

/// A record in memory, as a slot of a shard: the fields that the gate reads of nearly every record
/// are in place, the rest behind a reference.
///
/// Only records that are intact, unmarked and without a pending write are resident.
struct Resident: Sendable {
  /// Represents no number.
  static let none = Int64.min

  var key: String
  /// A ``ValueBox`` of its kind's type.
  var box: any AnyObject & Sendable
  /// Rare fields; `nil` when this record has none.
  var details: ResidentDetails?
  /// The number of its ``ResidentKind``, and of its collection.
  var kind: UInt32
  var collection: UInt32
  /// The generation of the shard in which it was current.
  var generation: UInt32 = 0
  /// False when the source reported that the object does not exist.
  let hasValue: Bool
  let mustRevalidate: Bool
  /// True when equal texts have equal bytes.
  private let isASCII: Bool
  var lastUpdate: Int64
  var boot: Int64
  var bootStamp: Int64
  /// As in the file; ``none`` for unstated.
  var expiry: Int64
  var row: Int64
  /// The row's checksum: a row with another checksum is another row.
  var checksum: Int64

  init(_ record: StoredRecord, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    let content = record.content
    key = content.key
    self.box = box
    details = ResidentDetails(record)
    self.kind = kind.number
    collection = kind.collection
    lastUpdate = content.lastUpdate?.millisecondsSinceEpoch ?? Self.none
    boot = record.boot ?? 0
    bootStamp = record.bootStamp ?? Self.none
    expiry = content.expiry.stored ?? Self.none
    row = record.row
    checksum = record.checksum
    hasValue = record.kind == .value
    mustRevalidate = content.mustRevalidate
    isASCII = content.key.utf8.allSatisfy { $0 < 0x80 }
  }

  /// A free slot.
  init(vacant box: any AnyObject & Sendable) {
    (key, self.box, isASCII) = ("", box, true)
    (kind, collection) = (.max, .max)
    (lastUpdate, boot, bootStamp, expiry) = (Self.none, 0, Self.none, Self.none)
    (row, checksum, hasValue, mustRevalidate) = (0, 0, false, false)
  }

  /// True when its key has the same bytes.
  @inline(__always)
  func isNamed(_ key: String) -> Bool {
    self.key == key && (isASCII || self.key.utf8.elementsEqual(key.utf8))
  }

  /// Whether its age alone, by the boot clock, makes it fresh: nothing else stated of it could
  /// contradict. The gate judges all other records.
  @inline(__always)
  func isFresh(at now: BootTime, allowedSkew: Int64) -> Bool {
    guard hasValue, boot == now.boot, boot != 0, bootStamp != Self.none, lastUpdate != Self.none
    else { return false }
    let (age, overflows) = now.milliseconds.subtractingReportingOverflow(bootStamp)
    guard !overflows, age >= -allowedSkew, expiry == -1 || (expiry > 0 && age < expiry) else {
      return false
    }
    return details?.hardEnd == nil
  }
}

extension JudgedRecord {
  /// The gate's view of a record in memory.
  init(_ resident: Resident, contentVersion: Int) {
    let details = resident.details
    self.init(
      kind: resident.hasValue ? .value : .absent, isIntact: true, isPending: false,
      mustRevalidate: resident.mustRevalidate,
      lastUpdate: resident.lastUpdate == Resident.none
        ? nil : Timestamp(millisecondsSinceEpoch: resident.lastUpdate),
      boot: resident.boot,
      bootStamp: resident.bootStamp == Resident.none ? nil : resident.bootStamp,
      expiry: Expiry(stored: resident.expiry == Resident.none ? nil : resident.expiry),
      hardEnd: details?.hardEnd, graceWhileRevalidating: details?.graceWhileRevalidating,
      graceOnError: details?.graceOnError, version: contentVersion, markedAt: nil, mark: nil,
      failures: details?.failures ?? 0, failure: details?.failure,
      nextAttempt: details?.nextAttempt, isPauseNamed: details?.isPauseNamed ?? false)
  }
}
