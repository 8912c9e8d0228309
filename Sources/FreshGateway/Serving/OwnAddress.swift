/// Whether an origin is the gateway itself.
enum OwnAddress {
  /// True where a host leads to an address that is listened on here, as far as that shows without asking anybody. What
  /// comes back by another name, or another gateway, is told by its `Via`.
  ///
  /// - Parameters:
  ///   - host: A name in lower case, or an address without brackets.
  ///   - listener: An address.
  static func leads(_ host: String, to listener: String) -> Bool {
    switch listener {
    // All of this machine's.
    case "::": targets(of: host).contains { isLoopback4($0) || $0 == "::1" }
    case "0.0.0.0": targets(of: host).contains(where: isLoopback4)
    default: targets(of: host).contains { PeerNetwork($0)?.contains(listener) == true }
    }
  }

  /// Where a connection to the host goes, where that is known.
  static func targets(of host: String) -> [String] {
    switch host {
    // What stands for all addresses is this machine's own where one connects to it.
    case "0.0.0.0": ["127.0.0.1"]
    case "::": ["::1"]
    // RFC 6761 section 6.3.
    case _ where host == "localhost" || host.hasSuffix(".localhost"): ["127.0.0.1", "::1"]
    default: [host]
    }
  }

  private static func isLoopback4(_ address: String) -> Bool {
    PeerNetwork("127.0.0.0/8")?.contains(address) == true
  }
}
