/// An object of next hops, which routes name by its number (ip-nexthop(8)).
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
