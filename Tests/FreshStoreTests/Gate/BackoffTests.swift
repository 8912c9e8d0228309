import Strategies
import Testing

@testable import FreshStore

/// The end of a pause, and invalid pauses.
@Suite struct BackoffTests {
  private static let now = Timestamp(millisecondsSinceEpoch: 1_000_000)

  private func isPause(_ length: Duration, maximum: Duration) -> Bool {
    let next = Self.now.advanced(by: length)
    return Backoff.end(next, at: Self.now, maximum: maximum) == next
  }

  @Test func `a pause of up to a day is respected, whatever the policy's longest pause`() {
    #expect(isPause(.seconds(86_400), maximum: .seconds(300)))
    #expect(!isPause(.seconds(86_400) + .milliseconds(1), maximum: .seconds(300)))
  }

  @Test func `a policy's longest pause is respected where it is longer than a day`() {
    #expect(isPause(.seconds(100_000), maximum: .seconds(100_000)))
    #expect(!isPause(.seconds(100_000) + .milliseconds(1), maximum: .seconds(100_000)))
  }

  @Test func `a pause is over at its end`() {
    #expect(isPause(.milliseconds(1), maximum: .seconds(300)))
    #expect(!isPause(.zero, maximum: .seconds(300)))
    #expect(!isPause(.milliseconds(-1), maximum: .seconds(300)))
    #expect(Backoff.end(nil, at: Self.now, maximum: .seconds(300)) == nil)
  }
}
