internal import FreshHTTP

/// The fields behind the content of an answer.
enum TrailerFields {
  /// Those that go on (RFC 9110 section 6.5.1): none that says how the message is framed, routed, read or
  /// cached, which was decided without it.
  static func sent(of fields: HeaderFields) -> HeaderFields {
    let kept = UndecodedFields.removed(
      from: HopByHopFields.removed(from: fields.removing(decisive)))
    return HeaderFields(
      kept.lines.filter { FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value) })
  }

  private static let decisive: Set = [
    "age", "authorization", "cache-control", "cache-status", "cdn-cache-control",
    "content-encoding", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "etag", "expect", "expires", "host", "last-modified", "location",
    "max-forwards", "pragma", "range", "retry-after", "set-cookie", "surrogate-control", "vary",
    "via", "www-authenticate",
  ]
}
