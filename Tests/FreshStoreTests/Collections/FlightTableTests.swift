import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The callers that may join a running flight: one row of numbers orders marks and leases by age.
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
  func `a caller joins a flight unless it knows of a newer mark`(
    opened: Int64, lease: Int64, known: Int64, joins: Bool
  ) throws {
    let table = FlightTable<Int>()
    let flight = try #require(
      table.assign([request(opened)], isBackground: false, by: Policy()).started?.flight)
    flight.fence.store(lease, ordering: .relaxed)

    let assignment = table.assign([request(known)], isBackground: false, by: Policy())

    #expect((assignment.joined["key"]?.flight === flight) == joins)
    #expect((assignment.started == nil) == joins)
  }

  @Test func `a closed flight cannot be joined, and the others continue`() throws {
    let table = FlightTable<Int>()
    let other = FlightTable<Int>.Request(key: "other", newest: 0, look: nil)
    let flight = try #require(
      table.assign([request(0), other], isBackground: false, by: Policy()).started?.flight)
    table.close { $0 == "key" }
    let assignment = table.assign([request(0), other], isBackground: false, by: Policy())
    #expect(assignment.joined["key"] == nil && assignment.started != nil)
    #expect(assignment.joined["other"]?.flight === flight)
  }

  /// A header that counts this many commits.
  private func header(_ changes: UInt64) -> LogHeader { LogHeader((0, changes, 0, 0, 0, 0)) }

  private func look(under changes: UInt64) -> EmptyLook {
    let gate = Gate(Configuration(reachability: .fixed(.online)))
    let decision = gate.decide(
      Gate.Question(collection: "values", key: "key"), policy: Policy(),
      now: SystemClock().reading())
    return EmptyLook(header: header(changes), decision: decision)
  }

  @Test(arguments: [
    // The last look that found nothing, the header now.
    (looked: UInt64?.some(1), now: UInt64(1), joins: true), (1, 2, false), (nil, 1, false),
  ])
  func `a flight is joined without a look while no commit followed the last empty look`(
    looked: UInt64?, now: UInt64, joins: Bool
  ) throws {
    let table = FlightTable<Int>()
    let request = FlightTable<Int>.Request(
      key: "key", newest: 0, look: looked.map { look(under: $0) })
    let flight = try #require(
      table.assign([request], isBackground: false, by: Policy()).started?.flight)

    let joined = table.join("key", under: header(now))

    #expect((joined?.flight === flight) == joins)
    #expect(joined == nil || joined?.look.decision.outcome == .missing)
    #expect(table.join("other", under: header(now)) == nil)
  }

  @Test func `a new look lets others join without a look`() throws {
    let table = FlightTable<Int>()
    let first = FlightTable<Int>.Request(key: "key", newest: 0, look: look(under: 1))
    let second = FlightTable<Int>.Request(key: "key", newest: 0, look: look(under: 2))
    let flight = try #require(
      table.assign([first], isBackground: false, by: Policy()).started?.flight)
    #expect(table.join("key", under: header(2)) == nil)
    _ = table.assign([second], isBackground: false, by: Policy())
    #expect(table.join("key", under: header(2))?.flight === flight)
    #expect(table.join("key", under: header(1)) == nil)
  }

  @Test func `a flight that has landed or was given up cannot be joined`() async throws {
    let table = FlightTable<Int>()
    let request = FlightTable<Int>.Request(key: "key", newest: 0, look: look(under: 1))
    let flight = try #require(
      table.assign([request], isBackground: false, by: Policy()).started?.flight)
    table.land(flight, "key")
    #expect(table.join("key", under: header(1)) == nil)
    let next = try #require(
      table.assign([request], isBackground: false, by: Policy()).started?.flight)
    await next.cancel()
    #expect(table.join("key", under: header(1)) == nil)
  }

  private func request(_ newest: Int64) -> FlightTable<Int>.Request {
    FlightTable.Request(key: "key", newest: newest, look: nil)
  }
}
