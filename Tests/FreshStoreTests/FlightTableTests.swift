import Synchronization
import Testing

@testable import FreshStore

/// Who may join a flight that is under way: one row of numbers tells marks and leases apart by age.
@Suite struct FlightTableTests {
  @Test(arguments: [
    // The mark the flight was opened with, its lease (0 for none yet), the mark the caller knows.
    (opened: Int64(5), lease: Int64(0), known: Int64(5), joins: true),
    (opened: 5, lease: 0, known: 4, joins: true),
    (opened: 5, lease: 0, known: 6, joins: false),
    (opened: 5, lease: 7, known: 6, joins: true),
    (opened: 5, lease: 7, known: 7, joins: false),
    (opened: 5, lease: 7, known: 8, joins: false),
  ])
  func `a flight is joined by those who know of no newer mark than it does`(
    opened: Int64, lease: Int64, known: Int64, joins: Bool
  ) throws {
    let table = FlightTable<Int>()
    let flight = try #require(table.board([("key", opened)], isBackground: false).started?.flight)
    flight.fence.store(lease, ordering: .relaxed)

    let boarding = table.board([("key", known)], isBackground: false)

    #expect((boarding.joined["key"] === flight) == joins)
    #expect((boarding.started == nil) == joins)
  }
}
