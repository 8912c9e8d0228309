import Foundation
import NetworkStates
import Strategies
import Testing

@testable import Reachability

/// The monitor in states of a real kernel, each reached by changing the network under it.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value }, .serialized)
struct RouteMonitorNamespaceTests {
  static let origin = IPAddress.v4(0xCB00_7109)
  static let origin6 = IPAddress.v6(0x2001_0DB8_0009_0000_0000_0000_0000_0009)

  @Test func `the monitor is right in each of 19 states of a network`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString)")
    try Data(NetworkWalk.storm.utf8).write(to: file)
    defer {
      do {
        try FileManager.default.removeItem(at: file)
      } catch {
        Issue.record(error)
      }
    }
    let walk = NetworkWalk.routes(stormIn: file.path())
    #expect(walk.states.count == 19)
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test func `the monitor is right in each state of an IPv6 network`() async throws {
    let walk = NetworkWalk.routesOfIPv6
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test func `IPv6 routes for one source address alone count as a connection would find them`()
    async throws
  {
    let walk = NetworkWalk.routesBySource
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test func `with both families only the loss of both is offline`() async throws {
    let walk = NetworkWalk.bothFamilies
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test func `an address on the link alone is not mistaken for a blackhole`() async throws {
    let isOffline = try await IsolatedThread.run {
      let target = IPAddress.v6(0xFE80_0000_0000_0000_0000_0000_0000_0001)
      let network = try MonitoredNetwork(
        targets: [target], after: ["addr add fe80::2/64 dev va nodad"])
      return network.monitor.reachability().isProvablyOffline
    }
    #expect(!isOffline)
  }

  @Test func `IPv6 with only a link-local source is offline for that reason`() async throws {
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

  @Test func `a target on the link is reachable from a link-local address, too`() async throws {
    let states = try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin6],
        after: ["addr add fe80::2/64 dev va nodad", "-6 route add 2001:db8:9::/64 dev va"])
      return try [
        network.stateWhenAskedAgain(),
        network.state(after: ["-6 route del 2001:db8:9::/64 dev va"], expecting: "offline"),
      ]
    }
    #expect(states.map(\.code) == ["online", "offline"])
  }

  @Test func `the unspecified address is the loopback of the host`() async throws {
    let state = try await IsolatedThread.run {
      try MonitoredNetwork(targets: [.v4(0), .v6(0)], after: ["link set lo up"])
        .stateWhenAskedAgain()
    }
    #expect(state == .online)
  }

  @Test func `one next hop with a cable is enough`() async throws {
    let walk = NetworkWalk.multipath
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test func `a setting that ignores routes over dead links is noticed`() async throws {
    let codes = try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], settings: NetworkWalk.withoutIPv6,
        after: [
          "link add vc type veth peer name vd", "link set vc up", "link set vd up",
          "addr add 10.78.0.2/24 dev vc", "route add default via 10.77.0.1 metric 10",
          "route add default via 10.78.0.1 metric 50",
        ])
      let first = try network.state(after: ["link set vb down"], expecting: "offline")
      try IsolatedThread.set("ipv4/conf/all/ignore_routes_with_linkdown", to: "1")
      let second = try network.state(after: [], expecting: "online")
      return [first.code, second.code]
    }
    #expect(codes == ["offline", "online"])
  }

  /// Makes the changes in one namespace and returns the codes of the states in between.
  private func codes(_ states: [NetworkState], target: IPAddress) async throws -> [String] {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [target])
      return try states.map { try network.state(after: $0.lines, expecting: $0.code).code }
    }
  }

  @Test func `an IPv4-mapped address is routed as the embedded IPv4 address`() async throws {
    let states = [
      NetworkState("offline"), NetworkState("online", "route add default via 10.77.0.1"),
    ]
    #expect(
      try await codes(states, target: .v6(0xFFFF_CB00_7109)) == states.map(\.code))
  }

  @Test func `the silent loss of the default route with the last address is noticed`() async throws
  {
    let states = [
      NetworkState("online", "route add default via 10.77.0.1"),
      NetworkState("offline", "addr flush dev va"),
      NetworkState("online", "addr add 10.88.0.2/24 dev va", "route add default via 10.88.0.1"),
    ]
    #expect(try await codes(states, target: Self.origin) == states.map(\.code))
  }
}
