/// A route as the kernel describes it.
struct FoundRoute: Equatable {
  /// What the route does with a packet: the kernel's `rtm_type`.
  let kind: UInt8
  /// True when no next hop can carry a packet: the cable is out, or a tunnel has no process.
  let isLinkDown: Bool
  /// The number of the interface, when there is one next hop.
  let interface: UInt32?
  /// The next router, when there is one next hop and it is not on the link.
  let gateway: UInt128?
  /// The source address a packet would carry; only in the resolved form.
  let source: UInt128?
  /// The next hops, when there are several.
  let hops: [NextHop]

  /// One of several next hops.
  struct NextHop: Equatable {
    let interface: UInt32
    let isDown: Bool
  }

  // RTNH_F_DEAD and RTNH_F_LINKDOWN; the same bits in a route's flags and in a next hop's.
  private static let dead: UInt8 = 1
  private static let linkDown: UInt8 = 16

  /// Reads an `RTM_NEWROUTE` message, its header included.
  init?(message: ArraySlice<UInt8>) {
    guard let flags: UInt32 = message.native(at: 24),
      let attributes = NetlinkAttribute.list(in: message.dropFirst(28))
    else { return nil }
    var first: [UInt16: ArraySlice<UInt8>] = [:]
    for attribute in attributes where first[attribute.kind] == nil {
      first[attribute.kind] = attribute.payload
    }
    guard let hops = Self.hops(in: first[NetlinkAttribute.multipath] ?? []) else { return nil }
    self.kind = message[message.startIndex + 23]
    self.hops = hops
    // With several next hops the route's own flags say nothing; each hop has its own.
    self.isLinkDown =
      hops.isEmpty
      ? Self.isDown(UInt8(truncatingIfNeeded: flags)) : hops.allSatisfy(\.isDown)
    self.interface = first[NetlinkAttribute.interface]?.native(at: 0)
    self.gateway = first[NetlinkAttribute.gateway]?.networkNumber
    self.source = first[NetlinkAttribute.preferredSource]?.networkNumber
  }

  private static func isDown(_ flags: UInt8) -> Bool { flags & (dead | linkDown) != 0 }

  private static func hops(in bytes: ArraySlice<UInt8>) -> [NextHop]? {
    var hops: [NextHop] = []
    var rest = bytes
    while !rest.isEmpty {
      guard let length: UInt16 = rest.native(at: 0), length >= 8, Int(length) <= rest.count,
        let flags: UInt8 = rest.native(at: 2), let interface: UInt32 = rest.native(at: 4)
      else { return nil }
      hops.append(NextHop(interface: interface, isDown: isDown(flags)))
      rest = rest.dropFirst(Int(length).roundedUpToFour)
    }
    return hops
  }
}
