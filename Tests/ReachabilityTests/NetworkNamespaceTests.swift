import Strategies
import Testing

@testable import Reachability

/// States of a real kernel, each made in a network namespace of its own.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value })
struct NetworkNamespaceTests {
  private static let origin = IPAddress.v4(0xCB00_7109)

  private func state(
    of provider: some ReachabilityProvider = KernelReachability(target: origin),
    after lines: [String], without calls: [SystemCall] = []
  ) async throws -> Reachability {
    try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      for line in lines { try IsolatedThread.configure(line) }
      if !calls.isEmpty { try IsolatedThread.forbid(calls) }
      return provider.reachability()
    }
  }

  @Test(arguments: [
    ([String](), "ENETUNREACH"),
    (["route add unreachable default"], "EHOSTUNREACH"),
    (["route add blackhole default"], "EINVAL"),
    (["route add prohibit default"], "EACCES"),
    (["route add default via 10.77.0.1", "route add blackhole 203.0.113.0/24"], "EINVAL"),
    (
      ["route add default via 10.77.0.1 metric 50", "route add unreachable default metric 10"],
      "EHOSTUNREACH"
    ),
    (["route add default via 10.77.0.1 table 100"], "ENETUNREACH"),
    (["route add default via 10.77.0.1", "link set va down"], "ENETUNREACH"),
  ])
  func `without a usable route the kernel proves that the source is offline`(
    lines: [String], error: String
  ) async throws {
    #expect(try await state(after: lines) == .offline("203.0.113.9: \(error)"))
  }

  @Test(arguments: [
    ["route add default via 10.77.0.1"],
    ["route add default dev va"],
    ["route add 0.0.0.0/1 dev va", "route add 128.0.0.0/1 dev va"],
    ["route add 203.0.113.9 via 10.77.0.1"],
    ["route add default via 10.77.0.1 table 100", "rule add table 100"],
    ["route add default via 10.77.0.1 metric 5", "route add unreachable default metric 10"],
  ])
  func `with a usable route the source is online`(lines: [String]) async throws {
    #expect(try await state(after: lines) == .online)
  }

  @Test func `a neighbour is online without a default route`() async throws {
    let provider = KernelReachability(target: .v4(0x0A4D_0001))
    #expect(try await state(of: provider, after: []) == .online)
  }

  @Test func `the default targets are offline only when both families are`() async throws {
    let provider = KernelReachability()
    #expect(
      try await state(of: provider, after: []).isProvablyOffline)
    #expect(try await state(of: provider, after: ["route add default dev va"]) == .online)
    #expect(
      try await state(
        of: provider,
        after: ["addr add 2001:db8::2/64 dev va nodad", "-6 route add default dev va"]) == .online)
  }

  @Test func `IPv6 with only a link-local source address counts as no route`() async throws {
    let provider = KernelReachability(target: .v6(0x2001_0503_BA3E_0000_0000_0000_0002_0030))
    let lines = [
      "addr flush dev va", "addr add fe80::2/64 dev va nodad", "-6 route add default dev va",
    ]
    #expect(
      try await state(of: provider, after: lines)
        == .offline("2001:503:ba3e::2:30: only a link-local source address"))
  }

  @Test func `a target on the link is reachable from a link-local address, too`() async throws {
    let provider = KernelReachability(target: RouteMonitorNamespaceTests.origin6)
    let lines = [
      "addr flush dev va", "addr add fe80::2/64 dev va nodad",
      "-6 route add 2001:db8:9::/64 dev va",
    ]
    #expect(try await state(of: provider, after: lines) == .online)
  }

  @Test func `a link-local source is not mistaken for a blackhole`() async throws {
    let provider = KernelReachability(target: .v6(0xFE80_0000_0000_0000_0000_0000_0000_0001))
    let lines = ["addr add fe80::2/64 dev va nodad"]
    #expect(try await state(of: provider, after: lines) == .online)
  }

  @Test func `a new namespace with its loopback down is offline by both methods`() async throws {
    let states = try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      return [KernelReachability().reachability(), RouteTableReachability().reachability()]
    }
    #expect(states.map(\.code) == ["offline", "offline"])
  }

  @Test func `the answer follows the routes at once`() async throws {
    let codes = try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      let provider = KernelReachability(target: Self.origin)
      var codes = [provider.reachability().code]
      for line in ["add", "del", "add"] {
        try IsolatedThread.configure("route \(line) default via 10.77.0.1")
        codes.append(provider.reachability().code)
      }
      return codes
    }
    #expect(codes == ["offline", "online", "offline", "online"])
  }

  @Test func `a renumbered host does not stay offline`() async throws {
    let codes = try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      try IsolatedThread.configure("route add default via 10.77.0.1")
      let provider = KernelReachability(target: Self.origin)
      var codes = [provider.reachability().code]
      try IsolatedThread.configure(
        "addr flush dev va", "addr add 10.88.0.2/24 dev va", "route add default via 10.88.0.1")
      codes.append(provider.reachability().code)
      return codes
    }
    #expect(codes == ["online", "online"])
  }

  @Test(
    .enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value },
    arguments: [
      ([String](), "offline"), (["route add default via 10.77.0.1"], "online"),
      (["route add 203.0.113.9 via 10.77.0.1"], "online"),
      (["route add default via 10.77.0.1", "route add blackhole 203.0.113.0/24"], "offline"),
    ])
  func `the route files answer where sockets are forbidden`(
    lines: [String], code: String
  ) async throws {
    #expect(try await state(after: lines, without: [.socket]).code == code)
  }

  @Test(.enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value })
  func `the state is unknown, not offline, where the route files are forbidden too`() async throws {
    let state = try await state(after: [], without: [.socket, .openat])
    #expect(
      state == .unknown("socket: EPERM, /proc/thread-self/net/route: EPERM"))
    #expect(!state.isProvablyOffline)
  }
}
