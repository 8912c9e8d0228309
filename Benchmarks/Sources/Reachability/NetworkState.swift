/// A state of a network, the commands that lead to it from the previous one, and whether a packet
/// for the origin can leave in it.
struct NetworkState {
  let name: String
  let isOnline: Bool
  let lines: [String]
  /// The number of added routes that do not lead to the origin.
  let newRoutes: Int

  private init(_ name: String, _ isOnline: Bool, _ lines: String..., newRoutes: Int = 0) {
    self.name = name
    self.isOnline = isOnline
    self.lines = lines
    self.newRoutes = newRoutes
  }

  private static let online = true
  private static let offline = false

  static let all = [
    NetworkState("default route", online, "route add default via 10.77.0.1"),
    NetworkState("link down, host without IPv6", offline, "link set va down"),
    NetworkState(
      "link up, default added", online, "link set va up", "route add default via 10.77.0.1"),
    NetworkState("cable pulled (no carrier)", offline, "link set vb down"),
    NetworkState("cable back", online, "link set vb up"),
    NetworkState(
      "`unreachable default metric 10` beats the default", offline, "route del default",
      "route add default via 10.77.0.1 metric 50", "route add unreachable default metric 10"),
    NetworkState(
      "`blackhole default metric 10` beats it", offline,
      "route del unreachable default metric 10", "route add blackhole default metric 10"),
    NetworkState(
      "`blackhole 203.0.113.0/24`, as kill switches set", offline,
      "route del blackhole default metric 10", "route add blackhole 203.0.113.0/24"),
    NetworkState(
      "`0.0.0.0/1` and `128.0.0.0/1` only, as VPNs set", online,
      "route del blackhole 203.0.113.0/24", "route del default",
      "route add 0.0.0.0/1 via 10.77.0.1", "route add 128.0.0.0/1 via 10.77.0.1"),
    NetworkState(
      "default in table 100 and a rule that leads there", online, "route del 0.0.0.0/1",
      "route del 128.0.0.0/1", "route add default via 10.77.0.1 table 100", "rule add table 100"),
    NetworkState("the same without the rule", offline, "rule del table 100"),
    NetworkState(
      "a rule that says unreachable", offline, "route add default via 10.77.0.1",
      "rule add unreachable pref 50"),
    NetworkState(
      "default through a next-hop object", online, "rule del pref 50", "route del default",
      "nexthop add id 7 via 10.77.0.1 dev va", "route add default nhid 7"),
    NetworkState("that object deleted", offline, "nexthop del id 7"),
    NetworkState("default back", online, "route add default via 10.77.0.1"),
    NetworkState(
      "a route to the origin alone", online, "route del default",
      "route add 203.0.113.9 via 10.77.0.1"),
    NetworkState("default again", online, "route add default via 10.77.0.1"),
    NetworkState("after a storm of 99,000 new routes", online, newRoutes: 99_000),
    NetworkState(
      "then the default removed", offline, "route del default", "route del 203.0.113.9"),
  ]
}
