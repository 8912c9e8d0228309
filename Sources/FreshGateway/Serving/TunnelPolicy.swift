/// Which tunnels a proxy makes for clients (`CONNECT`, RFC 9110 section 9.3.6).
package struct TunnelPolicy: Sendable, Hashable {
  /// The ports that they may lead to.
  package var ports: Set<Int>

  package init(ports: Set<Int> = [443]) { self.ports = ports }

  /// True for an address that is of this machine alone, or of the wire that it is on: what listens there counts on
  /// that. Bytes as they are sent; a name is resolved first.
  static func isLocal(_ address: [UInt8]) -> Bool {
    guard address.count == 16 else {
      guard address.count == 4 else { return true }
      return [0, 127].contains(address[0]) || address[0] == 169 && address[1] == 254
    }
    let isMapped =
      address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
    if isMapped { return isLocal(Array(address[12...])) }
    // Unspecified, loopback, and addresses of version 4 in a form that nobody routes.
    if address[..<12].allSatisfy({ $0 == 0 }) { return true }
    return address[0] == 0xFE && address[1] & 0xC0 == 0x80
  }
}
