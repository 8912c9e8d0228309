internal import FreshHTTP

/// An answer that is ready to be sent, but for the bytes of its content.
struct AnswerPlan: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// No content, whatever `Content-Length` says: HEAD, 204, 205, 304, 416.
    case none
    /// All that is stored.
    case whole
    /// One range of it.
    case range(Range<Int64>)
    /// Several, each after its own head.
    case ranges(MultipartRanges)
    /// A line for people.
    case text(String)
  }

  var status: Int
  var fields: HeaderFields
  var content: Content

  /// RFC 9110 section 15.4.5: the fields that renew the client's copy; none that describes content.
  static func notModified(_ fields: HeaderFields) -> HeaderFields {
    let names = Set(fields.lines.map { FieldSyntax.lowercased($0.name) })
    let unwanted = names.filter { $0.hasPrefix("content-") && !keptInNotModified.contains($0) }
    var fields = fields.removing(unwanted)
    if fields.first("ETag") != nil { fields.set("Last-Modified", nil) }
    return fields
  }

  private static let keptInNotModified: Set = [
    "content-location", "content-security-policy", "content-security-policy-report-only",
  ]
}
