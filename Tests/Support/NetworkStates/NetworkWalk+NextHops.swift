extension NetworkWalk {
  /// Routes through next-hop objects. With `compatMode` 1, as is usual, the kernel lists the next
  /// hops of a route; with 0 it gives only the number of their object.
  public static func nextHops(compatMode: Int) -> NetworkWalk {
    nextHops(
      to: "203.0.113.9", family: "-4", gateways: ("10.77.0.1", "10.78.0.1"),
      addresses: ("10.77.0.2/24", "10.78.0.2/24"), compatMode: compatMode)
  }

  /// The same for an IPv6 address.
  public static func nextHopsOfIPv6(compatMode: Int) -> NetworkWalk {
    nextHops(
      to: "2001:db8:9::9", family: "-6", gateways: ("2001:db8:77::1", "2001:db8:78::1"),
      addresses: ("2001:db8:77::2/64 nodad", "2001:db8:78::2/64 nodad"), compatMode: compatMode)
  }

  private static func nextHops(
    to target: String, family: String, gateways: (String, String), addresses: (String, String),
    compatMode: Int
  ) -> NetworkWalk {
    let (first, second) = (
      "nexthop add id 7 via \(gateways.0) dev va", "nexthop add id 8 via \(gateways.1) dev vc"
    )
    let (group, route) = ("nexthop add id 9 group 7/8", "\(family) route add default nhid")
    return NetworkWalk(
      to: target, settings: ["ipv4/nexthop_compat_mode": "\(compatMode)"],
      after: "link add vc type veth peer name vd", "link set vc up", "link set vd up",
      "addr replace \(addresses.0) dev va", "addr add \(addresses.1) dev vc",
      states: [
        NetworkState("online", first, "\(route) 7"),
        // The kernel deletes an object whose cable is out, and the routes through it.
        NetworkState("offline", "link set vb down"),
        NetworkState("offline", "link set vb up"),
        NetworkState("online", first, second, group, "\(route) 9"),
        NetworkState("online", "link set vb down"),
        NetworkState("offline", "link set vd down"),
        NetworkState("offline", "link set vb up", "link set vd up"),
        NetworkState("online", first, second, group, "\(route) 9"),
        NetworkState("online", "link del vc"),
        NetworkState("online", "nexthop replace id 9 group 7"),
        NetworkState("offline", "nexthop del id 7"),
        NetworkState("offline", "\(family) nexthop add id 10 blackhole", "\(route) 10"),
        NetworkState(
          "offline", "nexthop add id 11 group 10", "\(family) route replace default nhid 11"),
        NetworkState("online", "nexthop del id 10", first, "\(route) 7"),
        NetworkState("offline", "link del va"),
      ])
  }
}
