internal import FreshHTTP

/// A request that is understood.
struct GatewayRequest: Sendable, Hashable {
  let method: String
  let target: RequestTarget
  let version: IncomingRequest.Version
  /// The fields that are sent on, and the only ones that anything is decided by: what the origin does
  /// not see selects nothing.
  let fields: HeaderFields
  /// Of HTTP/2, whose frames tell the end, the stream has the last word.
  let framing: MessageFraming
  let directives: RequestDirectives
  let preconditions: Preconditions
  /// The ranges that a GET asks for; `nil` for everything.
  let ranges: RangeRequest?
  /// Who has sent it to a reverse proxy; `nil` for a request of the gateway's own.
  var client: ForwardedClient?
  /// True where it goes on with fields from which origins take what they answer, as its method, its address or its
  /// user, and which no key holds: no copy answers it, and nobody else gets its answer.
  var hasUnkeyedFields = false
  /// By what it selects variants, as far as that was asked.
  let digests = SelectionDigests()

  /// The cache key (RFC 9111 section 2); `nil` for what has no representation to keep.
  var key: String? { address?.text }

  var address: HTTPAddress? {
    if case .resource(let address) = target { address } else { nil }
  }

  /// RFC 9111 section 2. With content a GET or HEAD has no defined meaning (RFC 9110 section 9.3.1), and
  /// an origin that gives it one would answer others by what only this client has sent.
  var mayBeAnsweredFromCopy: Bool {
    (method == "GET" || method == "HEAD") && address != nil && !hasContent && !hasUnkeyedFields
  }

  /// A GET for all of the resource, on no conditions.
  var isPlain: Bool { method == "GET" && ranges == nil && preconditions.isEmpty }

  var hasContent: Bool { framing.hasContent }

  /// RFC 9110 section 9.2.1. A method that is not known is not known to be safe.
  var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  var isIdentified: Bool { fields.first("Authorization") != nil }

  /// True where it tells whose it is, in either of the usual ways.
  var isPersonal: Bool { isIdentified || fields.first("Cookie") != nil }
}
