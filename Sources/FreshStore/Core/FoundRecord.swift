/// A record that was read from the file, and the gate's decision on it before its value was examined.
@usableFromInline
final class FoundRecord: Sendable {
  let row: StoredRow?
  @usableFromInline let decision: Decision
  /// The header of the log's index before the record was read.
  let header: LogHeader?
  /// The ``ValueBox`` of a value that was decoded from the same row; `nil` when it must be decoded.
  @usableFromInline let box: (any AnyObject & Sendable)?

  init(
    _ row: StoredRow?, _ decision: Decision, readUnder header: LogHeader?,
    box: (any AnyObject & Sendable)?
  ) {
    self.row = row
    self.decision = decision
    self.header = header
    self.box = box
  }

  var record: StoredRecord? { row?.record }

  /// Whether there is a value that may be examined.
  @usableFromInline var hasValue: Bool {
    switch decision.outcome {
    case .absent, .missing, .unusable: false
    case .fresh, .offline, .stale: row != nil
    }
  }

  /// The stored bytes of the value, the codec that wrote them, and the version of their layout.
  @usableFromInline var bytes: [UInt8] { row?.record.content.value ?? [] }
  @usableFromInline var codec: String { row?.record.content.codec ?? "" }
  @usableFromInline var version: Int64 { row?.record.content.contentVersion ?? 0 }
  @usableFromInline var origin: CopyOrigin? { row.flatMap { CopyOrigin($0.record) } }
}
