internal import FreshHTTP
internal import Synchronization

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

  /// The head as bytes, for a connection of HTTP/1.1 that goes on, once somebody has rendered it.
  final class Head: Sendable {
    private let rendered = Mutex<[UInt8]?>(nil)

    var bytes: [UInt8]? {
      get { rendered.withLock { $0 } }
      set { rendered.withLock { $0 = newValue } }
    }
  }

  var status: Int { didSet { head = nil } }
  var fields: HeaderFields { didSet { head = nil } }
  var content: Content { didSet { head = nil } }
  /// What all have in common who get the same answer; a change of it makes it another one.
  var head: Head?

  init(status: Int, fields: HeaderFields, content: Content) {
    self.status = status
    self.fields = fields
    self.content = content
  }

  static func == (left: AnswerPlan, right: AnswerPlan) -> Bool {
    left.status == right.status && left.fields == right.fields && left.content == right.content
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(fields)
    hasher.combine(content)
  }

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
