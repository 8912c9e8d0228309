/// What became of local writes that were to be handed out.
package struct ClaimedWrites: Sendable {
  /// Those that were.
  package let due: [DueWrite]
  /// Those that were parked instead, as their bytes changed on the disk.
  package let parked: [OutboxEntry]
}
