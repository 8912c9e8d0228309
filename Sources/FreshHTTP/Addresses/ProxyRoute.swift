/// The way a request leaves the machine.
enum ProxyRoute: Hashable {
  /// Straight to the origin.
  case direct
  /// Through an HTTP proxy, by `CONNECT` for both schemes (RFC 9110 section 9.3.6).
  case http(host: String, port: Int, credentials: Credentials?)
  /// Through a SOCKS 5 proxy, which also resolves the host's name.
  case socks(host: String, port: Int)

  /// For `Proxy-Authorization: Basic`.
  struct Credentials: Hashable {
    let user: String
    let password: String
  }
}
