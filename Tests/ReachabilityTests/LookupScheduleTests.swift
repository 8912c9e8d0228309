import Strategies
import Testing

@testable import Reachability

@Suite struct LookupScheduleTests {
  private static let start = ContinuousClock.now

  /// The seconds at which lookups of an unsettled host are due, asked every half second.
  private func lookups(until end: Int, _ schedule: inout LookupSchedule) -> [Double] {
    (0...end * 2).compactMap { half in
      schedule.take(isSettled: false, at: Self.start + .milliseconds(half * 500))
        ? Double(half) / 2 : nil
    }
  }

  @Test
  func `an unsettled host is looked up after a second, then less often, at least every minute`() {
    var schedule = LookupSchedule()
    let due = lookups(until: 250, &schedule)
    #expect(due == [1, 3, 7, 15, 31, 63, 123, 183, 243])
  }

  @Test func `a settled host is not looked up, and its schedule starts over`() {
    var schedule = LookupSchedule()
    _ = lookups(until: 100, &schedule)
    let isDue = schedule.take(isSettled: true, at: Self.start + .seconds(1000))
    #expect(!isDue && schedule.due == nil)
    let due = lookups(until: 3, &schedule)
    #expect(due == [1, 3])
  }

  @Test func `the pauses are short again in another network`() {
    var schedule = LookupSchedule()
    _ = lookups(until: 100, &schedule)
    schedule.restart()
    let due = lookups(until: 3, &schedule)
    #expect(due == [1, 3])
  }

  @Test func `the next lookup is never further away than the longest pause`() throws {
    var schedule = LookupSchedule()
    var now = Self.start
    for _ in 0..<100 {
      _ = schedule.take(isSettled: false, at: now)
      let due = try #require(schedule.due)
      #expect(due - now <= .seconds(60))
      now = due
    }
  }
}
