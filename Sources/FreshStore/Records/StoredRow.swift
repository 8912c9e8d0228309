/// A record as it was read, to be handed on without copying it.
final class StoredRow: Sendable {
  let record: StoredRecord

  init(_ record: StoredRecord) {
    self.record = record
  }
}
