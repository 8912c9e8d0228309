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
