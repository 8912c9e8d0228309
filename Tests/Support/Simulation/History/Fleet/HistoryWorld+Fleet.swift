import FreshStore
import FreshStoreTesting

/// The places of hosts among the marks of their fleet.
extension HistoryWorld {
  /// Notes the place of each host.
  func judgeFleet() throws {
    guard let fleet else { return }
    for host in 0..<setting.hosts {
      fleet.laws.judge(try FleetPlace(of: file(of: host)).position, of: host)
    }
  }

  /// A host that has not applied all marks, or has some that the others should have.
  func behind() throws -> String? {
    guard let fleet else { return nil }
    for host in 0..<setting.hosts {
      let place = try FleetPlace(of: file(of: host))
      if place.position != fleet.laws.end {
        return "host \(host) is at mark \(place.position?.number ?? 0) of "
          + "\(fleet.laws.end?.number ?? 0)"
      }
      if place.marksKept > 0 { return "host \(host) keeps \(place.marksKept) marks for the fleet" }
    }
    return nil
  }
}
