extension Reachability: CustomStringConvertible {
  /// The state in plain English.
  public var description: String {
    switch self {
    case .offline(let cause): "offline: \(cause)"
    case .online: "there is a route to the source"
    case .validated: "a recent fetch succeeded"
    case .suspected(let cause): "recent fetches failed: \(cause)"
    case .unknown(let cause): "reachability is not known: \(cause)"
    }
  }

  /// A stable name for logs and machine-readable output; it never changes once released.
  public var code: String {
    switch self {
    case .offline: "offline"
    case .online: "online"
    case .validated: "validated"
    case .suspected: "suspected"
    case .unknown: "reachability-unknown"
    }
  }
}
