import Testing

@testable import FreshStore

@Suite struct PaceTests {
  @Test func `what takes too long becomes less, by half at most`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(100, took: .milliseconds(2.5))
    #expect(pace.amount == 80)
    pace.note(80, took: .seconds(1))
    #expect(pace.amount == 40)
  }

  @Test func `what leaves time becomes more, by a quarter, up to the most`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 130)
    pace.note(100, took: .milliseconds(1))
    #expect(pace.amount == 126)
    pace.note(126, took: .milliseconds(1))
    #expect(pace.amount == 130)
  }

  @Test func `a piece smaller than allowed says nothing of more`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(99, took: .milliseconds(1))
    #expect(pace.amount == 100)
  }

  @Test func `a piece that just fits stays as it is`() {
    var pace = Pace(target: .milliseconds(2), start: 100, most: 1000)
    pace.note(100, took: .milliseconds(1.6))
    #expect(pace.amount == 100)
  }

  @Test func `it is never less than the least, nor the least more than the most`() {
    var pace = Pace(target: .milliseconds(2), start: 20, least: 16, most: 100)
    pace.note(20, took: .seconds(1))
    #expect(pace.amount == 16)
    #expect(Pace(target: .milliseconds(2), start: 64, least: 16, most: 4).amount == 4)
  }

  @Test func `it never stops`() {
    var pace = Pace(target: .milliseconds(2), start: 1, most: 10)
    pace.note(1, took: .seconds(1))
    #expect(pace.amount == 1)
    pace.note(0, took: .seconds(1))
    #expect(pace.amount == 1)
  }
}
