/// The route by which a request leaves the machine.
enum ProxyRoute: Hashable {
  /// Straight to the origin.
  case direct
  /// Through an HTTP proxy: an http origin is requested in absolute form (RFC 9112 section 3.2.2),
  /// an https origin through a tunnel (`CONNECT`, RFC 9110 section 9.3.6).
  case http(host: String, port: Int, credentials: Credentials?)
  /// Through a SOCKS 5 proxy, which also resolves the host's name.
  case socks(host: String, port: Int)

  /// The proxy, for messages; `nil` where there is none.
  var proxyName: String? {
    switch self {
    case .direct: nil
    case .http(let host, let port, _), .socks(let host, let port): "\(host):\(port)"
    }
  }

  /// The host of the proxy; `nil` where there is none.
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
