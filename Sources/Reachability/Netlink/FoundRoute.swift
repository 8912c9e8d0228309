/// A route as the kernel describes it.
struct FoundRoute: Equatable {
  /// The route's treatment of a packet (`rtm_type`).
  private(set) var kind: UInt8
  /// True when no next hop can carry a packet: the cable is unplugged, or a tunnel has no process.
  private(set) var isLinkDown: Bool
  /// The number of the interface, when there is one next hop.
  let interface: UInt32?
  /// The next router, when there is one next hop and it is not on the link.
  let gateway: UInt128?
  /// True when the table's entry covers every address. The resolved form covers only the address asked about.
  let isDefault: Bool
  /// The source address that a packet would carry; only in the resolved form.
  let source: UInt128?
  /// The next hops, when there are several, or when the kernel names them only by ``nextHop``.
  private(set) var hops: [NextHop]
  /// The number of the next-hop object behind the route, if there is one.
  let nextHop: UInt32?

  /// One of several next hops.
  struct NextHop: Equatable {
    let interface: UInt32
    let gateway: UInt128?
    let isDown: Bool
  }

  private static let blackhole: UInt8 = 6
  /// Further members of a larger group count as alive.
  private static let maximumMembers = 32

  /// Reads an `RTM_NEWROUTE` message, its header included.
  init?(message: ArraySlice<UInt8>) {
    guard let length: UInt8 = message.native(at: 17), let kind: UInt8 = message.native(at: 23),
      let flags: UInt32 = message.native(at: 24),
      let payloads = NetlinkAttribute.payloads(in: message.dropFirst(28)),
      let hops = Self.hops(in: payloads[NetlinkAttribute.multipath] ?? [])
    else { return nil }
    self.kind = kind
    isDefault = length == 0
    self.hops = hops
    // With several next hops the route's own flags say nothing; each hop has its own.
    self.isLinkDown = hops.isEmpty ? NextHop.isDown(flags) : hops.allSatisfy(\.isDown)
    self.interface = payloads[NetlinkAttribute.interface]?.native(at: 0)
    self.gateway = NextHop.gateway(in: payloads)
    self.source = payloads[NetlinkAttribute.preferredSource]?.networkNumber
    self.nextHop = payloads[NetlinkAttribute.nextHop]?.native(at: 0)
  }

  private static func hops(in bytes: ArraySlice<UInt8>) -> [NextHop]? {
    var hops: [NextHop] = []
    var rest = bytes
    while !rest.isEmpty {
      guard let length: UInt16 = rest.native(at: 0), length >= 8, Int(length) <= rest.count,
        let flags: UInt8 = rest.native(at: 2), let interface: UInt32 = rest.native(at: 4),
        let payloads = NetlinkAttribute.payloads(in: rest.prefix(Int(length)).dropFirst(8))
      else { return nil }
      hops.append(
        NextHop(
          interface: interface, gateway: NextHop.gateway(in: payloads),
          isDown: NextHop.isDown(UInt32(flags))))
      rest = rest.dropFirst(Int(length).roundedUpToFour)
    }
    return hops
  }
}

extension FoundRoute {
  /// The route with the next hops that it names only by the number of their object. The kernel does so where
  /// `net.ipv4.nexthop_compat_mode` is 0.
  ///
  /// A missing object leaves the route as it is. The kernel deletes an object when its cable is unplugged or its
  /// interface is gone. It deletes the route with the last object of a group.
  func completed(asking object: (UInt32) -> NextHopObject?) -> FoundRoute {
    guard let nextHop, interface == nil, hops.isEmpty, let first = object(nextHop) else {
      return self
    }
    var route = self
    let members = first.members.prefix(Self.maximumMembers).compactMap(object)
    route.hops = (first.members.isEmpty ? [first] : members).compactMap(\.hop)
    route.isLinkDown =
      route.hops.count == max(first.members.count, 1) && route.hops.allSatisfy(\.isDown)
    if first.isBlackhole { route.kind = Self.blackhole }
    return route
  }
}

extension FoundRoute.NextHop {
  // RTNH_F_DEAD and RTNH_F_LINKDOWN; the same bits in the flags of a route and of a next hop.
  private static let dead: UInt32 = 1
  private static let linkDown: UInt32 = 16

  static func isDown(_ flags: UInt32) -> Bool { flags & (dead | linkDown) != 0 }

  /// The next router. It may be of another family than the route (RFC 5549).
  static func gateway(in payloads: [UInt16: ArraySlice<UInt8>]) -> UInt128? {
    payloads[NetlinkAttribute.gateway]?.networkNumber
      ?? payloads[NetlinkAttribute.gatewayOfOtherFamily]?.dropFirst(2).networkNumber
  }
}

/// An object of next hops (ip-nexthop(8)). Routes name it by its number.
struct NextHopObject: Equatable {
  /// The next hop; `nil` for a group, and for an object that leads nowhere.
  let hop: FoundRoute.NextHop?
  /// True when it drops every packet.
  let isBlackhole: Bool
  /// The numbers of the objects in a group, none of which is a group.
  let members: [UInt32]

  // struct nexthop_grp: the number, and the weight.
  private static let memberSize = 8

  /// Reads an `RTM_NEWNEXTHOP` message, its header included.
  init?(message: ArraySlice<UInt8>) {
    guard let flags: UInt32 = message.native(at: 20),
      let payloads = NetlinkAttribute.payloads(in: message.dropFirst(24))
    else { return nil }
    let group = payloads[NetlinkAttribute.nextHopGroup] ?? []
    guard group.count.isMultiple(of: Self.memberSize) else { return nil }
    members = stride(from: 0, to: group.count, by: Self.memberSize).compactMap {
      group.native(at: $0)
    }
    isBlackhole = payloads[NetlinkAttribute.nextHopBlackhole] != nil
    let interface: UInt32? = payloads[NetlinkAttribute.nextHopInterface]?.native(at: 0)
    let gateway = payloads[NetlinkAttribute.nextHopGateway]?.networkNumber
    hop = interface.map {
      FoundRoute.NextHop(
        interface: $0, gateway: gateway, isDown: FoundRoute.NextHop.isDown(flags))
    }
  }
}
