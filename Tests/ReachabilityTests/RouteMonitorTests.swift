import FreshStoreTesting
import Strategies
import Testing

@testable import Reachability

@Suite struct RouteMonitorTests {
  @Test func `loopback is online, over netlink`() {
    let monitor = RouteMonitor(target: .v4(0x7F00_0001))
    #expect(monitor.reachability() == .online)
    #expect(monitor.method == .netlink)
  }

  @Test func `without an address the state is unknown`() {
    let monitor = RouteMonitor(targets: [])
    #expect(monitor.reachability().code == "reachability-unknown")
    #expect(monitor.method == ReachabilityMethod.none)
  }

  @Test func `every provider has a static member`() {
    let loopback = IPAddress.v4(0x7F00_0001)
    let strategies: [AnyStrategy<String>] = [
      .reachability(.monitor), .reachability(.monitor(loopback)), .reachability(.kernel(loopback)),
      .reachability(.routeTable), .reachability(.socket("127.0.0.1", 9)),
    ]
    for strategy in strategies {
      #expect(
        strategy.judge("page", in: JudgementContext(now: Timestamp(millisecondsSinceEpoch: 0)))
          .verdict != .invalid)
    }
  }

  @Test func `the thread and the sockets of a released monitor end`() async throws {
    weak let watch = RouteMonitor(target: .v4(0x7F00_0001)).watch
    let end = ContinuousClock.now + .seconds(60)
    while watch != nil, .now < end { await Task.yield() }
    #expect(watch == nil)
  }
}
