/// The bytes of a netlink message that asks for the route to one address (rtnetlink(7),
/// `RTM_GETROUTE`).
///
/// The kernel is asked in the routing tables' own words (`RTM_F_FIB_MATCH`), because that answer
/// tells of a cable that is out, or with the route resolved, because that answer tells the source
/// address.
enum RouteQuestion {
  /// Which of its two answers the kernel gives.
  enum Form {
    /// The entry of the routing table that decides.
    case entry
    /// The route a packet would take, with its source address.
    case resolved
  }

  private static let getRoute: UInt16 = 26
  private static let request: UInt16 = 1
  private static let matchEntry: UInt32 = 0x2000

  /// Builds the question; the kernel repeats `sequence` in its answer.
  static func bytes(for target: IPAddress, form: Form, sequence: UInt32) -> [UInt8] {
    let (family, address) = familyAndAddress(of: target)
    var body: [UInt8] = [family, UInt8(address.count * 8), 0, 0, 0, 0, 0, 0]
    body.append(native: form == .entry ? matchEntry : 0)
    body.append(native: UInt16(4 + address.count))
    body.append(native: NetlinkAttribute.destination)
    body += address
    var message: [UInt8] = []
    message.append(native: UInt32(16 + body.count))
    message.append(native: getRoute)
    message.append(native: request)
    message.append(native: sequence)
    message.append(native: UInt32(0))
    return message + body
  }

  // The address families of the Linux kernel: 2 is IPv4, 10 is IPv6.
  private static func familyAndAddress(of target: IPAddress) -> (UInt8, [UInt8]) {
    switch target {
    case .v4(let value): (2, (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
    case .v6(let value): (10, (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * $0)) })
    }
  }
}
