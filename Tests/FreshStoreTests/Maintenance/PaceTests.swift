import Testing

@testable import FreshStore

@Suite struct PaceTests {
  @Test func `an amount that takes too long is reduced, by half at most`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(100, took: .milliseconds(2.5))
    #expect(pace.amount == 80)
    pace.note(80, took: .seconds(1))
    #expect(pace.amount == 40)
  }

  @Test func `an amount that leaves time is increased, by a quarter, up to the maximum`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 130)
    pace.note(100, took: .milliseconds(1))
    #expect(pace.amount == 126)
    pace.note(126, took: .milliseconds(1))
    #expect(pace.amount == 130)
  }

  @Test func `a piece smaller than the allowed amount does not increase it`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(99, took: .milliseconds(1))
    #expect(pace.amount == 100)
  }

  @Test func `an amount that just fits stays as it is`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(100, took: .milliseconds(1.6))
    #expect(pace.amount == 100)
  }

  @Test func `an amount is never below the minimum, nor the minimum above the maximum`() {
    var pace = Pace(target: .milliseconds(2), start: 20, least: 16, most: 100)
    pace.note(20, took: .seconds(1))
    #expect(pace.amount == 16)
    #expect(Pace(target: .milliseconds(2), start: 64, least: 16, most: 4).amount == 4)
  }

  @Test func `an amount never reaches zero`() {
    var pace = Pace(target: .milliseconds(2), start: 1, most: 10)
    pace.note(1, took: .seconds(1))
    #expect(pace.amount == 1)
    pace.note(0, took: .seconds(1))
    #expect(pace.amount == 1)
  }
}
