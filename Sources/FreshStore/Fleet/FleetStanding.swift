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

extension Store {
  /// The standing of this host; `nil` for one that belongs to no fleet. It asks nobody. Cost: two SELECTs.
  package func fleetStanding() throws(StoreError) -> FleetStanding? {
    guard let fleet else { return nil }
    let (kept, refused) = try storage.countMarksForFleet()
    return FleetStanding(
      obstacle: fleet.obstacle, failures: fleet.outages,
      place: try storage.fleetPlace()?.position.number, keptMarks: kept, refusedMarks: refused)
  }
}
