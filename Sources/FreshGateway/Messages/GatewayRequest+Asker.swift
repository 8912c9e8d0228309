internal import FreshHTTP

/// Who asks, as far as an origin is told.
extension GatewayRequest {
  /// True where two requests differ in nothing by which origins tell one client from another: cookies, `Authorization`,
  /// and any field that is not known to tell none apart, such as the key of an API.
  func isAsked(like other: GatewayRequest) -> Bool {
    telling == other.telling
  }

  private var telling: [String: [String]] {
    var telling: [String: [String]] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.isOfNobody(name) else { continue }
      telling[name, default: []].append(line.value)
    }
    return telling
  }

  private static func isOfNobody(_ name: String) -> Bool {
    ofNobody.contains(name) || name.hasPrefix("sec-") || name.hasPrefix("x-b3-")
  }

  /// What is wanted, of which `Vary` tells where it counts; with what program, and from which page; and the numbers that
  /// programs and proxies give to each request.
  private static let ofNobody: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "b3", "cache-control",
    "cf-ray", "dnt", "host", "if-modified-since", "if-none-match", "max-forwards", "pragma",
    "priority", "referer", "save-data", "te", "traceparent", "tracestate",
    "upgrade-insecure-requests", "user-agent", "via", "x-amzn-trace-id", "x-cloud-trace-context",
    "x-correlation-id", "x-request-id",
  ]
}
