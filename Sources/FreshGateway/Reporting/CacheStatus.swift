internal import FreshHTTP
internal import Strategies

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
