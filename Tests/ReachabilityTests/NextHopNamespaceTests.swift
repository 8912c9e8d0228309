import NetworkStates
import Strategies
import Testing

@testable import Reachability

/// Routes through next-hop objects of a real kernel, reported in either form.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value }, .serialized)
struct NextHopNamespaceTests {
  @Test(arguments: [0, 1])
  func `the monitor is right about routes through next-hop objects`(compatMode: Int) async throws {
    let walk = NetworkWalk.nextHops(compatMode: compatMode)
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test(arguments: [0, 1])
  func `the monitor is right about IPv6 routes through next-hop objects`(compatMode: Int)
    async throws
  {
    let walk = NetworkWalk.nextHopsOfIPv6(compatMode: compatMode)
    #expect(try await MonitoredNetwork.codes(of: walk) == walk.codes)
  }

  @Test(arguments: [0, 1])
  func `another router behind the same object is a new generation`(compatMode: Int) async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [.v4(0xCB00_7109)], settings: ["ipv4/nexthop_compat_mode": "\(compatMode)"],
        after: [
          "nexthop add id 7 via 10.77.0.1 dev va", "nexthop add id 8 via 10.77.0.3 dev va",
          "nexthop add id 9 group 7/8", "route add default nhid 9",
        ])
      for change in ["id 8 via 10.77.0.4 dev va", "id 8 via inet6 fe80::4 dev va", "id 9 group 8"] {
        let generation = network.monitor.generation
        try IsolatedThread.configure("nexthop replace \(change)")
        #expect(network.wait { network.monitor.generation > generation }, "\(change)")
        #expect(network.monitor.reachability() == .online)
        let settled = network.monitor.generation
        _ = try network.stateWhenAskedAgain()
        #expect(network.monitor.generation == settled)
      }
    }
  }

  @Test func `the kernel's own messages about an object and a group are parsed`() async throws {
    let replies = try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      try IsolatedThread.configure(
        "nexthop add id 7 via 10.77.0.1 dev va", "nexthop add id 9 group 7",
        "nexthop add id 10 blackhole")
      let socket = try NetlinkSocket()
      return try [UInt32(7), 9, 10, 11].map { number in
        try socket.send(RouteQuestion.nextHop(number).bytes(sequence: number))
        return try socket.receive().flatMap { RouteReply($0, sequence: number) }
      }
    }
    guard case .nextHop(let object) = replies[0], case .nextHop(let group) = replies[1],
      case .nextHop(let blackhole) = replies[2]
    else {
      Issue.record("\(replies)")
      return
    }
    #expect(object.hop?.gateway == 0x0A4D_0001)
    #expect(object.hop?.isDown == false)
    #expect(object.members.isEmpty)
    #expect(group.hop == nil)
    #expect(group.members == [7])
    #expect(blackhole.isBlackhole)
    #expect(!object.isBlackhole)
    // ENOENT
    #expect(replies[3] == .refused(2))
  }
}
