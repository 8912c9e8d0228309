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
        peer: peer, security: security, group: group, requests: requests,
        connectTimeout: configuration.connectTimeout)
    }

    /// The fields of a request over a connection of its own.
    static func fields(
      _ fields: HeaderFields, ofSingleConnectionOver route: ProxyRoute
    ) -> HeaderFields {
      guard case .http(_, _, let credentials?) = route else { return fields }
      var fields = fields
      let basic = HTTPClient.Authorization.basic(
        username: credentials.user, password: credentials.password)
      fields.set("Proxy-Authorization", basic.headerValue)
      return fields
    }

    /// The framing of a request over a connection of its own, in the place of that of the client library.
    static func framing(of method: String, _ body: [UInt8]?, named name: String) -> HTTPRequestHead
    {
      var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: "/")
      head.headers.add(name: CheckedRequests.field, value: name)
      head.headers.add(name: "Connection", value: "close")
      if let body { head.headers.add(name: "Content-Length", value: "\(body.count)") }
      return head
    }
  }
#endif
