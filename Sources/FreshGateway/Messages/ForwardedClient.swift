internal import FreshHTTP

/// Who has sent a request to a reverse proxy, and by which address of it.
struct ForwardedClient: Sendable, Hashable {
  /// The address at the other end of the connection.
  let peer: String
  /// True for one that is believed what it says of its clients.
  private(set) var isTrusted = false
  /// The addresses that the request has come from before, the nearest last, as a peer says that is trusted.
  private(set) var earlier: [String] = []
  /// The host and the scheme that the client has used, as such a peer says.
  private(set) var host: String?
  private(set) var scheme: HTTPAddress.Scheme?

  /// - Parameters:
  ///   - fields: As they came in.
  ///   - networks: The peers that are believed what they say of their clients.
  init(_ peer: String, _ fields: HeaderFields, trusting networks: [PeerNetwork]) {
    self.peer = peer
    guard !networks.isEmpty, networks.contains(where: { $0.contains(peer) }) else { return }
    isTrusted = true
    earlier = Self.members(fields, "X-Forwarded-For")
    // What stands before the last was said by somebody else.
    host = Self.members(fields, "X-Forwarded-Host").last
    scheme = Self.members(fields, "X-Forwarded-Proto").last.flatMap {
      HTTPAddress.Scheme(rawValue: FieldSyntax.lowercased($0))
    }
  }

  /// The client itself: the nearest address that is not of a peer who is believed, as such a peer says.
  func origin(among networks: [PeerNetwork]) -> String {
    let nearest = earlier.last { address in !networks.contains { $0.contains(address) } }
    // Whatever stands there was written by somebody else.
    guard let client = nearest ?? earlier.first, client.utf8.count <= 64,
      client.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return peer }
    return client
  }

  private static func members(_ fields: HeaderFields, _ name: String) -> [String] {
    fields.combined(name).map { FieldSyntax.listMembers($0) } ?? []
  }
}
