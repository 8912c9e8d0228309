internal import FreshHTTP

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
