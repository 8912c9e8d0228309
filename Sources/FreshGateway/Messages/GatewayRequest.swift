internal import FreshHTTP

/// The head of a request as it arrived, before any validation.
struct IncomingRequest: Sendable, Hashable {
  /// Case matters (RFC 9110 section 9.1).
  var method: String
  /// The request target as it was sent (RFC 9112 section 3.2). For HTTP/2 it is `:path`, or the authority of a
  /// `CONNECT`.
  var target: String
  var version: Version
  /// The field lines as they were sent. For HTTP/2 `:authority` replaces a missing `Host`.
  var fields: HeaderFields
  /// True where a library could not pass on all fields unchanged.
  var hasLostFields = false

  enum Version: Int, Sendable, Comparable {
    case http10 = 10
    case http11 = 11
    case http2 = 20

    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// The approximate size in memory: 32 bytes for each field beside its text, as in RFC 9113 section 6.5.2.
  var size: Int {
    fields.lines.reduce(method.utf8.count + target.utf8.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + 32
    }
  }

  init(
    _ method: String, _ target: String, version: Version = .http11, fields: HeaderFields = [:]
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
  }
}

/// A request that was read and validated.
struct GatewayRequest: Sendable, Hashable {
  let method: String
  let target: RequestTarget
  let version: IncomingRequest.Version
  /// The fields that are forwarded. Only these decide about anything: a field that the origin does not see selects
  /// nothing.
  let fields: HeaderFields
  /// The framing by the fields. On HTTP/2 the frames of the stream decide.
  let framing: MessageFraming
  let directives: RequestDirectives
  let preconditions: Preconditions
  /// The ranges that a GET requests; `nil` for the whole representation.
  let ranges: RangeRequest?
  /// The client of a reverse proxy; `nil` for a request of the gateway itself.
  var client: ForwardedClient?
  /// True where it is forwarded with fields that no key holds and that may select the answer: a method, an address or a
  /// user. No copy answers it, and no other client gets its answer.
  var hasUnkeyedFields = false
  /// The digests by which it selects variants, as far as they were computed.
  let digests = SelectionDigests()

  /// The cache key (RFC 9111 section 2); `nil` for a request without a representation to store.
  var key: String? { address?.text }

  var address: HTTPAddress? {
    if case .resource(let address) = target { address } else { nil }
  }

  /// RFC 9111 section 2. Content of a GET or HEAD has no defined meaning (RFC 9110 section 9.3.1). An origin that uses
  /// it would answer other clients by the content of this one.
  var mayBeAnsweredFromCopy: Bool {
    (method == "GET" || method == "HEAD") && address != nil && !hasContent && !hasUnkeyedFields
  }

  /// An unconditional GET of the whole representation.
  var isPlain: Bool { method == "GET" && ranges == nil && preconditions.isEmpty }

  var hasContent: Bool { framing.hasContent }

  /// RFC 9110 section 9.2.1. An unknown method counts as unsafe.
  var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  var isIdentified: Bool { fields.first("Authorization") != nil }

  /// True where it identifies its user, in either of the usual ways.
  var isPersonal: Bool { isIdentified || fields.first("Cookie") != nil }

  /// True where two requests are the same to their origin: equal in every forwarded field, and from the same address
  /// where that is forwarded. No field is exempt: an origin that has each answer validated need not state by what it
  /// varies.
  func isAsked(like other: GatewayRequest) -> Bool {
    forwarded == other.forwarded
      && ForwardedFields.addresses(of: client) == ForwardedFields.addresses(of: other.client)
  }

  private var forwarded: [String: [String]] {
    var forwarded: [String: [String]] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.ofCaches.contains(name) else { continue }
      forwarded[name, default: []].append(line.value)
    }
    return forwarded
  }

  /// The fields for caches: how fresh the answer must be, and which copy the client has.
  private static let ofCaches: Set = [
    "cache-control", "if-modified-since", "if-none-match", "pragma",
  ]
}

/// The end of a message by its fields (RFC 9112 section 6).
///
/// A message that two recipients might read in two ways is refused: request smuggling relies on such messages (section
/// 11.2).
enum MessageFraming: Sendable, Hashable {
  case none
  /// This many bytes follow.
  case length(Int64)
  /// Chunks follow.
  case chunked

  /// The framing of a request; for an answer ``length(of:)`` reads the length.
  init(ofRequest fields: HeaderFields, version: IncomingRequest.Version) throws(RequestRefusal) {
    let codings = fields.combined("Transfer-Encoding").map(FieldSyntax.lowercased)
    let length = try Self.contentLength(fields)
    guard let codings else {
      self = length.map { .length($0) } ?? .none
      return
    }
    guard version == .http11 else {
      // Section 6.1: HTTP/1.0 framing with this field is faulty; HTTP/2 has no such field (RFC 9113 section 8.2.2).
      throw .malformed("Transfer-Encoding belongs to HTTP/1.1 alone")
    }
    guard length == nil else { throw .malformed("Content-Length stands beside Transfer-Encoding") }
    let members = FieldSyntax.listMembers(codings)
    guard members.last == "chunked" else {
      throw .malformed("the last transfer coding of a request must be chunked")
    }
    guard members.count == 1 else {
      throw members.dropLast().contains("chunked")
        ? .malformed("it is chunked more than once")
        : RequestRefusal(501, "chunked is the only transfer coding understood")
    }
    // Another recipient may see only a second line or an empty member.
    guard codings == "chunked" else { throw .malformed("Transfer-Encoding is written oddly") }
    self = .chunked
  }

  var hasContent: Bool {
    switch self {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }

  /// The length that an answer states; `nil` when it states none or contradicts itself. Without one the answer is never
  /// known to be whole.
  static func length(of fields: HeaderFields) -> Int64? {
    guard fields.combined("Transfer-Encoding") == nil else { return nil }
    do {
      return try contentLength(fields)
    } catch {
      return nil
    }
  }

  /// True when the length of an answer is unreliable (RFC 9112 section 6.3).
  static func isAmbiguous(_ fields: HeaderFields) -> Bool {
    do {
      let length = try contentLength(fields)
      return length != nil && fields.combined("Transfer-Encoding") != nil
    } catch {
      return true
    }
  }

  /// RFC 9110 section 8.6; a repeated length is refused even where it is the same.
  private static func contentLength(_ fields: HeaderFields) throws(RequestRefusal) -> Int64? {
    let values = fields.values("Content-Length")
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw .malformed("there is more than one Content-Length") }
    guard value.utf8.count <= 18, !value.isEmpty, value.utf8.allSatisfy(FieldSyntax.isDigit),
      let length = Int64(value)
    else { throw .malformed("Content-Length is not a number of bytes") }
    return length
  }
}

/// The refusal of a request that is malformed, or that other recipients may read differently.
///
/// The connection closes after it, as the beginning of the next request is unknown.
struct RequestRefusal: Error, Sendable, Hashable {
  let status: Int
  /// The fault, for the client and the log, without a byte of the request.
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// RFC 9110 section 15.5.1.
  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
