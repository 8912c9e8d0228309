internal import FreshHTTP

/// The head of a request as it came in, before anything in it is believed.
struct IncomingRequest: Sendable, Hashable {
  /// Case matters (RFC 9110 section 9.1).
  var method: String
  /// The request target as it was sent (RFC 9112 section 3.2). For HTTP/2 it is `:path`, or the
  /// authority of a `CONNECT`.
  var target: String
  var version: Version
  /// The field lines as they were sent. For HTTP/2 `:authority` stands in for a `Host` that is absent.
  var fields: HeaderFields
  /// True where fields were left out that a library could not hand on as they came.
  var hasLostFields = false

  enum Version: Int, Sendable, Comparable {
    case http10 = 10
    case http11 = 11
    case http2 = 20

    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// The bytes that it takes in memory, about: 32 for each field beside its text, as in RFC 9113 section 6.5.2.
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

/// Who asks, and for what, as far as an origin is told.
extension GatewayRequest {
  /// True where two requests are one to their origin: equal in every field that is sent on, and of the same address where
  /// that is told. No name is harmless: whoever has an answer validated each time need not say by what it varies, as no
  /// other request is ever given it.
  func isAsked(like other: GatewayRequest) -> Bool {
    told == other.told
      && ForwardedFields.addresses(of: client) == ForwardedFields.addresses(of: other.client)
  }

  private var told: [String: [String]] {
    var told: [String: [String]] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.ofCaches.contains(name) else { continue }
      told[name, default: []].append(line.value)
    }
    return told
  }

  /// By what caches are told how fresh the answer has to be, and which one is there already.
  private static let ofCaches: Set = [
    "cache-control", "if-modified-since", "if-none-match", "pragma",
  ]
}

/// Where a message ends, by its fields (RFC 9112 section 6). Whatever two recipients might read in two
/// ways is refused, which is what request smuggling lives on (section 11.2).
enum MessageFraming: Sendable, Hashable {
  case none
  /// So many bytes follow.
  case length(Int64)
  /// Chunks follow.
  case chunked

  /// The framing of a request; of an answer, ``length(of:)`` reads the length.
  init(ofRequest fields: HeaderFields, version: IncomingRequest.Version) throws(RequestRefusal) {
    let codings = fields.combined("Transfer-Encoding").map(FieldSyntax.lowercased)
    let length = try Self.contentLength(fields)
    guard let codings else {
      self = length.map { .length($0) } ?? .none
      return
    }
    guard version == .http11 else {
      // Section 6.1: faulty framing in HTTP/1.0; HTTP/2 knows no such field (RFC 9113 section 8.2.2).
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
    // A second line, or an empty member, may be all that another recipient sees.
    guard codings == "chunked" else { throw .malformed("Transfer-Encoding is written oddly") }
    self = .chunked
  }

  var hasContent: Bool {
    switch self {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }

  /// The length that an answer states; `nil` when it states none or contradicts itself, and so is
  /// never known to be whole.
  static func length(of fields: HeaderFields) -> Int64? {
    guard fields.combined("Transfer-Encoding") == nil else { return nil }
    do {
      return try contentLength(fields)
    } catch {
      return nil
    }
  }

  /// True when the length of an answer cannot be relied on (RFC 9112 section 6.3).
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

/// The answer to a request that is not understood, or that others may understand differently. The
/// connection closes after it: where its next request begins is not known.
struct RequestRefusal: Error, Sendable, Hashable {
  let status: Int
  /// For the client and the log: what is wrong, without a byte of the request in it.
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// RFC 9110 section 15.5.1.
  static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
