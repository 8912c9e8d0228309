import Strategies
import Testing

@testable import Reachability

@Suite struct SettledReachabilityTests {
  private static let unplugged = Reachability.offline("unplugged")
  private let start = ContinuousClock.now

  /// One that has reported being offline.
  private func offline() -> SettledReachability {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    return settled
  }

  @Test(arguments: [Reachability.online, unplugged])
  func `the first state is reported at once`(state: Reachability) {
    var settled = SettledReachability(settle: .milliseconds(250))
    #expect(settled.note(state, generation: 1, at: start) == state)
    #expect(settled.due == nil)
  }

  @Test func `online is reported when it has held, and once`() {
    var settled = offline()
    #expect(settled.note(.online, generation: 1, at: start) == nil)
    #expect(settled.due == start + .milliseconds(250))
    #expect(settled.ripe(at: start + .milliseconds(249)) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
    #expect(settled.ripe(at: start + .milliseconds(900)) == nil)
  }

  @Test func `a repeated online does not extend the wait`() {
    var settled = offline()
    _ = settled.note(.online, generation: 1, at: start)
    _ = settled.note(.online, generation: 1, at: start + .milliseconds(200))
    #expect(settled.due == start + .milliseconds(250))
  }

  @Test func `offline is reported at once`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 1, at: start) == Self.unplugged)
  }

  @Test func `online that does not hold is never reported`() {
    var settled = offline()
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 1, at: start + .milliseconds(100)) == nil)
    #expect(settled.due == nil)
    #expect(settled.ripe(at: start + .seconds(1)) == nil)
  }

  @Test func `online is reported at once without a settling time`() {
    var settled = SettledReachability(settle: .zero)
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(.online, generation: 1, at: start) == .online)
  }

  @Test(arguments: [
    (Duration.zero, Int32(0)), (.seconds(-3), 0), (.nanoseconds(1), 1), (.milliseconds(250), 250),
    (.microseconds(10_001), 11), (.seconds(30), 30_000), (.seconds(9_000_000), 1_000_000_000),
  ])
  func `a wait is never shorter than requested and never endless`(
    wait: Duration, milliseconds: Int32
  ) {
    #expect(wait.pollTimeout == milliseconds)
  }

  @Test func `another network is reported once it has held, even with the same state`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(.online, generation: 2, at: start) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
    #expect(settled.note(.online, generation: 2, at: start + .seconds(1)) == nil)
    #expect(settled.ripe(at: start + .seconds(2)) == nil)
  }

  @Test func `the lack of a network is not reported twice`() {
    var settled = SettledReachability(settle: .zero)
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 2, at: start) == nil)
  }

  @Test func `rapid changes of network do not keep a state from being reported`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(.online, generation: 2, at: start) == nil)
    #expect(settled.note(.online, generation: 3, at: start + .milliseconds(200)) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
  }
}
