import ChildProcess
import Foundation
import Glibc
import NetworkStates
import Strategies
import Synchronization
import Testing

@testable import Reachability

/// Latency, query rate and subscribers of the monitor, in networks of its own.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value }, .serialized)
struct RouteMonitorStormTests {
  private static let origin = IPAddress.v4(0xCB00_7109)

  @Test func `the verdict follows every change of a route`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      for index in 0..<40 {
        try network.setDefaultRoute(index.isMultiple(of: 2))
        let code = index.isMultiple(of: 2) ? "online" : "offline"
        #expect(network.wait { network.monitor.reachability().code == code })
      }
    }
  }

  @Test func `the routes are queried again after a change although nothing more is announced`()
    async throws
  {
    let isAskedAgain = try await IsolatedThread.run {
      // Quiet links and no IPv6: apart from the one change nothing is announced.
      let network = try MonitoredNetwork(
        targets: [Self.origin], settings: NetworkWalk.withoutIPv6)
      try network.waitForLinks()
      try network.setDefaultRoute(true)
      let isFollowed = network.wait { network.monitor.reachability() == .online }
      let timesAsked = network.monitor.timesAsked
      // Before the unconditional check every half minute.
      let end = ContinuousClock.now + .seconds(20)
      _ = network.wait { network.monitor.timesAsked >= timesAsked + 2 || .now >= end }
      return isFollowed && network.monitor.timesAsked >= timesAsked + 2
    }
    #expect(isAskedAgain)
  }

  @Test func `a storm of 50,000 changes ends with the right verdict after few queries`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString)")
    let lines = (0..<25_000).map { index in
      let route = "198.\(18 + index / 20_000).\(index / 128 % 256).\(index % 128 * 2)/31"
      return "route replace \(route) dev va\nroute del \(route)\n"
    }
    try Data(lines.joined().utf8).write(to: file)
    defer {
      do {
        try FileManager.default.removeItem(at: file)
      } catch {
        Issue.record(error)
      }
    }
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], after: ["route add default via 10.77.0.1"])
      let start = ContinuousClock.now
      #expect(try network.state(after: ["-batch \(file.path())"], expecting: "online") == .online)
      let limit = (ContinuousClock.now - start) / AskBudget.interval
      #expect(Double(network.monitor.timesAsked) <= limit + Double(AskBudget.burst) + 2)
      #expect(network.monitor.timesAsked > 3)
      // The kernel's announcements overflowed; for the monitor that is one more change.
      #expect(network.monitor.method == .netlink)
      #expect(
        try network.state(after: ["route del default"], expecting: "offline").isProvablyOffline)
    }
  }

  @Test func `a storm in which the default route comes and goes ends with the right verdict`()
    async throws
  {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      for _ in 0..<2_000 {
        try network.setDefaultRoute(true)
        try network.setDefaultRoute(false)
      }
      try network.setDefaultRoute(true)
      #expect(network.wait { network.monitor.reachability() == .online })
      try network.setDefaultRoute(false)
      #expect(network.wait { network.monitor.reachability().isProvablyOffline })
    }
  }

  @Test func `a network that changes under the same verdict is a new generation`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], after: ["route add default via 10.77.0.1"])
      let generation = network.monitor.generation
      _ = try network.stateWhenAskedAgain()
      #expect(network.monitor.generation == generation)
      try IsolatedThread.configure("route replace default via 10.77.0.7")
      #expect(network.wait { network.monitor.generation > generation })
      #expect(network.monitor.reachability() == .online)
    }
  }

  @Test func `a forked child queries by itself and does not use its parent's thread`()
    async throws
  {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      var monitor: RouteMonitor? = RouteMonitor(target: Self.origin)
      let status = try ForkedChild.status {
        guard unsafe system("ip route add default via 10.77.0.1") == 0 else { return 2 }
        let answer = (monitor?.reachability(), monitor?.method)
        monitor = nil
        return answer == (.online, .netlink) ? 0 : 1
      }
      #expect(status == 0)
      #expect(network.wait { monitor?.reachability() == .online })
      try IsolatedThread.configure("route del default")
      #expect(network.wait { monitor?.reachability().code == "offline" })
    }
  }

  /// The states that a task receives, in order.
  private final class Told: Sendable {
    private let states = Mutex<[(state: Reachability, at: ContinuousClock.Instant)]>([])

    func listen(to changes: some AsyncSequence<Reachability, Never> & Sendable) -> Task<Void, Never>
    {
      Task {
        for await state in changes { states.withLock { $0.append((state, .now)) } }
      }
    }

    var codes: [String] { states.withLock { $0.map(\.state.code) } }
    var lastMoment: ContinuousClock.Instant? { states.withLock { $0.last?.at } }
  }

  @Test func `changes begin with the present state and follow the network`() async throws {
    let codes = try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      let told = Told()
      let task = told.listen(to: network.monitor.changes(settle: .zero))
      defer { task.cancel() }
      #expect(network.wait { told.codes.count == 1 })
      for isThere in [true, false, true] {
        let count = told.codes.count
        try network.setDefaultRoute(isThere)
        #expect(network.wait { told.codes.count == count + 1 })
      }
      return told.codes
    }
    #expect(codes == ["offline", "online", "offline", "online"])
  }

  @Test func `online is reported when it has held, offline at once`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      let told = Told()
      let task = told.listen(to: network.monitor.changes())
      defer { task.cancel() }
      #expect(network.wait { told.codes == ["offline"] })
      let start = ContinuousClock.now
      try network.setDefaultRoute(true)
      #expect(network.wait { told.codes == ["offline", "online"] })
      let moment = try #require(told.lastMoment)
      #expect(moment - start >= .milliseconds(250))
      try network.setDefaultRoute(false)
      #expect(network.wait { told.codes.count == 3 })
    }
  }

  @Test func `a cancelled reader of changes is forgotten`() async throws {
    let monitor = RouteMonitor(target: .v4(0x7F00_0001))
    let told = Told()
    let task = told.listen(to: monitor.changes())
    while told.codes.isEmpty { await Task.yield() }
    #expect(monitor.hasObservers)
    task.cancel()
    await task.value
    #expect(!monitor.hasObservers)
  }

  @Test(
    .enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value },
    arguments: [
      ([String](), "offline"), (["route add default via 10.77.0.1"], "online"),
      (["route add blackhole default"], "offline"),
    ])
  func `a connect answers where netlink is denied`(lines: [String], code: String) async throws {
    try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      for line in lines { try IsolatedThread.configure(line) }
      try IsolatedThread.forbidNetlink()
      let monitor = RouteMonitor(target: Self.origin)
      #expect(monitor.reachability().code == code)
      #expect(monitor.method == .connect)
      if case .offline(let cause) = monitor.reachability() {
        #expect(cause.description.hasSuffix("(connect)"))
      }
    }
  }

  @Test(
    .enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value },
    arguments: [
      ([SystemCall.socket], ReachabilityMethod.routeFiles, "offline"),
      ([.socket, .openat], .none, "reachability-unknown"),
    ])
  func `where sockets are denied the route files answer, else the state is unknown`(
    calls: [SystemCall], method: ReachabilityMethod, code: String
  ) async throws {
    try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      try IsolatedThread.forbid(calls)
      let monitor = RouteMonitor(target: Self.origin)
      #expect(monitor.reachability().code == code)
      #expect(monitor.method == method)
    }
  }

  @Test(.enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value })
  func `changes are reported where netlink is denied, too`() async throws {
    let codes = try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [])
      let told = Told()
      // This thread changes the namespace, so netlink is denied to another thread in the same namespace.
      let monitor = try network.monitorWithoutNetlink(for: Self.origin)
      // Without netlink the present state is that of the calling thread.
      let task = told.listen(to: monitor.stream(settle: .zero))
      defer { task.cancel() }
      #expect(network.wait { told.codes == ["offline"] })
      try network.setDefaultRoute(true)
      #expect(network.wait { told.codes.count == 2 })
      return told.codes
    }
    #expect(codes == ["offline", "online"])
  }

  @Test func `the fallback caches its answer for a second`() async throws {
    let codes = try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [])
      let clock = Mutex(ContinuousClock.now)
      let fallback = ReachabilityFallback(targets: [Self.origin]) { clock.withLock { $0 } }
      var codes = [fallback.answer().reachability.code]
      try network.setDefaultRoute(true)
      clock.withLock { $0 += .milliseconds(999) }
      codes.append(fallback.answer().reachability.code)
      clock.withLock { $0 += .milliseconds(1) }
      codes.append(fallback.answer().reachability.code)
      return codes
    }
    #expect(codes == ["offline", "offline", "online"])
  }
}
