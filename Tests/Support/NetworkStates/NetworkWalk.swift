/// States of a network namespace, each reached from the one before.
public struct NetworkWalk: Sendable {
  /// The addresses of the source whose reachability is followed.
  public let addresses: [String]
  /// Files below `/proc/sys/net` and the text that is written into them first.
  public let settings: [String: String]
  /// The setup of an empty namespace's network: arguments for `ip`, one call a line.
  public let preparation: [String]
  /// The states, in order. Before the first the source is offline.
  public let states: [NetworkState]

  init(
    to addresses: String..., settings: [String: String] = [:], after lines: String...,
    states: [NetworkState]
  ) {
    self.addresses = addresses
    self.settings = settings
    self.preparation = Self.oneInterface + lines
    self.states = states
  }

  /// The codes of the states.
  public var codes: [String] { states.map(\.code) }

  /// The interface `va` with the address 10.77.0.2/24, and its live peer `vb`.
  public static let oneInterface = [
    "link set lo up", "link add va type veth peer name vb", "link set vb up", "link set va up",
    "addr add 10.77.0.2/24 dev va",
  ]

  /// Files below `/proc/sys/net` that switch IPv6 off, which announces more than IPv4 does: without
  /// it a monitor has fewer occasions to notice.
  public static let withoutIPv6 = [
    "ipv6/conf/all/disable_ipv6": "1", "ipv6/conf/default/disable_ipv6": "1",
  ]

  /// The input of `ip -batch` that adds 50,000 routes.
  public static var storm: String {
    (0..<50_000).map {
      "route add 198.\(18 + $0 / 32_768).\($0 / 128 % 256).\($0 % 128 * 2)/31 dev va\n"
    }.joined()
  }
}

extension NetworkWalk {
  /// 19 states of routes to an IPv4 address; `file` is one with the ``storm``.
  public static func routes(stormIn file: String) -> NetworkWalk {
    NetworkWalk(
      to: "203.0.113.9", settings: withoutIPv6,
      states: [
        NetworkState("online", "route add default via 10.77.0.1"),
        NetworkState("offline", "link set va down"),
        NetworkState("online", "link set va up", "route add default via 10.77.0.1"),
        NetworkState("offline", "link set vb down"),
        NetworkState("online", "link set vb up"),
        NetworkState(
          "offline", "route add default via 10.77.0.1 metric 50",
          "route add unreachable default metric 10", "route del default via 10.77.0.1"),
        NetworkState(
          "offline", "route add blackhole default metric 5",
          "route del unreachable default metric 10"),
        NetworkState(
          "offline", "route add blackhole 203.0.113.0/24", "route del blackhole default metric 5"),
        NetworkState(
          "online", "route del default", "route add 0.0.0.0/1 via 10.77.0.1",
          "route add 128.0.0.0/1 via 10.77.0.1", "route del blackhole 203.0.113.0/24"),
        NetworkState(
          "online", "route add default via 10.77.0.1 table 100", "rule add table 100",
          "route del 0.0.0.0/1", "route del 128.0.0.0/1"),
        NetworkState("offline", "rule del table 100"),
        NetworkState(
          "offline", "rule add unreachable pref 50",
          "route add default via 10.77.0.1 dev va onlink"),
        NetworkState(
          "online", "route del default", "nexthop add id 7 via 10.77.0.1 dev va onlink",
          "route add default nhid 7", "rule del pref 50"),
        NetworkState("offline", "nexthop del id 7"),
        NetworkState("online", "route add default via 10.77.0.1"),
        NetworkState("online", "route add 203.0.113.9 via 10.77.0.1", "route del default"),
        NetworkState("online", "route add default via 10.77.0.1"),
        NetworkState("online", "-batch \(file)"),
        NetworkState("offline", "route del 203.0.113.9", "route del default"),
      ])
  }

  /// The same for an IPv6 address.
  public static let routesOfIPv6 = NetworkWalk(
    to: "2001:db8:9::9", after: "addr add 2001:db8:77::2/64 dev va nodad",
    states: [
      NetworkState("offline"),
      NetworkState("online", "-6 route add default via 2001:db8:77::1"),
      NetworkState("offline", "link set vb down"),
      NetworkState("online", "link set vb up"),
      NetworkState("offline", "-6 route add unreachable default metric 10"),
      NetworkState(
        "offline", "-6 route add blackhole default metric 5",
        "-6 route del unreachable default metric 10"),
      NetworkState(
        "offline", "-6 route add prohibit 2001:db8:9::/48",
        "-6 route del blackhole default metric 5"),
      NetworkState(
        "online", "-6 route del default", "-6 route add ::/1 via 2001:db8:77::1",
        "-6 route del prohibit 2001:db8:9::/48"),
      NetworkState(
        "online", "-6 route add default via 2001:db8:77::1 table 100", "-6 rule add table 100",
        "-6 route del ::/1"),
      NetworkState("offline", "-6 rule del table 100"),
      NetworkState(
        "offline", "-6 rule add unreachable pref 50",
        "-6 route add default via 2001:db8:77::1 dev va onlink"),
      NetworkState(
        "online", "-6 route del default", "nexthop add id 7 via 2001:db8:77::1 dev va onlink",
        "-6 route add default nhid 7", "-6 rule del pref 50"),
      NetworkState("offline", "nexthop del id 7"),
      NetworkState("online", "-6 route add 2001:db8:9::9 via 2001:db8:77::1"),
      NetworkState("offline", "link set va down"),
    ])

  /// IPv6 routes and rules for packets from one source address only.
  public static let routesBySource = NetworkWalk(
    to: "2001:db8:9::9", after: "addr add 2001:db8:77::2/64 dev va nodad",
    states: [
      NetworkState("online", "-6 route add default from 2001:db8:77::/64 via 2001:db8:77::1"),
      NetworkState("offline", "link set vb down"),
      NetworkState("online", "link set vb up"),
      NetworkState("offline", "-6 route del default from 2001:db8:77::/64"),
      NetworkState("offline", "-6 route add default via 2001:db8:77::1 table 100"),
      NetworkState("online", "-6 rule add from 2001:db8:77::/64 table 100"),
      NetworkState("online", "-6 route add unreachable default"),
      NetworkState("offline", "-6 rule del from 2001:db8:77::/64 table 100"),
      // No router forwards a packet from such a source.
      NetworkState(
        "offline", "addr del 2001:db8:77::2/64 dev va", "addr add fe80::2/64 dev va nodad",
        "-6 route add default from fe80::/10 via fe80::1 dev va"),
    ])

  /// A source with an address of each family, of which one in reach is enough.
  public static let bothFamilies = NetworkWalk(
    to: "203.0.113.9", "2001:db8:9::9", after: "addr add 2001:db8:77::2/64 dev va nodad",
    states: [
      NetworkState("offline"),
      NetworkState("online", "-6 route add default via 2001:db8:77::1"),
      NetworkState("online", "route add default via 10.77.0.1"),
      NetworkState("online", "-6 route del default"),
      NetworkState("offline", "route add blackhole 203.0.113.0/24"),
      NetworkState("online", "-6 route add default via 2001:db8:77::1"),
      NetworkState("offline", "link set vb down"),
    ])

  /// A route with several next hops, of which one with a cable is enough.
  public static let multipath = NetworkWalk(
    to: "203.0.113.9",
    states: [
      NetworkState(
        "online", "link add vc type veth peer name vd", "link set vc up", "link set vd up",
        "addr add 10.78.0.2/24 dev vc",
        "route add default nexthop via 10.77.0.1 dev va nexthop via 10.78.0.1 dev vc"),
      NetworkState("online", "link set vb down"),
      NetworkState("offline", "link set vd down"),
      NetworkState("online", "link set vb up"),
    ])
}
