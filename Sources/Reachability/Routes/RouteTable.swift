/// Reads the text of `/proc/net/route` or `/proc/net/ipv6_route` about one address.
enum RouteTable {
  /// The answer of a table about one address.
  enum Answer: Equatable {
    case route
    case noRoute
    /// The text ends before the table does, so that a missing route proves nothing.
    case incomplete
  }

  /// Judges the address by the text of the table of its family.
  ///
  /// IPv4 is chosen as the kernel does, by the longest covering destination and then the smallest
  /// metric. The IPv6 file mixes the routes of all tables, so there any usable route counts: one
  /// that rejects may belong to a table no rule leads to.
  ///
  /// A truncated text counts only where it shows a usable route, and its last line is not read: it
  /// may lack decisive digits.
  ///
  /// - Parameter onLinkOnly: True when only an IPv6 route without a router counts.
  static func answer(
    for target: IPAddress, onLinkOnly: Bool = false, in text: [UInt8], isComplete: Bool
  ) -> Answer {
    var lines = text.split(separator: UInt8(ascii: "\n"))
    if !isComplete, text.last != UInt8(ascii: "\n") { lines = lines.dropLast() }
    let best: RouteEntry? =
      switch target {
      case .v4(let address):
        first(lines.compactMap { RouteEntry(ipv4: $0) }, covering: UInt128(address))
      case .v6(let address):
        first(
          lines.compactMap { RouteEntry(ipv6: $0) }.filter {
            onLinkOnly ? $0.isOnLink : $0.isUsable
          }, covering: address)
      }
    if best?.isUsable == true { return .route }
    return isComplete ? .noRoute : .incomplete
  }

  private static func first(_ routes: [RouteEntry], covering address: UInt128) -> RouteEntry? {
    routes.filter { $0.covers(address) }.min { $0.outranks($1) }
  }
}
