/// One member of `no_proxy`: a host that is reached without a proxy.
///
/// A name covers itself and every name below it, with or without a leading dot or `*.`; an IPv4
/// network in `address/bits` form covers its addresses; `*` covers everything. A port limits the
/// member to that port.
struct ProxyException: Hashable {
  private enum Pattern: Hashable {
    case everything
    case network(UInt32, mask: UInt32)
    case name(String)
  }

  private let pattern: Pattern
  private let port: Int?

  init(_ member: String) {
    let lowercased = FieldSyntax.lowercased(member)
    if let network = Self.network(lowercased) {
      (pattern, port) = (network, nil)
      return
    }
    let (host, port) = Self.splitPort(lowercased)
    self.port = port
    if host == "*" {
      pattern = .everything
    } else {
      let name = host.drop { $0 == "*" }.drop { $0 == "." }
      pattern = .name(name.filter { $0 != "[" && $0 != "]" })
    }
  }

  func covers(host: String, port: Int) -> Bool {
    if let expected = self.port, expected != port { return false }
    let bare = host.filter { $0 != "[" && $0 != "]" }
    switch pattern {
    case .everything: return true
    case .network(let network, let mask):
      return Self.ipv4(bare).map { $0 & mask == network } ?? false
    case .name(let name):
      return !name.isEmpty && (bare == name || bare.hasSuffix("." + name))
    }
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || ipv4(host).map { $0 >> 24 == 127 } ?? false
  }

  private static func network(_ text: String) -> Pattern? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = ipv4(parts[0]),
      let bits = DeltaSeconds(parts[1])?.seconds,
      bits <= 32
    else { return nil }
    // Shifting by the full width gives zero, which is the mask of no bits.
    let mask = UInt32.max << (32 - UInt32(bits))
    return .network(address & mask, mask: mask)
  }

  /// A colon separates a port unless it is one of several, as in an IPv6 address without brackets.
  private static func splitPort(_ text: String) -> (host: String, port: Int?) {
    let afterBracket = text.lastIndex(of: "]") ?? text.startIndex
    let colons = text[afterBracket...].filter { $0 == ":" }.count
    guard colons == 1, let colon = text.lastIndex(of: ":"),
      let port = DeltaSeconds(text[text.index(after: colon)...])?.seconds
    else { return (text, nil) }
    return (String(text[..<colon]), Int(port))
  }

  private static func ipv4(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard part.utf8.count <= 3, let byte = DeltaSeconds(part)?.seconds, byte <= 255 else {
        return nil
      }
      address = address << 8 | UInt32(byte)
    }
    return address
  }
}
