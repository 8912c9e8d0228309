/// The outcome of a request to hand out local writes.
package struct ClaimedWrites: Sendable {
  /// The writes handed out.
  package let due: [DueWrite]
  /// The writes parked instead, as their bytes changed on the disk.
  package let parked: [OutboxEntry]
}
