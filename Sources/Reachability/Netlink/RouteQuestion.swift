/// A question to the kernel's routing (rtnetlink(7)).
///
/// A route is requested in one of two forms. The routing tables' own entry (`RTM_F_FIB_MATCH`) shows an unplugged
/// cable; the resolved route shows the source address.
enum RouteQuestion: Equatable {
  /// The entry of the routing tables that decides, for packets from a source address where one is given.
  case entry(IPAddress, from: IPAddress? = nil)
  /// The route that a packet would take, with its source address.
  case resolved(IPAddress)
  /// The next-hop object of this number.
  case nextHop(UInt32)

  private static let getRoute: UInt16 = 26
  private static let getNextHop: UInt16 = 106
  private static let request: UInt16 = 1
  private static let matchEntry: UInt32 = 0x2000

  /// Builds the message; the kernel repeats `sequence` in its answer.
  func bytes(sequence: UInt32) -> [UInt8] {
    let body =
      switch self {
      case .entry(let target, let source):
        Self.body(to: target, from: source, flags: Self.matchEntry)
      case .resolved(let target): Self.body(to: target, from: nil, flags: 0)
      case .nextHop(let number): Self.body(nextHop: number)
      }
    var message: [UInt8] = []
    message.append(native: UInt32(16 + body.count))
    message.append(native: kind)
    message.append(native: Self.request)
    message.append(native: sequence)
    message.append(native: UInt32(0))
    return message + body
  }

  private var kind: UInt16 {
    if case .nextHop = self { Self.getNextHop } else { Self.getRoute }
  }

  /// `struct rtmsg` and the addresses.
  private static func body(to target: IPAddress, from source: IPAddress?, flags: UInt32) -> [UInt8]
  {
    let address = bytes(of: target)
    let from = source.map(bytes(of:)) ?? []
    // The address families of the Linux kernel: 2 is IPv4, 10 is IPv6.
    let family: UInt8 = if case .v4 = target { 2 } else { 10 }
    var body = [family, UInt8(address.count * 8), UInt8(from.count * 8), 0, 0, 0, 0, 0]
    body.append(native: flags)
    body.append(NetlinkAttribute.destination, payload: address)
    if !from.isEmpty { body.append(NetlinkAttribute.source, payload: from) }
    return body
  }

  /// `struct nhmsg` and the number.
  private static func body(nextHop number: UInt32) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(native: number)
    var body = [UInt8](repeating: 0, count: 8)
    body.append(NetlinkAttribute.nextHopNumber, payload: payload)
    return body
  }

  private static func bytes(of address: IPAddress) -> [UInt8] {
    switch address {
    case .v4(let value): (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    case .v6(let value): (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * $0)) }
    }
  }
}

/// The answer of a netlink message to a ``RouteQuestion``. Accepts any bytes: anything but an answer to this
/// question is `nil`.
enum RouteReply: Equatable {
  case route(FoundRoute)
  case nextHop(NextHopObject)
  /// The kernel's error number, positive.
  case refused(Int32)

  private static let error: UInt16 = 2
  private static let newRoute: UInt16 = 24
  private static let newNextHop: UInt16 = 104

  /// Reads the first message in `bytes` that carries the question's number.
  init?(_ bytes: [UInt8], sequence: UInt32) {
    var rest = bytes[...]
    while let length: UInt32 = rest.native(at: 0), length >= 16, Int(length) <= rest.count {
      let message = rest.prefix(Int(length))
      if message.native(at: 8) == sequence {
        guard let reply = RouteReply(message: message) else { return nil }
        self = reply
        return
      }
      rest = rest.dropFirst(Int(length).roundedUpToFour)
    }
    return nil
  }

  private init?(message: ArraySlice<UInt8>) {
    let kind: UInt16? = message.native(at: 4)
    switch kind {
    case Self.error:
      guard let value: UInt32 = message.native(at: 16), value != 0 else { return nil }
      self = .refused(0 &- Int32(bitPattern: value))
    case Self.newRoute:
      guard let route = FoundRoute(message: message) else { return nil }
      self = .route(route)
    case Self.newNextHop:
      guard let object = NextHopObject(message: message) else { return nil }
      self = .nextHop(object)
    default:
      return nil
    }
  }
}
