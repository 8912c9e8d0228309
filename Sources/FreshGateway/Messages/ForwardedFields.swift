internal import FreshHTTP
internal import Platform

/// The fields in which a reverse proxy tells an origin about the client's connection.
///
/// The host and the scheme are those of the key, so they are the same for all clients of a copy. The addresses are
/// those of the client whose request is forwarded: an answer that varies by them is not stored (``perClient``).
enum ForwardedFields {
  /// Adds the fields. A request of the gateway itself, such as a renewal, has no addresses.
  ///
  /// - Parameter address: The key of the request.
  static func add(
    to fields: inout HeaderFields, of client: ForwardedClient?, at address: HTTPAddress
  ) {
    let addresses = Self.addresses(of: client)
    if !addresses.isEmpty { fields.append("X-Forwarded-For", addresses.joined(separator: ", ")) }
    fields.append("X-Forwarded-Host", address.authority)
    fields.append("X-Forwarded-Proto", address.scheme.rawValue)
    fields.append("Forwarded", forwarded(addresses, address))
  }

  /// The addresses that the origin is told, the nearest last; empty for a request of the gateway itself.
  static func addresses(of client: ForwardedClient?) -> [String] {
    guard let client else { return [] }
    return client.earlier + [PeerNetwork.plain(client.peer)?.text ?? "unknown"]
  }

  /// The names of the fields, in lower case.
  static let names: Set = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]

  /// The fields that differ between clients: an answer that varies by them is for one client.
  static let perClient: Set = ["forwarded", "x-forwarded-for"]

  /// RFC 7239 section 4. The first element is about the client's request, each further one about a proxy.
  private static func forwarded(_ addresses: [String], _ address: HTTPAddress) -> String {
    let seen = "host=\(value(address.authority));proto=\(address.scheme.rawValue)"
    guard let first = addresses.first else { return seen }
    let others = addresses.dropFirst().map { ", for=\(node($0))" }
    return "for=\(node(first));\(seen)\(others.joined())"
  }

  /// Section 6: an address, with brackets for IPv6, or `unknown`.
  private static func node(_ text: String) -> String {
    guard let (plain, isOfVersion6) = PeerNetwork.plain(bare(text)) else { return "unknown" }
    return isOfVersion6 ? "\"[\(plain)]\"" : plain
  }

  /// An address without the brackets and the port that some senders add.
  private static func bare(_ text: String) -> String {
    if text.utf8.first == UInt8(ascii: "[") {
      return String(
        decoding: text.utf8.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
    }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    return colons == 1
      ? String(decoding: text.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self) : text
  }

  /// A token, or a quoted string; an authority holds nothing to escape.
  private static func value(_ authority: String) -> String {
    FieldSyntax.isToken(authority) ? authority : "\"\(authority)\""
  }
}

/// The client of a request to a reverse proxy, and the address by which it came.
struct ForwardedClient: Sendable, Hashable {
  /// The address at the other end of the connection.
  let peer: String
  /// True for a trusted peer, whose claims about its clients count.
  private(set) var isTrusted = false
  /// The earlier addresses of the request, the nearest last, by the word of a trusted peer.
  private(set) var earlier: [String] = []
  /// The host and the scheme that the client has used, by the word of a trusted peer.
  private(set) var host: String?
  private(set) var scheme: HTTPAddress.Scheme?

  /// - Parameters:
  ///   - fields: The fields as they arrived.
  ///   - networks: The trusted peers.
  init(_ peer: String, _ fields: HeaderFields, trusting networks: [PeerNetwork]) {
    self.peer = peer
    guard !networks.isEmpty, networks.contains(where: { $0.contains(peer) }) else { return }
    isTrusted = true
    earlier = Self.members(fields, "X-Forwarded-For")
    // Other senders wrote the values before the last one.
    host = Self.members(fields, "X-Forwarded-Host").last
    scheme = Self.members(fields, "X-Forwarded-Proto").last.flatMap {
      HTTPAddress.Scheme(rawValue: FieldSyntax.lowercased($0))
    }
  }

  /// The address of the client itself: the nearest one that is no trusted peer's, by the word of trusted peers.
  func origin(among networks: [PeerNetwork]) -> String {
    let nearest = earlier.last { address in !networks.contains { $0.contains(address) } }
    // An untrusted sender wrote this text.
    guard let client = nearest ?? earlier.first, client.utf8.count <= 64,
      client.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return peer }
    return client
  }

  private static func members(_ fields: HeaderFields, _ name: String) -> [String] {
    fields.combined(name).map { FieldSyntax.listMembers($0) } ?? []
  }
}

/// A network of peers, such as `10.0.0.0/8`.
package struct PeerNetwork: Sendable, Hashable {
  /// An address as a number of 32 or 128 bits.
  private struct Address: Sendable, Hashable {
    let value: UInt128
    let width: Int
  }

  private let base: Address
  /// The number of leading bits that an address has in common with the base.
  private let length: Int

  /// Reads an address, or a network with its prefix length; `nil` for any other text, such as a name.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let base = Self.address(String(parts[0])) else { return nil }
    self.base = base
    guard parts.count == 2 else {
      length = base.width
      return
    }
    guard (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(parts[1]), length <= base.width
    else { return nil }
    self.length = length
  }

  /// True for an address of the network; false for a text that is no address.
  func contains(_ text: String) -> Bool {
    guard let address = Self.address(text), address.width == base.width else { return false }
    return (address.value ^ base.value) >> (base.width - length) == 0
  }

  /// The address in its usual form; `nil` for a text that is no address. An IPv4 address loses the prefix of a
  /// dual-stack socket.
  static func plain(_ text: String) -> (text: String, isOfVersion6: Bool)? {
    guard let address = address(text) else { return nil }
    guard address.width == 32 else { return (text, true) }
    return ([24, 16, 8, 0].map { "\(address.value >> $0 & 0xFF)" }.joined(separator: "."), false)
  }

  /// An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) is that IPv4 address.
  private static func address(_ text: String) -> Address? {
    // The C library stops at a NUL and would ignore the rest.
    guard !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &v4) == 1 {
      return Address(value: UInt128(UInt32(bigEndian: v4.s_addr)), width: 32)
    }
    guard unsafe inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: v6) { unsafe $0.loadUnaligned(as: UInt128.self) }
    let value = UInt128(bigEndian: bytes)
    return value >> 32 == 0xFFFF
      ? Address(value: value & 0xFFFF_FFFF, width: 32) : Address(value: value, width: 128)
  }
}
