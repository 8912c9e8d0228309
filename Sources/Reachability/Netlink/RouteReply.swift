/// The answer of a netlink message to a ``RouteQuestion``. Any bytes are accepted: anything but an
/// answer to this question is `nil`.
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
