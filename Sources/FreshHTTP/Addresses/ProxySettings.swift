public import Reachability
public import Strategies

/// The proxy for each address, as the environment variables state it.
///
/// `http_proxy`, `https_proxy` and `all_proxy` name a proxy. `no_proxy` names the hosts that are reached
/// without one. Each is read in lower case first and then in upper case, except `HTTP_PROXY`: a CGI program
/// gets its visitors' `Proxy` header under that name.
///
/// A loopback address and `localhost` are reached directly, because a proxy would look for them on its own
/// machine. The member `<-loopback>` of `no_proxy` sends them through the proxy, too: for a proxy on this
/// machine that inspects traffic.
///
/// A proxy is reached by plain HTTP or SOCKS 5. An HTTP proxy gets the address of an http origin in absolute
/// form, and for an https origin the request to open a tunnel (`CONNECT`).
public struct ProxySettings: Sendable, Hashable {
  let http: ProxyRoute
  let https: ProxyRoute
  private let exceptions: [ProxyException]
  private let proxiesLoopback: Bool

  /// No proxy for anything.
  public static let none = ProxySettings(http: .direct, https: .direct, exceptions: [])

  private init(
    http: ProxyRoute, https: ProxyRoute, exceptions: [ProxyException],
    proxiesLoopback: Bool = false
  ) {
    self.http = http
    self.https = https
    self.exceptions = exceptions
    self.proxiesLoopback = proxiesLoopback
  }

  /// The same as Chromium's rule of that name.
  private static let loopbackMember = "<-loopback>"

  /// Reads the variables. Throws `badConfiguration` for a proxy that cannot be read or is of an unsupported
  /// kind: a request that silently bypassed it could leak.
  public init(environment: [String: String]) throws(HTTPFetchError) {
    try self.init { environment[$0] }
  }

  /// The same, from a function that returns the value of a variable.
  package init(variable: (String) -> String?) throws(HTTPFetchError) {
    func value(_ names: String...) -> (name: String, text: String)? {
      for name in names {
        if let text = variable(name).map(FieldSyntax.trimmed), !text.isEmpty {
          return (name, text)
        }
      }
      return nil
    }
    let all = value("all_proxy", "ALL_PROXY")
    let members = (value("no_proxy", "NO_PROXY")?.text ?? "")
      .split { $0 == "," || $0 == " " || $0 == "\t" }.map { FieldSyntax.lowercased(String($0)) }
    self.init(
      http: try Self.route(value("http_proxy") ?? all),
      https: try Self.route(value("https_proxy", "HTTPS_PROXY") ?? all),
      exceptions: members.filter { $0 != Self.loopbackMember }.map(ProxyException.init),
      proxiesLoopback: members.contains(Self.loopbackMember))
  }

  /// The route to an address.
  func route(to address: HTTPAddress) -> ProxyRoute {
    let isException = exceptions.contains { $0.covers(address) }
    let bypasses = !proxiesLoopback && ProxyException.isLoopback(address.host)
    if bypasses || isException { return .direct }
    return address.scheme == .http ? http : https
  }

  private static func route(_ variable: (name: String, text: String)?) throws(HTTPFetchError)
    -> ProxyRoute
  {
    guard let variable else { return .direct }
    let text = PercentEncoding.ascii(variable.text)
    guard text.contains("://") else {
      return try route((variable.name, "http://" + text))
    }
    guard let (scheme, rest) = HTTPAddress.splitScheme(text) else {
      throw refusal(variable.name, "it is no address; write http://host:port")
    }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let credentials = authority.lastIndex(of: "@").map { authority[..<$0] }
    let hostAndPort = authority.dropFirst(credentials.map { $0.count + 1 } ?? 0)
    let isSOCKS = ["socks", "socks5", "socks5h"].contains(scheme)
    guard isSOCKS || scheme == "http" else {
      throw refusal(variable.name, "only http:// and socks5:// proxies are supported")
    }
    // The address parser reads the host and the port. The parser's default port depends on the scheme, and is
    // not the proxy's: two schemes show whether a port is written.
    let address: HTTPAddress
    let hasPort: Bool
    do {
      address = try HTTPAddress("https://\(hostAndPort)")
      hasPort = try HTTPAddress("http://\(hostAndPort)").port == address.port
    } catch {
      throw refusal(variable.name, "its host or port is not valid; write http://host:port")
    }
    if isSOCKS {
      guard credentials == nil else {
        throw refusal(variable.name, "credentials for a SOCKS proxy are not supported")
      }
      return .socks(host: address.bareHost, port: hasPort ? address.port : 1080)
    }
    return .http(
      host: address.bareHost, port: hasPort ? address.port : 80,
      credentials: credentials.map(Self.credentials))
  }

  private static func credentials(_ userInformation: Substring) -> ProxyRoute.Credentials {
    let user = userInformation.prefix { $0 != ":" }
    let password = userInformation.dropFirst(user.count + 1)
    return ProxyRoute.Credentials(
      user: PercentEncoding.decoded(user), password: PercentEncoding.decoded(password))
  }

  private static func refusal(_ name: String, _ reason: String) -> HTTPFetchError {
    .badConfiguration(
      "the environment variable \(name) names a proxy that cannot be used: \(reason)")
  }
}

extension ProxySettings {
  /// The host to which a request for an http or https address opens its connection: the proxy's host when a proxy
  /// applies to the address, else the address's own. It is a name, or a numeric address without brackets.
  ///
  /// The targets of redirects are not known before they are followed. Throws `badURL` and
  /// `unsupportedScheme`. Pure.
  package func connectionHost(for url: String) throws(HTTPFetchError) -> String {
    connectionHost(for: try HTTPAddress(fetched: url))
  }

  /// The same for an address that was parsed before.
  package func connectionHost(for address: HTTPAddress) -> String {
    route(to: address).proxyHost ?? address.bareHost
  }
}

/// The route by which a request leaves the machine.
enum ProxyRoute: Hashable {
  /// Straight to the origin.
  case direct
  /// Through an HTTP proxy. The request for an http origin has the absolute form (RFC 9112 section 3.2.2). An
  /// https origin is reached through a tunnel (`CONNECT`, RFC 9110 section 9.3.6).
  case http(host: String, port: Int, credentials: Credentials?)
  /// Through a SOCKS 5 proxy, which also resolves the host's name.
  case socks(host: String, port: Int)

  /// The proxy for messages; `nil` without a proxy.
  var proxyName: String? {
    switch self {
    case .direct: nil
    case .http(let host, let port, _), .socks(let host, let port): "\(host):\(port)"
    }
  }

  /// The host of the proxy; `nil` without a proxy.
  var proxyHost: String? {
    switch self {
    case .direct: nil
    case .http(let host, _, _), .socks(let host, _): host
    }
  }

  /// For `Proxy-Authorization: Basic`.
  struct Credentials: Hashable {
    let user: String
    let password: String
  }
}

/// One member of `no_proxy`: a host that is reached without a proxy.
///
/// A name covers itself and every name below it; a leading dot or `*.` changes nothing. An IPv4 network in the form
/// `address/bits` covers its addresses. `*` covers everything. A port limits the member to that port.
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

  func covers(_ address: HTTPAddress) -> Bool {
    if let port, port != address.port { return false }
    let bare = address.bareHost
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

extension ReachabilityProvider where Self == RouteMonitor {
  /// Watches the routes to the host to which a request for an http or https address connects: the proxy's
  /// host when a proxy applies to the address, else the address's own.
  ///
  /// Give it the proxies of the ``HTTPConfiguration`` that the fetches use. The name is resolved as by
  /// `RouteMonitor.init(host:)`; this call does not wait for that. Throws `badURL` and `unsupportedScheme`.
  /// Each call starts a monitor of its own: make one and share it.
  public static func monitor(
    source url: String, proxies: ProxySettings = .none
  ) throws(HTTPFetchError) -> RouteMonitor {
    RouteMonitor(host: try proxies.connectionHost(for: url))
  }
}
