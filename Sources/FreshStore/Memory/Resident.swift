/// A record in memory, as a slot of a shard.
///
/// Only records that are intact, unmarked and without a pending write are resident.
struct Resident: Sendable {
  let key: String
  /// What the gate reads of it; `nil` in a free slot.
  let judged: JudgedRecord?
  /// A ``ValueBox`` of its kind's type.
  let box: any AnyObject & Sendable
  let origin: CopyOrigin?
  /// The number of its ``ResidentKind``, and of its collection.
  let kind: UInt32
  let collection: UInt32
  /// The generation of the shard in which it was current.
  var generation: UInt32 = 0
  /// True when equal texts have equal bytes.
  private let isASCII: Bool

  init(_ row: StoredRow, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    key = row.record.content.key
    judged = JudgedRecord(row.record, coveringMark: nil)
    self.box = box
    origin = CopyOrigin(row.record)
    self.kind = kind.number
    collection = kind.collection
    isASCII = key.utf8.allSatisfy { $0 < 0x80 }
  }

  /// A free slot.
  init(vacant box: any AnyObject & Sendable) {
    (key, judged, self.box, origin, isASCII) = ("", nil, box, nil, true)
    (kind, collection) = (.max, .max)
  }

  /// True when its key has the same bytes.
  @inline(__always)
  func isNamed(_ key: String) -> Bool {
    self.key == key && (isASCII || self.key.utf8.elementsEqual(key.utf8))
  }
}
