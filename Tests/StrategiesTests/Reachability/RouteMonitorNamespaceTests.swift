import Foundation
import Glibc
import Testing

@testable import Strategies

/// The monitor in states of a real kernel, each reached by changing the network under it.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value }, .serialized)
struct RouteMonitorNamespaceTests {
  static let origin = IPAddress.v4(0xCB00_7109)
  static let origin6 = IPAddress.v6(0x2001_0DB8_0009_0000_0000_0000_0000_0009)

  /// A change of the network and the state it leads to.
  struct Step: Sendable {
    let lines: [String]
    let code: String

    init(_ code: String, _ lines: String...) {
      self.code = code
      self.lines = lines
    }
  }

  /// Makes the changes in one namespace, one after the other, and returns the states between.
  private func walk(
    _ steps: [Step], targets: [IPAddress], withIPv6: Bool = true, after lines: [String] = []
  ) async throws -> [String] {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: targets, withIPv6: withIPv6, after: lines)
      return try steps.map { try network.state(after: $0.lines, expecting: $0.code).code }
    }
  }

  private static let states: [Step] = [
    Step("online", "route add default via 10.77.0.1"),
    Step("offline", "link set va down"),
    Step("online", "link set va up", "route add default via 10.77.0.1"),
    Step("offline", "link set vb down"),
    Step("online", "link set vb up"),
    Step(
      "offline", "route del default", "route add default via 10.77.0.1 metric 50",
      "route add unreachable default metric 10"),
    Step(
      "offline", "route del unreachable default metric 10",
      "route add blackhole default metric 10"),
    Step(
      "offline", "route del blackhole default metric 10", "route add blackhole 203.0.113.0/24"),
    Step(
      "online", "route del blackhole 203.0.113.0/24", "route del default",
      "route add 0.0.0.0/1 via 10.77.0.1", "route add 128.0.0.0/1 via 10.77.0.1"),
    Step(
      "online", "route del 0.0.0.0/1", "route del 128.0.0.0/1",
      "route add default via 10.77.0.1 table 100", "rule add table 100"),
    Step("offline", "rule del table 100"),
    Step("offline", "route add default via 10.77.0.1", "rule add unreachable pref 50"),
    Step(
      "online", "rule del pref 50", "route del default",
      "nexthop add id 7 via 10.77.0.1 dev va", "route add default nhid 7"),
    Step("offline", "nexthop del id 7"),
    Step("online", "route add default via 10.77.0.1"),
    Step("online", "route del default", "route add 203.0.113.9 via 10.77.0.1"),
    Step("online", "route add default via 10.77.0.1"),
    Step("online", "-batch \(storm.path())"),
    Step("offline", "route del default", "route del 203.0.113.9"),
  ]

  /// A file of commands that add 50,000 routes.
  private static let storm: URL = {
    let file = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString)")
    let lines = (0..<50_000).map {
      "route add 198.\(18 + $0 / 32_768).\($0 / 128 % 256).\($0 % 128 * 2)/31 dev va\n"
    }
    do {
      try Data(lines.joined().utf8).write(to: file)
    } catch {
      Issue.record(error)
    }
    return file
  }()

  @Test func `in each of 19 states of a network the monitor is right`() async throws {
    defer {
      do {
        try FileManager.default.removeItem(at: Self.storm)
      } catch {
        Issue.record(error)
      }
    }
    #expect(
      try await walk(Self.states, targets: [Self.origin], withIPv6: false)
        == Self.states.map(\.code))
  }

  private static let states6: [Step] = [
    Step("offline"),
    Step("online", "-6 route add default via 2001:db8:77::1"),
    Step("offline", "link set vb down"),
    Step("online", "link set vb up"),
    Step("offline", "-6 route add unreachable default metric 10"),
    Step(
      "offline", "-6 route del unreachable default metric 10",
      "-6 route add blackhole default metric 10"),
    Step(
      "offline", "-6 route del blackhole default metric 10",
      "-6 route add prohibit 2001:db8:9::/48"),
    Step(
      "online", "-6 route del prohibit 2001:db8:9::/48", "-6 route del default",
      "-6 route add ::/1 via 2001:db8:77::1"),
    Step(
      "online", "-6 route del ::/1", "-6 route add default via 2001:db8:77::1 table 100",
      "-6 rule add table 100"),
    Step("offline", "-6 rule del table 100"),
    Step(
      "offline", "-6 route add default via 2001:db8:77::1", "-6 rule add unreachable pref 50"),
    Step(
      "online", "-6 rule del pref 50", "-6 route del default",
      "nexthop add id 7 via 2001:db8:77::1 dev va", "-6 route add default nhid 7"),
    Step("offline", "nexthop del id 7"),
    Step("online", "-6 route add 2001:db8:9::9 via 2001:db8:77::1"),
    Step("offline", "link set va down"),
  ]

  @Test func `the same holds for IPv6`() async throws {
    #expect(
      try await walk(
        Self.states6, targets: [Self.origin6], after: ["addr add 2001:db8:77::2/64 dev va nodad"])
        == Self.states6.map(\.code))
  }

  private static let dualStates: [Step] = [
    Step("offline"),
    Step("online", "-6 route add default via 2001:db8:77::1"),
    Step("online", "route add default via 10.77.0.1"),
    Step("online", "-6 route del default"),
    Step("offline", "route add blackhole 203.0.113.0/24"),
    Step("online", "-6 route add default via 2001:db8:77::1"),
    Step("offline", "link set vb down"),
  ]

  @Test func `with both families only the loss of both is offline`() async throws {
    #expect(
      try await walk(
        Self.dualStates, targets: [Self.origin, Self.origin6],
        after: ["addr add 2001:db8:77::2/64 dev va nodad"])
        == Self.dualStates.map(\.code))
  }

  @Test func `an address on the link alone is not taken for a blackhole`() async throws {
    let isOffline = try await IsolatedThread.run {
      let target = IPAddress.v6(0xFE80_0000_0000_0000_0000_0000_0000_0001)
      let network = try MonitoredNetwork(
        targets: [target], after: ["addr add fe80::2/64 dev va nodad"])
      return network.monitor.reachability().isProvablyOffline
    }
    #expect(!isOffline)
  }

  @Test func `IPv6 with nothing but a link-local source is offline for that reason`() async throws {
    let states = try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin6],
        after: ["addr add fe80::2/64 dev va nodad", "-6 route add default dev va"])
      return try [
        network.stateWhenAskedAgain(),
        network.state(after: ["addr add 2001:db8:77::2/64 dev va nodad"], expecting: "online"),
      ]
    }
    #expect(states == [.offline("only a link-local source address (netlink)"), .online])
  }

  private static let multipath: [Step] = [
    Step(
      "online", "link add vc type veth peer name vd", "link set vc up", "link set vd up",
      "addr add 10.78.0.2/24 dev vc",
      "route add default nexthop via 10.77.0.1 dev va nexthop via 10.78.0.1 dev vc"),
    Step("online", "link set vb down"),
    Step("offline", "link set vd down"),
    Step("online", "link set vb up"),
  ]

  @Test func `of several next hops one with a cable is enough`() async throws {
    #expect(
      try await walk(Self.multipath, targets: [Self.origin]) == Self.multipath.map(\.code))
  }

  @Test func `a setting that leaves dead links aside is noticed`() async throws {
    let codes = try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], withIPv6: false,
        after: [
          "link add vc type veth peer name vd", "link set vc up", "link set vd up",
          "addr add 10.78.0.2/24 dev vc", "route add default via 10.77.0.1 metric 10",
          "route add default via 10.78.0.1 metric 50",
        ])
      let first = try network.state(after: ["link set vb down"], expecting: "offline")
      let setting = "/proc/sys/net/ipv4/conf/all/ignore_routes_with_linkdown"
      try Data("1".utf8).write(to: URL(filePath: setting))
      let second = try network.state(after: [], expecting: "online")
      return [first.code, second.code]
    }
    #expect(codes == ["offline", "online"])
  }

  @Test func `an IPv4-mapped address is routed as the address in it`() async throws {
    let steps = [Step("offline"), Step("online", "route add default via 10.77.0.1")]
    #expect(
      try await walk(steps, targets: [.v6(0xFFFF_CB00_7109)]) == steps.map(\.code))
  }

  @Test func `the default that goes silently with the last address is noticed`() async throws {
    let steps = [
      Step("online", "route add default via 10.77.0.1"), Step("offline", "addr flush dev va"),
      Step("online", "addr add 10.88.0.2/24 dev va", "route add default via 10.88.0.1"),
    ]
    #expect(try await walk(steps, targets: [Self.origin]) == steps.map(\.code))
  }
}
