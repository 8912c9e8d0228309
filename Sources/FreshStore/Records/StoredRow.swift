/// A record as it was read, to be handed on without copying it.
package final class StoredRow: Sendable {
  package let record: StoredRecord

  init(_ record: StoredRecord) {
    self.record = record
  }
}
