import Strategies
import Testing

@testable import Reachability

@Suite struct RouteRecheckTests {
  private let now = ContinuousClock.now

  @Test func `no check is due before an announcement`() {
    var recheck = RouteRecheck()
    let isTaken = recheck.take(at: now)
    #expect(recheck.due == nil && !isTaken)
  }

  @Test func `after an announcement the routes are checked twice more, and then no more`() {
    var recheck = RouteRecheck()
    recheck.restart(at: now)
    let moments: [Duration] = [
      .zero, .milliseconds(9), .milliseconds(10), .milliseconds(11), .milliseconds(999),
      .seconds(1), .seconds(60),
    ]
    let taken = moments.filter { recheck.take(at: now + $0) }
    #expect(taken == [.milliseconds(10), .seconds(1)])
    #expect(recheck.due == nil)
  }

  @Test func `another announcement starts over`() {
    var recheck = RouteRecheck()
    recheck.restart(at: now)
    let isTaken = recheck.take(at: now + .milliseconds(10))
    recheck.restart(at: now + .milliseconds(500))
    #expect(isTaken)
    #expect(recheck.due == now + .milliseconds(510))
  }
}
