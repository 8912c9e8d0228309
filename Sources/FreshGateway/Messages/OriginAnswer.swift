internal import FreshHTTP
internal import Strategies

/// The head of a final answer from an origin, with the times for the calculation of RFC 9111 section 4.2.3.
struct OriginAnswer: Sendable, Hashable {
  let status: Int
  /// The fields that may be forwarded, without those of the connection.
  let fields: HeaderFields
  /// The stated length of the content; `nil` where the end will show it.
  let statedLength: Int64?
  /// True when its framing contradicts itself: it is passed on, and never stored.
  let isAmbiguous: Bool
  /// True when a cookie of the answer is not among the fields, as text cannot hold it. The answer may be for one
  /// client.
  let hasLostCookie: Bool
  /// The time of receipt of its head (`response_time`).
  let receivedAt: Timestamp
  /// The time from the request to its head (`response_delay`).
  let delay: Duration
  /// The same for operators; no age is calculated with it.
  let time: Duration

  /// - Parameters:
  ///   - fields: The fields as they arrived.
  ///   - time: The time for operators, where it differs from the delay.
  init(
    status: Int, fields: HeaderFields, receivedAt: Timestamp, delay: Duration,
    time: Duration? = nil
  ) {
    self.status = status
    // RFC 9110 section 8.6: a 204 has no content, even if it states a length.
    let statesNone = status == 204
    statedLength = statesNone ? nil : MessageFraming.length(of: fields)
    isAmbiguous = MessageFraming.isAmbiguous(fields)
    var kept = HopByHopFields.removed(from: fields).valid
    hasLostCookie = UndecodedFields.contain("Set-Cookie", in: kept)
    kept = UndecodedFields.removed(from: kept)
    if statesNone { kept.set("Content-Length", nil) }
    // RFC 9110 section 6.6.1.
    if kept.first("Date") == nil { kept.append("Date", HTTPDate.format(receivedAt)) }
    self.fields = kept
    self.receivedAt = receivedAt
    self.delay = max(.zero, delay)
    self.time = time ?? self.delay
  }

  /// Its age at receipt.
  var initialAge: Duration {
    let exchange = HTTPExchange(
      status: status, request: [:], response: fields, responseTime: receivedAt,
      responseDelay: delay)
    return FreshnessCalculation().initialAge(of: exchange)
  }

  /// True where a cache behind the gateway has given the answer, and not the origin itself (RFC 9111 section 5.1).
  var isFromCache: Bool {
    let members = FieldSyntax.listMembers(fields.first("Age") ?? "")
    return members.first.flatMap { DeltaSeconds($0) }.map { $0.duration > .zero } ?? false
  }

  /// The errors of RFC 5861 section 4.
  var isServerError: Bool { [500, 502, 503, 504].contains(status) }
}

/// The trailer fields of an answer.
enum TrailerFields {
  /// The trailers that are forwarded (RFC 9110 section 6.5.1), without fields for framing, routing, reading or caching:
  /// those decisions were made without them.
  ///
  /// - Parameter unshared: The fields that other clients of the same content must not get, in lower case.
  static func sent(of fields: HeaderFields, besides unshared: Set<String> = []) -> HeaderFields {
    let kept = HopByHopFields.removed(from: fields.removing(decisive.union(unshared)))
    return UndecodedFields.removed(from: kept).valid
  }

  private static let decisive: Set = [
    "age", "authorization", "cache-control", "cache-status", "cdn-cache-control",
    "content-encoding", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "etag", "expect", "expires", "host", "last-modified", "location",
    "max-forwards", "pragma", "range", "retry-after", "set-cookie", "set-cookie2",
    "surrogate-control", "vary", "via", "www-authenticate",
  ]
}

/// The fields of an HTTP/2 message that its library cannot pass on unchanged.
///
/// The library handles only text. RFC 9110 section 5.5 allows bytes that are no UTF-8 in a value (`obs-text`); the
/// library replaces them by U+FFFD. HTTP/1 passes them on unchanged (`FieldText`).
///
/// Changed values are never forwarded: two different entity tags or cookies might have become equal.
enum UndecodedFields {
  /// The lines without such values. Fields that restrict the message stay, and `Content-Disposition` keeps its type.
  static func removed(from fields: HeaderFields) -> HeaderFields {
    guard fields.lines.contains(where: { isUndecoded($0.value) }) else { return fields }
    return HeaderFields(fields.lines.compactMap(decoded))
  }

  /// True where a changed line has this name.
  static func contain(_ name: String, in fields: HeaderFields) -> Bool {
    fields.values(name).contains(where: isUndecoded)
  }

  private static func decoded(_ line: HeaderFields.Line) -> HeaderFields.Line? {
    guard isUndecoded(line.value) else { return line }
    let name = FieldSyntax.lowercased(line.name)
    if name.hasSuffix("-control") || restricting.contains(name) { return line }
    guard name == "content-disposition" else { return nil }
    let type = FieldSyntax.trimmed(line.value.prefix { $0 != ";" })
    return FieldSyntax.isToken(type) ? HeaderFields.Line(name: line.name, value: type) : nil
  }

  static func isUndecoded(_ value: String) -> Bool {
    value.utf8.contains(0xEF) && value.unicodeScalars.contains("\u{FFFD}")
  }

  /// The fields that limit a message, beside `Cache-Control` and similar ones. They state for whom and how long it
  /// holds, how its content is read, and what a browser must not do with it.
  private static let restricting: Set = [
    "age", "content-encoding", "content-security-policy", "content-type", "date", "expires",
    "pragma", "vary", "x-content-type-options", "x-frame-options",
  ]
}
