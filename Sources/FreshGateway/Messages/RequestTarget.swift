internal import FreshHTTP

/// The target of a request (RFC 9110 section 7.1).
enum RequestTarget: Sendable, Hashable {
  /// A resource; its address is the cache key (RFC 9111 section 2).
  case resource(HTTPAddress)
  /// `OPTIONS *`: the server as a whole.
  case server
  /// `CONNECT`: a tunnel to a host and port.
  case tunnel(host: String, port: Int)
}

/// The resources for which a gateway answers.
enum Site: Sendable, Hashable {
  /// The resources of one origin, whatever `Host` says: a reverse proxy.
  case origin(HTTPAddress)
  /// The resources that requests name in absolute form: a forward proxy.
  case anyOrigin
}

extension Site {
  /// The target of a request; one that another recipient could read differently is refused.
  ///
  /// Bytes that no address may hold are percent-encoded or refused (``HTTPAddress/with(target:)``). Nothing else is
  /// encoded, decoded or removed: one key is one request to the origin, byte by byte. Two spellings of an address are
  /// two keys.
  ///
  /// - Parameter names: The host names of a reverse proxy, in lower case.
  func target(of request: IncomingRequest, names: Set<String> = []) throws(RequestRefusal)
    -> RequestTarget
  {
    let authority = try authority(of: request)
    if request.method == "CONNECT" {
      return try tunnel(request.target)
    }
    if request.target == "*" {
      guard request.method == "OPTIONS" else { throw .malformed("the target * is for OPTIONS") }
      return .server
    }
    guard request.target.utf8.first == UInt8(ascii: "/") else {
      return try absolute(request.target, authority: authority, names: names)
    }
    guard case .origin(let origin) = self else {
      throw .malformed("a proxy is asked with the whole address as target")
    }
    return .resource(try address(of: origin, request.target))
  }

  /// RFC 9112 section 3.2: there is one `Host`, and it is valid. Only HTTP/1.0 may omit it.
  private func authority(of request: IncomingRequest) throws(RequestRefusal) -> String? {
    let hosts = request.fields.values("Host")
    guard let host = hosts.first else {
      guard request.version == .http10 else { throw .malformed("there is no Host") }
      return nil
    }
    guard hosts.count == 1 else { throw .malformed("there is more than one Host") }
    _ = try origin(.http, host)
    return host
  }

  /// The origin of a scheme and an authority, which is a host with or without a port.
  func origin(_ scheme: HTTPAddress.Scheme, _ authority: some StringProtocol)
    throws(RequestRefusal) -> HTTPAddress
  {
    if let plain = Self.plainOrigin(scheme, authority) { return plain }
    guard !authority.isEmpty, authority.utf8.allSatisfy({ !"/?#@\\".utf8.contains($0) }) else {
      throw .malformed("the authority is not a host")
    }
    do {
      return try HTTPAddress("\(scheme.rawValue)://\(authority)")
    } catch {
      throw .malformed("the authority is not a host")
    }
  }

  /// The origin for the common case: a name or an IPv4 address, with or without a port.
  private static func plainOrigin(
    _ scheme: HTTPAddress.Scheme, _ authority: some StringProtocol
  ) -> HTTPAddress? {
    let bytes = Array(authority.utf8.prefix(64))
    let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let (host, digits) = (bytes[..<end], bytes[end...].dropFirst())
    guard bytes.count < 64, let first = host.first,
      FieldSyntax.isLetter(first) || FieldSyntax.isDigit(first),
      host.allSatisfy({
        FieldSyntax.isLetter($0) || FieldSyntax.isDigit($0) || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      }), digits.count < 6, digits.allSatisfy(FieldSyntax.isDigit)
    else { return nil }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard digits.isEmpty || (1...65535).contains(port) else { return nil }
    return HTTPAddress(
      scheme: scheme,
      host: String(decoding: host.lazy.map(FieldSyntax.lowercased), as: UTF8.self),
      port: digits.isEmpty ? scheme.defaultPort : port, path: "/", query: nil)
  }

  private func absolute(_ target: String, authority: String?, names: Set<String>)
    throws(RequestRefusal) -> RequestTarget
  {
    guard let separator = target.firstRange(of: "://"),
      let scheme = HTTPAddress.Scheme(
        rawValue: FieldSyntax.lowercased(target[..<separator.lowerBound]))
    else { throw .malformed("the target is neither a path nor an http or https address") }
    let rest = target[separator.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let named = try origin(scheme, rest[..<end])
    // RFC 9112 section 3.2: a client sends the same authority in both.
    if let authority {
      let host = try origin(scheme, authority)
      guard host.host == named.host, host.port == named.port else {
        throw .malformed("Host names another host than the target")
      }
    }
    // RFC 9112 section 3.2.1: an empty path is sent as a slash.
    let path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/\(rest[end...])"
    guard case .origin(let own) = self else { return .resource(try address(of: named, path)) }
    guard named.origin == own.origin || names.contains(named.host) else {
      throw RequestRefusal(421, "the target is of another origin")
    }
    return .resource(try address(of: own, path))
  }

  private func tunnel(_ authority: String) throws(RequestRefusal) -> RequestTarget {
    guard let colon = authority.lastIndex(of: ":"), authority[colon...].count > 1 else {
      throw .malformed("CONNECT needs a host and a port")
    }
    let address = try origin(.http, authority)
    return .tunnel(host: address.host, port: address.port)
  }

  private func address(of origin: HTTPAddress, _ target: String) throws(RequestRefusal)
    -> HTTPAddress
  {
    do throws(HTTPAddress.Refusal) {
      return try origin.with(target: target)
    } catch {
      throw .malformed("\(error)")
    }
  }
}
