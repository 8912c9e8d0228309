internal import FreshHTTP

/// The fields behind the content of an answer.
enum TrailerFields {
  /// Those that go on (RFC 9110 section 6.5.1): none that says how the message is framed, routed, read or
  /// cached, which was decided without it.
  ///
  /// - Parameter unshared: What others have to be spared who are sent the same content, in lower case.
  static func sent(of fields: HeaderFields, besides unshared: Set<String> = []) -> HeaderFields {
    let kept = UndecodedFields.removed(
      from: HopByHopFields.removed(from: fields.removing(decisive.union(unshared))))
    return HeaderFields(
      kept.lines.filter { FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value) })
  }

  private static let decisive: Set = [
    "age", "authorization", "cache-control", "cache-status", "cdn-cache-control",
    "content-encoding", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "etag", "expect", "expires", "host", "last-modified", "location",
    "max-forwards", "pragma", "range", "retry-after", "set-cookie", "set-cookie2",
    "surrogate-control", "vary", "via", "www-authenticate",
  ]
}
