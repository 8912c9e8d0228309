import Foundation
import FreshStoreTesting
import Glibc
import NetworkStates
import Strategies
import Synchronization
import Testing

@testable import Reachability

/// A monitor of a source that is given as a host name.
@Suite struct RouteMonitorHostTests {
  private static let host = "origin.example"
  private static let origin = IPAddress.v4(0xCB00_7109)
  private static let neighbour = IPAddress.v4(0x0A4D_0001)
  private static let awaited = Reachability.unknown("the name origin.example is not resolved yet")

  @Test func `the state is unknown until the first lookup has ended`() throws {
    let lookup = ScriptedLookup()
    let monitor = RouteMonitor(host: Self.host, schedule: .never, lookup: lookup.begin)
    #expect(monitor.reachability() == Self.awaited)
    #expect(monitor.method == ReachabilityMethod.none)
    #expect(monitor.targets.isEmpty)
    try lookup.answer(.v4(0x7F00_0001))
    #expect(monitor.reachability() == .online)
    #expect(monitor.targets == [.v4(0x7F00_0001)])
  }

  @Test func `the first known state is not another network`() throws {
    let lookup = ScriptedLookup()
    let monitor = RouteMonitor(host: Self.host, schedule: .never, lookup: lookup.begin)
    let generation = monitor.generation
    try lookup.answer(.v4(0x7F00_0001))
    #expect(monitor.reachability() == .online)
    #expect(monitor.generation == generation)
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `a numeric host is not looked up`(host: String) throws {
    let lookup = ScriptedLookup()
    let monitor = RouteMonitor(host: host, schedule: .never, lookup: lookup.begin)
    try #expect(monitor.targets == [#require(IPAddress(host))])
    #expect(lookup.timesAsked == 0)
  }

  @Test func `a lookup that never ends keeps neither the thread nor the sockets alive`()
    async throws
  {
    let lookup = ScriptedLookup()
    weak let watch = RouteMonitor(host: Self.host, schedule: .never, lookup: lookup.begin).watch
    let end = ContinuousClock.now + .seconds(60)
    while watch != nil, .now < end { await Task.yield() }
    #expect(watch == nil)
    // No caller waits for its answer any more, which is harmless.
    try lookup.answer(Self.origin)
  }

  @Test func `the system's resolver is used`() async throws {
    let provider: some ReachabilityProvider = .monitor(host: "localhost")
    let strategy: AnyStrategy<String> = .reachability(provider)
    let end = ContinuousClock.now + .seconds(60)
    while provider.reachability() != .online, .now < end { await Task.yield() }
    #expect(
      strategy.judge("page", in: JudgementContext(now: Timestamp(millisecondsSinceEpoch: 0)))
        == Opinion(.unknown, .reachability(.online)))
  }

  /// A network namespace with a monitor of a host in it, and the lookups of that monitor.
  private struct Network {
    let lookup = ScriptedLookup()
    let network: MonitoredNetwork
    let monitor: RouteMonitor

    init(
      addresses: [IPAddress]? = nil, files: ResolverFiles = .none,
      schedule: LookupSchedule = .never, after lines: String...
    ) throws {
      let network = try MonitoredNetwork(
        targets: [], settings: NetworkWalk.withoutIPv6, after: lines)
      try network.waitForLinks()
      self.network = network
      monitor = RouteMonitor(
        host: RouteMonitorHostTests.host, addresses: addresses, files: files, schedule: schedule,
        lookup: lookup.begin)
    }

    /// Changes the network and waits until this many lookups have started.
    func change(_ lines: String..., expectingLookups count: Int) throws {
      for line in lines { try IsolatedThread.configure(line) }
      #expect(network.wait { lookup.timesAsked >= count })
      #expect(lookup.timesAsked == count)
    }

    /// Changes the network and waits until the monitor has checked without a lookup.
    func changeWithoutLookup(_ line: String) throws {
      let (lookups, timesAsked) = (lookup.timesAsked, monitor.timesAsked)
      try IsolatedThread.configure(line)
      #expect(network.wait { monitor.timesAsked > timesAsked })
      // The effects of that check are complete when the next one has been answered.
      let timesAskedAfter = monitor.timesAsked
      monitor.askAgain()
      #expect(network.wait { monitor.timesAsked > timesAskedAfter })
      #expect(lookup.timesAsked == lookups)
    }
  }

  @Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value })
  struct InNamespaces {
    @Test func `a neighbour is online without a default route once it is resolved`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        #expect(network.monitor.reachability() == awaited)
        try network.lookup.answer(neighbour)
        #expect(network.monitor.reachability() == .online)
        #expect(network.monitor.method == .netlink)
      }
    }

    @Test func `with neither an address nor a route the Internet decides, and is offline`()
      async throws
    {
      try await IsolatedThread.run {
        let network = try Network()
        #expect(!network.monitor.reachability().isProvablyOffline)
        try network.lookup.fail()
        #expect(network.monitor.reachability().isProvablyOffline)
        #expect(network.monitor.targets == IPAddress.wellKnown)
      }
    }

    @Test func `a network change leads to another lookup of the name`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        try network.lookup.answer(origin)
        #expect(network.monitor.reachability().isProvablyOffline)
        try network.change("route add default via 10.77.0.1", expectingLookups: 2)
        #expect(network.monitor.reachability() == .online)
        try network.lookup.answer(neighbour)
        #expect(network.monitor.targets == [neighbour])
        try network.change("link set va down", expectingLookups: 3)
        #expect(network.monitor.reachability().isProvablyOffline)
      }
    }

    @Test func `a failed lookup keeps the earlier addresses`() async throws {
      try await IsolatedThread.run {
        let network = try Network(after: "route add default via 10.77.0.1")
        try network.lookup.answer(neighbour)
        try network.change("link set va down", expectingLookups: 2)
        try network.lookup.fail()
        #expect(network.monitor.targets == [neighbour])
        #expect(network.monitor.reachability().isProvablyOffline)
      }
    }

    @Test func `a name is not looked up again unless its routes change`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        try network.lookup.answer(neighbour)
        for line in ["route add default via 10.77.0.1", "addr add 10.99.0.1/24 dev va"] {
          try network.changeWithoutLookup(line)
        }
        network.monitor.retarget([origin])
        try network.changeWithoutLookup("route add 198.51.100.0/24 via 10.77.0.1")
      }
    }

    @Test func `any change leads to a lookup until one has found an address`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        try network.lookup.fail()
        try network.change("addr add 10.99.0.1/24 dev va", expectingLookups: 2)
        try network.lookup.answer(neighbour)
        #expect(network.monitor.reachability() == .online)
        try network.changeWithoutLookup("addr add 10.98.0.1/24 dev va")
      }
    }

    @Test func `a host with initial addresses is looked up at the first change`() async throws {
      try await IsolatedThread.run {
        let network = try Network(addresses: [neighbour])
        #expect(network.monitor.targets == [neighbour])
        #expect(network.lookup.timesAsked == 0)
        try network.changeWithoutLookup("addr add 10.99.0.1/24 dev va")
        try network.change("link set va down", expectingLookups: 1)
        try network.lookup.fail()
        #expect(network.monitor.targets == [neighbour])
      }
    }

    @Test func `a host known to have no address yet is looked up at any change`() async throws {
      try await IsolatedThread.run {
        let network = try Network(addresses: [])
        #expect(network.monitor.reachability().isProvablyOffline)
        #expect(network.lookup.timesAsked == 0)
        try network.change("addr add 10.99.0.1/24 dev va", expectingLookups: 1)
        try network.lookup.answer(neighbour)
        #expect(network.monitor.reachability() == .online)
      }
    }

    @Test func `a repeated check is no change`() async throws {
      try await IsolatedThread.run {
        let network = try Network(addresses: [])
        try network.change("addr add 10.99.0.1/24 dev va", expectingLookups: 1)
        try network.lookup.fail()
        let timesAsked = network.monitor.timesAsked
        for count in 1...3 {
          network.monitor.askAgain()
          #expect(network.network.wait { network.monitor.timesAsked >= timesAsked + UInt64(count) })
        }
        #expect(network.lookup.timesAsked == 1)
      }
    }

    /// Nothing is announced during these waits.
    private static let soon = LookupSchedule(first: .milliseconds(20), longest: .milliseconds(40))

    @Test func `a name without an address is looked up again without an announcement`()
      async throws
    {
      try await IsolatedThread.run {
        let network = try Network(schedule: Self.soon)
        for count in 1...3 {
          try network.lookup.fail()
          #expect(network.monitor.reachability().isProvablyOffline)
          #expect(network.network.wait { network.lookup.timesAsked == count + 1 })
        }
        try network.lookup.answer(neighbour)
        #expect(network.monitor.reachability() == .online)
        // A known address gives no cause for another lookup.
        let timesAsked = network.monitor.timesAsked
        for count in 1...3 {
          network.monitor.askAgain()
          #expect(network.network.wait { network.monitor.timesAsked >= timesAsked + UInt64(count) })
        }
        #expect(network.lookup.timesAsked == 4)
      }
    }

    @Test func `a host with unreachable addresses is looked up again without an announcement`()
      async throws
    {
      try await IsolatedThread.run {
        let network = try Network(addresses: [origin], schedule: Self.soon)
        #expect(network.monitor.reachability().isProvablyOffline)
        #expect(network.network.wait { network.lookup.timesAsked == 1 })
        try network.lookup.answer(origin)
        #expect(network.network.wait { network.lookup.timesAsked == 2 })
        try network.lookup.answer(neighbour)
        #expect(network.monitor.reachability() == .online)
      }
    }

    @Test func `a name is looked up again when the resolver's files change`() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("resolv.conf")
      try await IsolatedThread.run {
        let network = try Network(
          addresses: [neighbour], files: ResolverFiles(paths: [file]))
        for (count, text) in ["nameserver 10.77.0.1", "nameserver 10.77.0.3"].enumerated() {
          try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
          network.monitor.askAgain()
          #expect(network.network.wait { network.lookup.timesAsked == count + 1 })
          try network.lookup.answer(neighbour)
        }
        let timesAsked = network.monitor.timesAsked
        network.monitor.askAgain()
        #expect(network.network.wait { network.monitor.timesAsked > timesAsked })
        #expect(network.lookup.timesAsked == 2)
      }
    }

    @Test(.enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value })
    func `a name is looked up again where netlink is denied, too`() async throws {
      try await IsolatedThread.run {
        try IsolatedThread.enterNewNetwork()
        try IsolatedThread.addInterface()
        try IsolatedThread.forbidNetlink()
        let lookup = ScriptedLookup()
        let monitor = RouteMonitor(host: host, schedule: Self.soon, lookup: lookup.begin)
        try lookup.fail()
        let end = ContinuousClock.now + .seconds(60)
        while lookup.timesAsked < 2, .now < end { sched_yield() }
        try lookup.answer(neighbour)
        #expect(monitor.reachability() == .online)
      }
    }

    @Test func `changes during a lookup lead to one more lookup`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        for line in ["route add default via 10.77.0.1", "addr add 10.99.0.1/24 dev va"] {
          try network.changeWithoutLookup(line)
        }
        try network.lookup.answer(neighbour)
        #expect(network.lookup.timesAsked == 2)
        try network.lookup.answer(origin)
        #expect(network.monitor.targets == [origin])
        #expect(network.lookup.timesAsked == 2)
      }
    }

    @Test func `a change first noticed at the end of a lookup leads to another lookup`()
      async throws
    {
      try await IsolatedThread.run {
        let network = try Network(addresses: [origin])
        try network.network.setDefaultRoute(true)
        #expect(network.network.wait { network.lookup.timesAsked == 1 })
        try network.network.useUpQuestions(of: network.monitor)
        try network.network.setDefaultRoute(false)
        try network.lookup.answer(origin, neighbour)
        #expect(network.network.wait { network.lookup.timesAsked == 2 })
        try network.lookup.answer(origin, neighbour)
        try network.changeWithoutLookup("addr add 10.99.0.1/24 dev va")
      }
    }

    @Test func `new addresses in an answer lead to no further lookup`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        try network.lookup.answer(origin)
        try network.change("route add default via 10.77.0.1", expectingLookups: 2)
        try network.lookup.answer(neighbour, origin)
        try network.changeWithoutLookup("route add 198.51.100.0/24 via 10.77.0.1")
      }
    }

    @Test func `a lookup after a change that never ends does not keep the thread alive`()
      async throws
    {
      try await IsolatedThread.run {
        let lookup = ScriptedLookup()
        let network = try MonitoredNetwork(targets: [])
        var monitor: RouteMonitor? = RouteMonitor(
          host: host, addresses: [neighbour], schedule: .never, lookup: lookup.begin)
        weak let watch = monitor?.watch
        try IsolatedThread.configure("link set va down")
        #expect(network.wait { lookup.timesAsked == 1 })
        monitor = nil
        #expect(network.wait { watch == nil })
      }
    }

    @Test func `readers of changes are notified when the name is resolved`() async throws {
      try await IsolatedThread.run {
        let network = try Network()
        let states = Mutex<[Reachability]>([])
        let changes = network.monitor.changes(settle: .zero)
        let task = Task {
          for await state in changes { states.withLock { $0.append(state) } }
        }
        defer { task.cancel() }
        #expect(network.network.wait { states.withLock { $0 } == [awaited] })
        try network.lookup.answer(neighbour)
        #expect(network.network.wait { states.withLock { $0 } == [awaited, .online] })
      }
    }

    @Test(
      .enabled("needs a hosts file") { await IsolatedThread.canNameHosts.value },
      arguments: [("10.77.0.1", "online"), ("203.0.113.9", "offline")])
    func `a name in the hosts file is followed`(address: String, code: String) async throws {
      try await IsolatedThread.run {
        // Another name for each network, because a process runs one lookup of a host at a time.
        try IsolatedThread.nameHosts("\(address) \(code).example")
        let network = try MonitoredNetwork(targets: [])
        let monitor = RouteMonitor(host: "\(code).example")
        #expect(network.wait { monitor.reachability().code == code })
        try #expect(monitor.targets == [#require(IPAddress(address))])
      }
    }

    @Test(.enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value })
    func `the addresses are checked by other means where netlink is denied`() async throws {
      try await IsolatedThread.run {
        try IsolatedThread.enterNewNetwork()
        try IsolatedThread.addInterface()
        try IsolatedThread.forbidNetlink()
        let lookup = ScriptedLookup()
        let monitor = RouteMonitor(host: host, schedule: .never, lookup: lookup.begin)
        #expect(monitor.reachability() == awaited)
        try lookup.answer(neighbour)
        #expect(monitor.reachability() == .online)
        #expect(monitor.method == .connect)
      }
    }
  }
}

extension LookupSchedule {
  /// Longer than any test.
  fileprivate static var never: LookupSchedule {
    LookupSchedule(first: .seconds(86_400), longest: .seconds(86_400))
  }
}

extension ResolverFiles {
  /// Changes on the test machine itself are not part of the test.
  fileprivate static var none: ResolverFiles { ResolverFiles(paths: []) }
}
