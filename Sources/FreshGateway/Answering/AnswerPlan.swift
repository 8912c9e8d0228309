internal import FreshHTTP
internal import Strategies
internal import Synchronization

/// An answer that is ready to be sent, except for the bytes of its content.
struct AnswerPlan: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// No content, whatever `Content-Length` says: HEAD, 204, 205, 304, 416.
    case none
    /// All stored bytes.
    case whole
    /// One range of the stored bytes.
    case range(Range<Int64>)
    /// Several ranges, each behind its own part header.
    case ranges(MultipartRanges)
    /// A line for people.
    case text(String)
  }

  /// The header section as bytes, for an HTTP/1.1 connection that stays open; `nil` until it is rendered once.
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
  /// The rendered head, shared by all clients that get this same answer. A change of the answer drops it.
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

  /// RFC 9110 section 15.4.5: the fields that renew the client's copy, without those that describe content.
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

/// The plain answer from a copy, for all requests within the same second: nothing in it changes meanwhile.
///
/// Only the second request in a second stores it, so a copy that is seldom requested takes no memory for it.
final class AnswerMemo: Sendable {
  private struct Key: Equatable {
    let age: Int64
    let status: CacheStatus
    let targets: [String]
    let base: String?
  }

  private let last = Mutex<(key: Key, plan: AnswerPlan?)?>(nil)

  /// The answer with this age and status; `make` builds it when it is not stored.
  ///
  /// - Parameters:
  ///   - age: In seconds.
  ///   - targets: With the base of the origin, all that the policy's changes to the fields depend on.
  func plan(
    _ age: Int64, _ status: CacheStatus, _ targets: [String], _ base: String?,
    _ make: () -> AnswerPlan?
  ) -> AnswerPlan? {
    let key = Key(age: age, status: status.inWholeSeconds, targets: targets, base: base)
    let (known, isSecond) = last.withLock { last -> (AnswerPlan?, Bool) in
      if let last, last.key == key { return (last.plan, true) }
      last = (key, nil)
      return (nil, false)
    }
    if let known { return known }
    guard var plan = make() else { return nil }
    guard isSecond else { return plan }
    plan.head = AnswerPlan.Head()
    last.withLock { [plan] last in
      if last?.key == key { last?.plan = plan }
    }
    return plan
  }
}

/// Why a request went on to the origin (RFC 9211 section 2.2).
enum ForwardReason: String, Sendable, Hashable {
  /// The request was not for the cache.
  case bypass
  case method
  case uriMiss = "uri-miss"
  case varyMiss = "vary-miss"
  /// The request wanted more than the copy could give.
  case request
  case stale
  /// Only parts are stored, and not the requested ones.
  case partial
}

/// This cache's member of `Cache-Status` (RFC 9211).
struct CacheStatus: Sendable, Hashable {
  /// A token.
  var name: String
  var isHit = false
  var forward: ForwardReason?
  /// The status of the origin's answer, where it differs from the one sent.
  var forwardStatus: Int?
  /// How long the answer stays fresh; negative once it is stale.
  var timeToLive: Duration?
  var isStored = false
  /// True for an answer that another request brought, false where sharing one was tried in vain.
  var isCollapsed: Bool?
  var key: String?
  var detail: String?

  init(_ name: String) { self.name = name }

  var text: String {
    var parts = [name]
    if isHit { parts.append("hit") }
    if !isHit, let forward { parts.append("fwd=\(forward.rawValue)") }
    if !isHit, let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
    if let timeToLive { parts.append("ttl=\(Self.seconds(timeToLive))") }
    // Only a forwarded request has this parameter (section 2.5).
    if !isHit && isStored { parts.append("stored") }
    if !isHit, let isCollapsed { parts.append(isCollapsed ? "collapsed" : "collapsed=?0") }
    if let key { parts.append("key=\(StructuredFields.string(key))") }
    if let detail { parts.append("detail=\(StructuredFields.string(detail))") }
    return parts.joined(separator: "; ")
  }

  /// The same status with a whole number of seconds: two statuses that print alike are equal.
  var inWholeSeconds: CacheStatus {
    var status = self
    status.timeToLive = timeToLive.map { Duration.seconds(Self.seconds($0)) }
    return status
  }

  /// Each cache appends its member behind those of the caches nearer to the origin (section 2).
  func append(to fields: inout HeaderFields) { fields.append("Cache-Status", text) }

  /// Rounded down, so that a copy that has just become stale is not shown as fresh.
  private static func seconds(_ duration: Duration) -> Int64 {
    let components = duration.components
    return components.seconds - (components.attoseconds < 0 ? 1 : 0)
  }
}
