import Strategies
import Testing

@testable import Reachability

@Suite struct SettledReachabilityTests {
  private static let unplugged = Reachability.offline("unplugged")
  private let start = ContinuousClock.now

  /// One that has told of being offline.
  private func offline() -> SettledReachability {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    return settled
  }

  @Test(arguments: [Reachability.online, unplugged])
  func `the first state is told at once`(state: Reachability) {
    var settled = SettledReachability(settle: .milliseconds(250))
    #expect(settled.note(state, generation: 1, at: start) == state)
    #expect(settled.due == nil)
  }

  @Test func `online is told when it has held, and once`() {
    var settled = offline()
    #expect(settled.note(.online, generation: 1, at: start) == nil)
    #expect(settled.due == start + .milliseconds(250))
    #expect(settled.ripe(at: start + .milliseconds(249)) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
    #expect(settled.ripe(at: start + .milliseconds(900)) == nil)
  }

  @Test func `online that is repeated meanwhile does not wait longer`() {
    var settled = offline()
    _ = settled.note(.online, generation: 1, at: start)
    _ = settled.note(.online, generation: 1, at: start + .milliseconds(200))
    #expect(settled.due == start + .milliseconds(250))
  }

  @Test func `offline is told at once`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 1, at: start) == Self.unplugged)
  }

  @Test func `online that does not hold is never told`() {
    var settled = offline()
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 1, at: start + .milliseconds(100)) == nil)
    #expect(settled.due == nil)
    #expect(settled.ripe(at: start + .seconds(1)) == nil)
  }

  @Test func `without patience online is told at once`() {
    var settled = SettledReachability(settle: .zero)
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(.online, generation: 1, at: start) == .online)
  }

  @Test(arguments: [
    (Duration.zero, Int32(0)), (.seconds(-3), 0), (.nanoseconds(1), 1), (.milliseconds(250), 250),
    (.microseconds(10_001), 11), (.seconds(30), 30_000), (.seconds(9_000_000), 1_000_000_000),
  ])
  func `a wait is never shorter than asked and never without an end`(
    wait: Duration, milliseconds: Int32
  ) {
    #expect(wait.pollTimeout == milliseconds)
  }

  @Test func `another network is told of though the state is the same, once it has held`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(.online, generation: 1, at: start)
    #expect(settled.note(.online, generation: 2, at: start) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
    #expect(settled.note(.online, generation: 2, at: start + .seconds(1)) == nil)
    #expect(settled.ripe(at: start + .seconds(2)) == nil)
  }

  @Test func `nobody is told twice that there is no network`() {
    var settled = SettledReachability(settle: .zero)
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(Self.unplugged, generation: 2, at: start) == nil)
  }

  @Test func `networks that follow one another do not keep a state from being told`() {
    var settled = SettledReachability(settle: .milliseconds(250))
    _ = settled.note(Self.unplugged, generation: 1, at: start)
    #expect(settled.note(.online, generation: 2, at: start) == nil)
    #expect(settled.note(.online, generation: 3, at: start + .milliseconds(200)) == nil)
    #expect(settled.ripe(at: start + .milliseconds(250)) == .online)
  }
}
