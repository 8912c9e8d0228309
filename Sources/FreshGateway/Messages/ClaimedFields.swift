internal import FreshHTTP

/// The fields in which a request claims facts that its connection and its address do not show. Origins believe them, as
/// proxies in front of origins set these fields.
///
/// No key holds them. Names are compared as by origins that cannot tell `X_Real.IP` from `X-Real-IP`.
enum ClaimedFields {
  /// The subject of a claim.
  enum Kind: CaseIterable, Sendable {
    /// The address of the client.
    case address
    /// The host, scheme and port by which the client came (``ArrivalFields``).
    case arrival
    /// A user, or the owner of a certificate, whom a proxy has admitted.
    case user
    /// The method or the address for which the answer is made.
    case target
    /// A variable that CGI programs take for one of their settings (https://httpoxy.org).
    case setting
  }

  /// The subject of a field; `nil` for a field that claims nothing.
  ///
  /// - Parameter plain: The name as ``plainName(_:)`` returns it.
  static func kind(of plain: String) -> Kind? {
    if let kind = names[plain] { return kind }
    return families.first { plain.hasPrefix($0.beginning) }?.kind
  }

  /// False for most names, at nearly no cost.
  static func mayBeAmong(_ name: String) -> Bool {
    let bytes = name.utf8
    return beginnings.contains(beginning(bytes)) || bytes.contains(where: isOdd)
  }

  /// The name in lower case, with a hyphen for each byte that is neither a letter nor a digit.
  static func plainName(_ name: String) -> String {
    let name = FieldSyntax.lowercased(name)
    guard name.utf8.contains(where: isOdd) else { return name }
    return String(decoding: name.utf8.map { isOdd($0) ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  /// True for a byte that a CGI name (RFC 3875 section 4.1.18) cannot hold: some origins take it for a hyphen.
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

  /// The beginnings of open families of names.
  private static let families: [(beginning: String, kind: Kind)] = [
    ("x-forwarded-", .target), ("x-original-", .target), ("x-envoy-original-", .target),
    ("x-invoke-", .target), ("x-middleware-", .target), ("proxy-user-", .user),
    ("remote-", .user), ("ssl-client-", .user), ("x-auth-request-", .user),
    ("x-client-cert", .user), ("x-goog-authenticated-", .user), ("x-ms-client-principal", .user),
    ("x-remote-", .user), ("x-ssl-client-", .user), ("x-webauth-", .user),
  ]

  private static let beginnings: Set<UInt16> = Set(
    (names.keys + families.map(\.beginning)).map { beginning($0.utf8) })

  /// Each is the field of a server, a load balancer or a platform.
  private static let addresses = [
    "cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4", "client-ip", "fastly-client-ip",
    "fly-client-ip", "forwarded-for", "forwarded-for-ip", "http-client-ip", "proxy-client-ip",
    "remote-addr", "remote-host", "true-client-ip", "wl-proxy-client-ip", "x-appengine-user-ip",
    "x-azure-clientip", "x-azure-socketip", "x-client-ip", "x-cluster-client-ip",
    "x-envoy-external-address", "x-forwarded", "x-nf-client-connection-ip", "x-original-for",
    "x-original-forwarded-for", "x-original-remote-addr", "x-originating-ip", "x-real-ip",
    "x-remote-addr", "x-remote-ip", "x-true-client-ip", "x-true-ip",
  ]
  /// `Client-Cert` and `Client-Cert-Chain` are from RFC 9440.
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

/// Further fields in which a request states the host, scheme and port by which its client came.
///
/// A reverse proxy states these itself, from the key (``ForwardedFields``). It drops them from clients, and forwards
/// those of a trusted peer only where they agree with the key. Otherwise the origin would be told two things, and the
/// key would not show which one it used.
enum ArrivalFields {
  private enum Content {
    case host
    case scheme
    case port
    /// `on` for https.
    case encryption
  }

  static let names: Set<String> = Set(contents.keys)

  /// True for a field that contradicts the key.
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
