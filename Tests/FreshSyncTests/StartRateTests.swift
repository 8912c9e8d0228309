import Testing

@testable import FreshSync

@Suite struct StartRateTests {
  /// The number of starts in this many seconds, tried every ten milliseconds.
  private func starts(perSecond: Double?, seconds: Int) -> Int {
    var rate = StartRate(perSecond: perSecond)
    var starts = 0
    for step in 0..<(seconds * 100) {
      for _ in 0..<100 where rate.take(at: .milliseconds(step * 10)) == nil { starts += 1 }
    }
    return starts
  }

  @Test(arguments: [(1.0, 10, 10...11), (100.0, 10, 1000...1010), (0.5, 10, 5...6)])
  func `the rate limits the starts per second`(
    _ rate: Double, _ seconds: Int, _ expected: ClosedRange<Int>
  ) {
    #expect(expected.contains(starts(perSecond: rate, seconds: seconds)))
  }

  @Test func `without a rate no start is delayed`() {
    #expect(starts(perSecond: nil, seconds: 1) == 10_000)
  }

  @Test func `a refused start returns the time to wait`() {
    var rate = StartRate(perSecond: 4)
    #expect(rate.take(at: .seconds(1)) == nil)
    #expect(rate.take(at: .seconds(1)) == .milliseconds(250))
    #expect(rate.take(at: .milliseconds(1100)) == .milliseconds(150))
    #expect(rate.take(at: .milliseconds(1250)) == nil)
  }

  @Test func `a start that is given back can be taken again`() {
    var rate = StartRate(perSecond: 1)
    #expect(rate.take(at: .zero) == nil)
    rate.giveBack()
    #expect(rate.take(at: .zero) == nil)
  }
}
