/// A record as read, passed on without copying it.
package final class StoredRow: Sendable {
  package let record: StoredRecord

  init(_ record: StoredRecord) {
    self.record = record
  }
}
