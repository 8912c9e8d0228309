internal import FreshHTTP

/// The fields that a gateway adds to what it sends on.
enum SentOnFields {
  /// RFC 9110 section 7.6.3: a gateway says on the way to the origin that it stands there.
  static func request(_ fields: HeaderFields, version: IncomingRequest.Version, by name: String)
    -> HeaderFields
  {
    var fields = fields
    fields.append("Via", "\(Self.protocol(version)) \(name)")
    return fields
  }

  /// True when the request has been here before.
  static func isLoop(_ request: GatewayRequest, by name: String) -> Bool {
    guard let field = request.fields.combined("Via") else { return false }
    return FieldSyntax.listMembers(field).contains { member in
      let parts = member.split(separator: " ")
      return parts.count > 1 && FieldSyntax.equalIgnoringCase(parts[1], name)
    }
  }

  private static func `protocol`(_ version: IncomingRequest.Version) -> String {
    switch version {
    case .http10: "1.0"
    case .http11: "1.1"
    case .http2: "2"
    }
  }
}
