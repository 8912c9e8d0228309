internal import FreshHTTP
internal import Strategies

/// The head of a final answer from an origin, with the times that RFC 9111 section 4.2.3 calculates
/// with.
struct OriginAnswer: Sendable, Hashable {
  let status: Int
  /// The fields that may go on; those of the connection are gone.
  let fields: HeaderFields
  /// How many bytes of content it states; `nil` where the end will tell.
  let statedLength: Int64?
  /// True when its framing contradicts itself: it is passed on, and never kept.
  let isAmbiguous: Bool
  /// True when a cookie that it sets is not among the fields, as text cannot hold it: it may be for one client alone.
  let hasLostCookie: Bool
  /// When its head came in (`response_time`).
  let receivedAt: Timestamp
  /// The time from the request to its head (`response_delay`).
  let delay: Duration
  /// The same as operators are told it, which no age is calculated with.
  let time: Duration

  /// - Parameters:
  ///   - fields: As they came in.
  ///   - time: That which operators are told, where it is another than the delay.
  init(
    status: Int, fields: HeaderFields, receivedAt: Timestamp, delay: Duration,
    time: Duration? = nil
  ) {
    self.status = status
    // RFC 9110 section 8.6: it has no content, whatever it states.
    let statesNone = status == 204
    statedLength = statesNone ? nil : MessageFraming.length(of: fields)
    isAmbiguous = MessageFraming.isAmbiguous(fields)
    var kept = HopByHopFields.removed(from: fields)
    // Lines that could not be sent on would split the answer in two.
    kept = HeaderFields(
      kept.lines.filter { FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value) })
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

  /// True where a cache behind the gateway has given it, and not the origin itself when it was asked (RFC 9111 section
  /// 5.1).
  var isFromCache: Bool {
    let members = FieldSyntax.listMembers(fields.first("Age") ?? "")
    return members.first.flatMap { DeltaSeconds($0) }.map { $0.duration > .zero } ?? false
  }

  /// RFC 9110 section 15: the statuses that no recipient knows otherwise.
  var isServerError: Bool { [500, 502, 503, 504].contains(status) }
}

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

/// The fields of a message over HTTP/2 that its library cannot hand on: it takes and gives text alone, and in a value
/// with bytes that are no UTF-8, which RFC 9110 section 5.5 allows (`obs-text`), those have become U+FFFD. Over HTTP/1 they
/// come and go as they are (`FieldText`).
///
/// Changed values are never passed on: two entity tags, or two cookies, could be one by now.
enum UndecodedFields {
  /// The lines without such values, but for those that the message must not be without: it would be free of a
  /// restriction. Of `Content-Disposition` the type stays.
  static func removed(from fields: HeaderFields) -> HeaderFields {
    guard fields.lines.contains(where: { isUndecoded($0.value) }) else { return fields }
    return HeaderFields(fields.lines.compactMap(decoded))
  }

  /// True where such a line has the name.
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

  /// Beside `Cache-Control` and its like: whom the message answers, how long, how its content is read, and what a
  /// browser must not do with it.
  private static let restricting: Set = [
    "age", "content-encoding", "content-security-policy", "content-type", "date", "expires",
    "pragma", "vary", "x-content-type-options", "x-frame-options",
  ]
}
