internal import FreshHTTP
internal import Strategies
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

/// The plain answer from a copy, for all who ask within the same second: nothing in it changes meanwhile.
///
/// It is made anew for the first two of them, so that a copy that is seldom asked for takes no memory for it.
final class AnswerMemo: Sendable {
  private struct Entry {
    let age: Int64
    let status: CacheStatus
    let targets: [String]
    let base: String?
    var plan: AnswerPlan?
  }

  private let last = Mutex<Entry?>(nil)

  /// The answer with this age and status; made where it is not at hand.
  ///
  /// - Parameters:
  ///   - age: In seconds.
  ///   - targets: What the policy makes of the fields depends on these, and on the base of the origin.
  func plan(
    _ age: Int64, _ status: CacheStatus, _ targets: [String], _ base: String?,
    _ make: () -> AnswerPlan?
  ) -> AnswerPlan? {
    let status = status.inWholeSeconds
    let (known, isSecond) = last.withLock { entry -> (AnswerPlan?, Bool) in
      if let last = entry, last.age == age, last.status == status, last.targets == targets,
        last.base == base
      {
        return (last.plan, true)
      }
      entry = Entry(age: age, status: status, targets: targets, base: base)
      return (nil, false)
    }
    if let known { return known }
    guard var plan = make() else { return nil }
    guard isSecond else { return plan }
    plan.head = AnswerPlan.Head()
    last.withLock { [plan] entry in
      guard entry?.age == age, entry?.status == status, entry?.targets == targets,
        entry?.base == base
      else { return }
      entry?.plan = plan
    }
    return plan
  }
}

/// Why a request went on to the origin (RFC 9211 section 2.2).
enum ForwardReason: String, Sendable, Hashable {
  /// The cache was not to be asked.
  case bypass
  case method
  case uriMiss = "uri-miss"
  case varyMiss = "vary-miss"
  /// The request wanted more than the copy could give.
  case request
  case stale
  /// Only parts are stored, and not those.
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
  /// How long the answer will be fresh; negative for how long it has not been.
  var timeToLive: Duration?
  var isStored = false
  /// True for an answer to somebody else's request that served this one, too; false where that was tried.
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
    // It says what became of a forwarded request (section 2.5).
    if !isHit && isStored { parts.append("stored") }
    if !isHit, let isCollapsed { parts.append(isCollapsed ? "collapsed" : "collapsed=?0") }
    if let key { parts.append("key=\(StructuredFields.string(key))") }
    if let detail { parts.append("detail=\(StructuredFields.string(detail))") }
    return parts.joined(separator: "; ")
  }

  /// The same, as it is told apart by its text.
  var inWholeSeconds: CacheStatus {
    var status = self
    status.timeToLive = timeToLive.map { Duration.seconds(Self.seconds($0)) }
    return status
  }

  /// Each cache adds itself behind those that are nearer to the origin (section 2).
  func append(to fields: inout HeaderFields) { fields.append("Cache-Status", text) }

  /// Rounded down, so that a copy that has just become stale is not shown as fresh.
  private static func seconds(_ duration: Duration) -> Int64 {
    let components = duration.components
    return components.seconds - (components.attoseconds < 0 ? 1 : 0)
  }
}
