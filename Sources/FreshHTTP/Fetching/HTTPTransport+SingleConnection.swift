#if HTTP
  internal import AsyncHTTPClient
  internal import NIOHTTP1

  extension HTTPTransport {
    /// The connection for a request that the client library does not send: over a Unix socket, or for an
    /// http origin behind an HTTP proxy, which that library reaches only by a tunnel. `nil` for any
    /// other.
    func singleConnection(
      to address: HTTPAddress, over route: ProxyRoute
    ) throws -> SingleConnection? {
      let peer: SingleConnection.Peer
      var security: SingleConnection.Security?
      if let socket {
        peer = .socket(socket.path)
        if address.scheme == .https { security = try socket.security(for: address) }
      } else if address.scheme == .http, case .http(let host, let port, _) = route {
        peer = .host(host, port: port)
      } else {
        return nil
      }
      return SingleConnection(
        peer: peer, security: security, group: group, connectTimeout: configuration.connectTimeout,
        maximumBodyBytes: configuration.maximumBodyBytes)
    }

    /// The head of a request over a connection of its own: to a proxy in absolute form (RFC 9112 section
    /// 3.2.2), to the origin itself in origin form (section 3.2.1).
    static func requestHead(
      _ method: HTTPMethod, _ headers: HTTPHeaders, _ body: [UInt8]?, to address: HTTPAddress,
      over route: ProxyRoute
    ) -> HTTPRequestHead {
      var head = HTTPRequestHead(
        version: .http1_1, method: method, uri: route == .direct ? address.target : address.text)
      head.headers = headers
      head.headers.replaceOrAdd(name: "Host", value: address.authority)
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      if case .http(_, _, let credentials?) = route {
        let basic = HTTPClient.Authorization.basic(
          username: credentials.user, password: credentials.password)
        head.headers.replaceOrAdd(name: "Proxy-Authorization", value: basic.headerValue)
      }
      if let body { head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)") }
      return head
    }
  }
#endif
