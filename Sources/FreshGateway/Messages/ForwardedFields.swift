internal import FreshHTTP

/// What a reverse proxy tells an origin of a request that its own connection does not show.
///
/// The host and the scheme are those of the key, so that whatever an origin makes of them is the same for all who are
/// answered from the copy. The addresses are those of whoever was the first to ask: an answer that says that it depends
/// on them is not kept (``perClient``).
enum ForwardedFields {
  /// Adds them. A request that no client has sent, as to renew a copy, has no addresses.
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

  /// The addresses that the origin is told, the nearest last; none for a request that no client has sent.
  static func addresses(of client: ForwardedClient?) -> [String] {
    guard let client else { return [] }
    return client.earlier + [PeerNetwork.plain(client.peer)?.text ?? "unknown"]
  }

  /// The fields that are set, in lower case.
  static let names: Set = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]

  /// The fields that tell one client from another: an answer that varies by them is for one alone.
  static let perClient: Set = ["forwarded", "x-forwarded-for"]

  /// RFC 7239 section 4. The first element is about what the client has sent, each further one about a proxy.
  private static func forwarded(_ addresses: [String], _ address: HTTPAddress) -> String {
    let seen = "host=\(value(address.authority));proto=\(address.scheme.rawValue)"
    guard let first = addresses.first else { return seen }
    let others = addresses.dropFirst().map { ", for=\(node($0))" }
    return "for=\(node(first));\(seen)\(others.joined())"
  }

  /// Section 6: an address, of version 6 in brackets, or that there is none.
  private static func node(_ text: String) -> String {
    guard let (plain, isOfVersion6) = PeerNetwork.plain(bare(text)) else { return "unknown" }
    return isOfVersion6 ? "\"[\(plain)]\"" : plain
  }

  /// An address without the brackets and the port with which some write it.
  private static func bare(_ text: String) -> String {
    if text.utf8.first == UInt8(ascii: "[") {
      return String(
        decoding: text.utf8.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
    }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    return colons == 1
      ? String(decoding: text.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self) : text
  }

  /// A token, or a string; an authority holds nothing that would have to be escaped.
  private static func value(_ authority: String) -> String {
    FieldSyntax.isToken(authority) ? authority : "\"\(authority)\""
  }
}
