internal import FreshHTTP

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
