internal import FreshHTTP

/// The fields by which a request says what its connection and its address do not, and that origins believe: proxies in
/// front of them set these for what they have found out.
///
/// No key holds them. Names are compared as origins do that cannot tell `X_Real.IP` from `X-Real-IP`.
enum ClaimedFields {
  /// What they say.
  enum Kind: CaseIterable, Sendable {
    /// From which address the client has come.
    case address
    /// By which host, scheme and port it has come (``ArrivalFields``).
    case arrival
    /// Whom a proxy has let in: a user, or the owner of a certificate.
    case user
    /// For which method or address the answer is to be made.
    case target
    /// A variable that programs of CGI take for a setting of their own (https://httpoxy.org).
    case setting
  }

  /// What a field says; `nil` for one that claims nothing.
  ///
  /// - Parameter plain: As ``plainName(_:)`` has it.
  static func kind(of plain: String) -> Kind? {
    if let kind = names[plain] { return kind }
    return families.first { plain.hasPrefix($0.beginning) }?.kind
  }

  /// False for most names, at nearly no cost.
  static func mayBeAmong(_ name: String) -> Bool {
    let bytes = name.utf8
    return beginnings.contains(beginning(bytes)) || bytes.contains(where: isOdd)
  }

  /// A name in lower case, with hyphens for what is neither a letter nor a digit.
  static func plainName(_ name: String) -> String {
    let name = FieldSyntax.lowercased(name)
    guard name.utf8.contains(where: isOdd) else { return name }
    return String(decoding: name.utf8.map { isOdd($0) ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  /// True for what names of CGI (RFC 3875 section 4.1.18) cannot hold: some origins take it for the same as a hyphen.
  private static func isOdd(_ byte: UInt8) -> Bool {
    !FieldSyntax.isLetter(byte) && !FieldSyntax.isDigit(byte) && byte != UInt8(ascii: "-")
  }

  /// The first two letters.
  private static func beginning(_ bytes: String.UTF8View) -> UInt16 {
    bytes.prefix(2).reduce(0) { $0 << 8 | UInt16($1 | 0x20) }
  }

  private static let names: [String: Kind] = {
    var names: [String: Kind] = ["proxy": .setting]
    for name in ArrivalFields.names { names[name] = .arrival }
    for name in addresses { names[name] = .address }
    for name in users { names[name] = .user }
    for name in targets { names[name] = .target }
    return names
  }()

  /// How the names of further ones begin. They have no end.
  private static let families: [(beginning: String, kind: Kind)] = [
    ("x-forwarded-", .target), ("x-original-", .target), ("x-envoy-original-", .target),
    ("x-invoke-", .target), ("x-middleware-", .target), ("proxy-user-", .user),
    ("remote-", .user), ("ssl-client-", .user), ("x-auth-request-", .user),
    ("x-client-cert", .user), ("x-goog-authenticated-", .user), ("x-ms-client-principal", .user),
    ("x-remote-", .user), ("x-ssl-client-", .user), ("x-webauth-", .user),
  ]

  private static let beginnings: Set<UInt16> = Set(
    (names.keys + families.map(\.beginning)).map { beginning($0.utf8) })

  /// Each is the field of a server, a balancer or a platform.
  private static let addresses = [
    "cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4", "client-ip", "fastly-client-ip",
    "fly-client-ip", "forwarded-for", "forwarded-for-ip", "http-client-ip", "proxy-client-ip",
    "remote-addr", "remote-host", "true-client-ip", "wl-proxy-client-ip", "x-appengine-user-ip",
    "x-azure-clientip", "x-azure-socketip", "x-client-ip", "x-cluster-client-ip",
    "x-envoy-external-address", "x-forwarded", "x-nf-client-connection-ip", "x-original-for",
    "x-original-forwarded-for", "x-original-remote-addr", "x-originating-ip", "x-real-ip",
    "x-remote-addr", "x-remote-ip", "x-true-client-ip", "x-true-ip",
  ]
  /// `Client-Cert` and `Client-Cert-Chain` are those of RFC 9440.
  private static let users = [
    "auth-user", "client-cert", "client-cert-chain", "x-amzn-oidc-identity", "x-arr-clientcert",
    "x-authenticated-user", "x-client-dn", "x-client-verify", "x-proxy-user",
    "wl-proxy-client-cert",
  ]
  private static let targets = [
    "base-url", "forwarded", "path-info", "request-uri", "script-name", "x-accel-mapping",
    "x-http-destinationurl", "x-http-method", "x-http-method-override", "x-matched-path",
    "x-method-override", "x-proxy-url", "x-request-uri", "x-rewrite-url", "x-script-name",
    "x-sendfile-type", "x-uri", "x-url", "x-waws-unencoded-url",
  ]
}

/// The further names by which a request says by which host, scheme and port its client has come.
///
/// A reverse proxy states those itself, as the key has them (``ForwardedFields``). What a client says of them is no
/// matter, and what a peer says that is trusted goes on where it is the same: else an origin would be told two things,
/// and no key holds which one it has gone by.
enum ArrivalFields {
  private enum Content {
    case host
    case scheme
    case port
    /// `on` for https.
    case encryption
  }

  static let names: Set<String> = Set(contents.keys)

  /// True for a field that says something else than the key.
  ///
  /// - Parameters:
  ///   - name: In lower case, with hyphens.
  ///   - address: The key; `nil` for a request without one.
  static func contradicts(_ name: String, _ value: String, _ address: HTTPAddress?) -> Bool {
    guard let content = contents[name] else { return false }
    guard let address else { return true }
    let value = FieldSyntax.lowercased(value)
    return switch content {
    case .host: value != address.authority && value != address.host
    case .scheme: value != address.scheme.rawValue
    case .port: value != "\(address.port)"
    case .encryption: value != (address.scheme == .https ? "on" : "off")
    }
  }

  private static let contents: [String: Content] = [
    "front-end-https": .encryption, "x-forwarded-port": .port, "x-forwarded-protocol": .scheme,
    "x-forwarded-scheme": .scheme, "x-forwarded-server": .host, "x-forwarded-ssl": .encryption,
    "x-host": .host, "x-http-host-override": .host, "x-original-host": .host,
    "x-original-proto": .scheme, "x-protocol-scheme": .scheme, "x-scheme": .scheme,
    "x-url-scheme": .scheme,
  ]
}
