/// The proxy for each address, as the environment variables state it.
///
/// `http_proxy`, `https_proxy` and `all_proxy` name a proxy, `no_proxy` the hosts reached without
/// one. All are read in lower case first and then in upper case, except `HTTP_PROXY`: a CGI program
/// gets its visitors' `Proxy` header under that name, so it is never read. A loopback address and
/// `localhost` are reached directly, because a proxy would look for them on its own machine; the
/// member `<-loopback>` of `no_proxy` sends them through the proxy like any other, such as one on
/// this machine that inspects traffic. A proxy is reached by plain HTTP or SOCKS 5. An HTTP proxy
/// is asked for an http origin in absolute form, and for an https origin to open a tunnel
/// (`CONNECT`).
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

  /// Reads the variables. Throws `badConfiguration` for a proxy that cannot be read or is of a kind
  /// that is not supported: bypassing it silently could leak a request.
  public init(environment: [String: String]) throws(HTTPFetchError) {
    try self.init { environment[$0] }
  }

  /// As above, from a function that looks a variable up by its name.
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
    let isException = exceptions.contains { $0.covers(host: address.host, port: address.port) }
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
    // The address parser recognises a host and a port; its default port is not the proxy's, and depends on the scheme.
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
