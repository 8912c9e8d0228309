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
