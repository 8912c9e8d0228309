@testable import Reachability

/// The laws that ``FoundRoute`` keeps when it reads several next hops in any bytes.
enum HopLaws {
  /// The laws for the next hops in a datagram that brings a route.
  static func check(_ datagram: [UInt8]) {
    let payloads = NetlinkAttribute.payloads(in: datagram.dropFirst(28))
    guard let bytes = payloads?[NetlinkAttribute.multipath], let whole = hops(in: bytes) else {
      return
    }
    for count in stride(from: 0, to: bytes.count, by: max(bytes.count / 64, 1)) {
      guard let part = hops(in: bytes.prefix(count)) else { continue }
      law("the next hops of a part are the first of the whole", whole.starts(with: part))
    }
  }

  /// The next hops of a route that brings these bytes and nothing else.
  private static func hops(in bytes: ArraySlice<UInt8>) -> [FoundRoute.NextHop]? {
    guard let length = UInt16(exactly: 4 + bytes.count) else { return nil }
    var message = [UInt8](repeating: 0, count: 28)
    message.append(native: length)
    message.append(native: NetlinkAttribute.multipath)
    message += bytes
    return FoundRoute(message: message[...])?.hops
  }
}
