internal import Strategies

/// A record in memory, as a slot of a shard. The fields that the gate reads of nearly every record are in place,
/// the rest behind a reference.
///
/// Only records that are intact, unmarked and without a pending write are resident.
struct Resident: Sendable {
  /// Represents no number.
  private static let none = Int64.min

  let key: String
  /// A ``ValueBox`` of its kind's type.
  let box: any AnyObject & Sendable
  /// Rare fields; `nil` when this record has none.
  let details: Details?
  /// The number of its ``ResidentKind``, and of its collection.
  let kind: UInt32
  let collection: UInt32
  /// The generation of the shard in which it was current.
  var generation: UInt32 = 0
  /// False when the source reported that the object does not exist.
  let hasValue: Bool
  private let mustRevalidate: Bool
  /// True when equal texts have equal bytes.
  private let isASCII: Bool
  private let lastUpdate: Int64
  private let boot: Int64
  private let bootStamp: Int64
  /// As in the file; ``none`` for unstated.
  private let expiry: Int64
  private let row: Int64
  /// The row's checksum: a row with another checksum is another row.
  let checksum: Int64

  /// Rare fields of records in memory.
  final class Details: Sendable {
    let origin: CopyOrigin?
    let judged: JudgedRecord.RareFields?

    init?(_ row: StoredRow) {
      origin = CopyOrigin(row.record)
      judged = JudgedRecord.RareFields(row.record, coveringMark: nil)
      if origin == nil, judged == nil { return nil }
    }
  }

  init(_ row: StoredRow, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    key = row.record.content.key
    self.box = box
    details = Details(row)
    self.kind = kind.number
    collection = kind.collection
    lastUpdate = row.record.content.lastUpdate?.millisecondsSinceEpoch ?? Self.none
    boot = row.record.boot ?? 0
    bootStamp = row.record.bootStamp ?? Self.none
    expiry = row.record.content.expiry.stored ?? Self.none
    self.row = row.record.row
    checksum = row.record.checksum
    hasValue = row.record.kind == .value
    mustRevalidate = row.record.content.mustRevalidate
    isASCII = key.utf8.allSatisfy { $0 < 0x80 }
  }

  /// A free slot.
  init(vacant box: any AnyObject & Sendable) {
    (key, self.box, details, isASCII) = ("", box, nil, true)
    (kind, collection) = (.max, .max)
    (lastUpdate, boot, bootStamp, expiry) = (Self.none, 0, Self.none, Self.none)
    (row, checksum, hasValue, mustRevalidate) = (0, 0, false, false)
  }

  /// True when its key has the same bytes.
  @inline(__always)
  func isNamed(_ key: String) -> Bool {
    self.key == key && (isASCII || self.key.utf8.elementsEqual(key.utf8))
  }

  /// The record as the gate reads it.
  func judged(version: Int) -> JudgedRecord {
    JudgedRecord(
      row: row, checksum: checksum, kind: hasValue ? .value : .absent, isIntact: true,
      isPending: false, mustRevalidate: mustRevalidate,
      lastUpdate: lastUpdate == Self.none ? nil : Timestamp(millisecondsSinceEpoch: lastUpdate),
      boot: boot, bootStamp: bootStamp == Self.none ? nil : bootStamp,
      expiry: Expiry(stored: expiry == Self.none ? nil : expiry), version: version,
      rare: details?.judged)
  }

  /// Whether its age by the boot clock makes it fresh, and none of its other fields could contradict. False where
  /// more must be looked at, for example where the wall clock has to tell the age.
  @inline(__always)
  func isFresh(at now: BootTime, allowedSkew: Int64) -> Bool {
    guard hasValue, boot == now.boot, boot != 0, bootStamp != Self.none, lastUpdate != Self.none,
      details?.judged?.hardEnd == nil
    else { return false }
    let (age, overflows) = now.milliseconds.subtractingReportingOverflow(bootStamp)
    guard !overflows, age >= -allowedSkew else { return false }
    // As ``Expiry/opinion(ofAge:isInclusive:)`` has it, at a tenth of the cost: a test compares them.
    return expiry == -1 || (expiry > 0 && age < expiry)
  }
}

/// The properties shared by the residents of one collection with the same type and codec. Two uses
/// of a collection share residents when they have the same kind, identified by its number.
@usableFromInline
final class ResidentKind: Sendable {
  let number: UInt32
  /// The collection's name, and its number.
  let name: String
  let collection: UInt32
  let contentVersion: Int64

  init(number: UInt32, name: String, collection: UInt32, contentVersion: Int64) {
    self.number = number
    self.name = name
    self.collection = collection
    self.contentVersion = contentVersion
  }
}

/// A decoded value.
@usableFromInline
final class ValueBox<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}

/// A record in memory, and the gate's decision on it.
@usableFromInline
struct MemoryHit: Sendable {
  /// A ``ValueBox``, if it has a value.
  @usableFromInline let box: any AnyObject & Sendable
  @usableFromInline let origin: CopyOrigin?
  @usableFromInline let decision: Decision

  /// False when the source reported that the object does not exist.
  @usableFromInline let hasValue: Bool
}
