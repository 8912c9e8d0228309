/// Local writes that no owner is pushing.
package struct UnsentWrites: Sendable {
  /// The first write of each key that is not parked, whether it may be pushed now or later.
  package var first: [OutboxEntry.ID] = []
  /// The number that waits behind a parked one.
  package var behindParked = 0
}
