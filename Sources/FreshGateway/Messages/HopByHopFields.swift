internal import FreshHTTP

/// The fields of one connection, which are neither sent on nor stored (RFC 9110 section 7.6.1, RFC 9111
/// section 3.1).
enum HopByHopFields {
  /// The fields that may go on.
  ///
  /// - Parameter names: What to leave out beside those that `Connection` lists.
  static func removed(from fields: HeaderFields, _ names: Set<String> = names) -> HeaderFields {
    let options = connectionOptions(fields)
    let kept = fields.removing(names)
    return options.isEmpty ? kept : kept.removing(options)
  }

  /// The names that `Connection` lists, in lower case, but for those that are no matter of a
  /// connection: who lists them wants others not to see them.
  static func connectionOptions(_ fields: HeaderFields) -> Set<String> {
    guard let field = fields.combined("Connection") else { return [] }
    let options = FieldSyntax.listMembers(field)
    return Set(options.map(FieldSyntax.lowercased)).subtracting(endToEnd)
  }

  /// A connection option that would take away where a message ends, or whom it is for.
  static func hidesFraming(_ fields: HeaderFields) -> Bool {
    guard let field = fields.combined("Connection") else { return false }
    let options = FieldSyntax.listMembers(field)
    return !Set(options.map(FieldSyntax.lowercased)).isDisjoint(with: framing)
  }

  /// `Proxy-Authenticate` and its kin are of one hop, as RFC 9111 section 3.1 wants them kept out of a
  /// store; `TE` and `Trailer` are, too.
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

/// The fields that a gateway adds to what it sends on.
enum SentOnFields {
  /// RFC 9110 section 7.6.3: whoever sends a message on says that it stands there: a reverse proxy in
  /// requests, a forward proxy in answers, too.
  ///
  /// - Parameter version: The one in which the message came in.
  static func withVia(_ fields: HeaderFields, version: IncomingRequest.Version, by name: String)
    -> HeaderFields
  {
    var fields = fields
    fields.append("Via", "\(Self.protocol(version)) \(name)")
    return fields
  }

  /// True when the request has been here before.
  static func isLoop(_ request: GatewayRequest, by name: String) -> Bool {
    haveCome(request.fields, through: name)
  }

  /// True for the fields of a request that the gateway of this name has sent on: it always says so, behind whatever
  /// a client has written.
  static func haveCome(_ fields: HeaderFields, through name: String) -> Bool {
    fields.values("Via").contains { line in
      // It has no quoted strings: a quotation mark of a client hides nothing that stands behind it.
      line.split(separator: ",").contains { member in
        let parts = member.split { $0 == " " || $0 == "\t" }
        return parts.count > 1 && FieldSyntax.equalIgnoringCase(parts[1], name)
      }
    }
  }

  /// RFC 9110 section 7.6.2: how often an OPTIONS or TRACE may still be sent on; `nil` for any number.
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
