/// A record in memory.
@usableFromInline
final class ResidentRecord: Sendable {
  let key: String
  let kind: ResidentKind
  /// The record, without its bytes.
  let record: StoredRecord
  /// What the gate looks at of it.
  let judged: JudgedRecord
  /// A ``ValueBox`` of the type that its kind stands for.
  @usableFromInline let box: any AnyObject & Sendable
  @usableFromInline let origin: CopyOrigin
  /// True when equal texts have equal bytes.
  private let isASCII: Bool

  init(_ record: StoredRecord, _ kind: ResidentKind, box: any AnyObject & Sendable) {
    key = record.content.key
    self.kind = kind
    self.record = record
    self.box = box
    judged = JudgedRecord(record, coveringMark: nil)
    origin = CopyOrigin(record)
    isASCII = record.content.key.utf8.allSatisfy { $0 < 0x80 }
  }

  /// True when its key has the same bytes.
  func isNamed(_ key: String) -> Bool {
    self.key == key && (isASCII || self.key.utf8.elementsEqual(key.utf8))
  }
}
