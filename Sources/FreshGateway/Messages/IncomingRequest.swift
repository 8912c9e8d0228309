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
