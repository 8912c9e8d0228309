/// How a host stands to its fleet.
package struct FleetStanding: Sendable {
  /// Why the host goes on alone; `nil` while the fleet is in reach, as far as is known.
  package let obstacle: SharedTierError?
  /// How often a call has failed since the store was opened, as the fleet was out of reach.
  package let failures: Int
  /// The number of the last mark that is applied here; `nil` before the first news.
  package let place: Int64?
  /// The marks that are still to be delivered.
  package let keptMarks: Int
  /// The marks that the fleet has refused since they were kept for it.
  package let refusedMarks: Int
}
