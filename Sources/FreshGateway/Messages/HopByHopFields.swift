internal import FreshHTTP

/// The fields of one connection, which are neither forwarded nor stored (RFC 9110 section 7.6.1, RFC 9111 section 3.1).
enum HopByHopFields {
  /// The fields that may be forwarded.
  ///
  /// - Parameter names: The fields to remove, beside those that `Connection` lists.
  static func removed(from fields: HeaderFields, _ names: Set<String> = names) -> HeaderFields {
    let options = connectionOptions(fields)
    let kept = fields.removing(names)
    return options.isEmpty ? kept : kept.removing(options)
  }

  /// The names that `Connection` lists, in lower case, without end-to-end fields: a sender that lists those wants to
  /// hide them from others.
  static func connectionOptions(_ fields: HeaderFields) -> Set<String> {
    guard let field = fields.combined("Connection") else { return [] }
    let options = FieldSyntax.listMembers(field)
    return Set(options.map(FieldSyntax.lowercased)).subtracting(endToEnd)
  }

  /// True for a connection option that would remove the framing or the `Host`.
  static func hidesFraming(_ fields: HeaderFields) -> Bool {
    guard let field = fields.combined("Connection") else { return false }
    let options = FieldSyntax.listMembers(field)
    return !Set(options.map(FieldSyntax.lowercased)).isDisjoint(with: framing)
  }

  /// `Proxy-Authenticate` and related fields concern one hop, and RFC 9111 section 3.1 excludes them from a store. So
  /// do `TE` and `Trailer`.
  static let names: Set = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "http2-settings",
  ]
  private static let framing: Set = ["content-length", "host", "transfer-encoding"]
  private static let endToEnd: Set = [
    "age", "authorization", "cache-control", "cookie", "date", "etag", "expires", "last-modified",
    "range", "set-cookie", "vary", "via",
  ]
}

/// The fields that a gateway adds to forwarded messages.
enum SentOnFields {
  /// The fields with `Via` (RFC 9110 section 7.6.3): a reverse proxy adds it to requests, a forward proxy to answers,
  /// too.
  ///
  /// - Parameter version: The version in which the message arrived.
  static func withVia(_ fields: HeaderFields, version: IncomingRequest.Version, by name: String)
    -> HeaderFields
  {
    var fields = fields
    fields.append("Via", "\(Self.protocol(version)) \(name)")
    return fields
  }

  /// True when the request has passed this gateway before.
  static func isLoop(_ request: GatewayRequest, by name: String) -> Bool {
    haveCome(request.fields, through: name)
  }

  /// True for the fields of a request that the gateway with this name has forwarded: it always adds its member behind
  /// those of the client.
  static func haveCome(_ fields: HeaderFields, through name: String) -> Bool {
    fields.values("Via").contains { line in
      // `Via` has no quoted strings: a client's quotation mark hides nothing behind it.
      line.split(separator: ",").contains { member in
        let parts = member.split { $0 == " " || $0 == "\t" }
        return parts.count > 1 && FieldSyntax.equalIgnoringCase(parts[1], name)
      }
    }
  }

  /// RFC 9110 section 7.6.2: how often an OPTIONS or TRACE may still be forwarded; `nil` for any number.
  static func forwardsLeft(_ request: GatewayRequest) -> Int64? {
    guard request.method == "OPTIONS" || request.method == "TRACE" else { return nil }
    return request.fields.first("Max-Forwards").flatMap { DeltaSeconds($0)?.seconds }
  }

  private static func `protocol`(_ version: IncomingRequest.Version) -> String {
    switch version {
    case .http10: "1.0"
    case .http11: "1.1"
    case .http2: "2"
    }
  }
}

extension HeaderFields {
  /// The valid lines: any other would split a forwarded message in two.
  var valid: HeaderFields {
    HeaderFields(
      lines.filter { FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value) })
  }
}
