extension Reason {
  /// A stable name for logs and machine-readable output, without figures; it never changes once
  /// released.
  public var code: String {
    switch self {
    case .always: "always"
    case .noObject: "no-object"
    case .undecided: "undecided"
    case .age: "age"
    case .neverExpires: "never-expires"
    case .expiresImmediately: "expires-immediately"
    case .noLastUpdate: "no-last-update"
    case .noExpiry: "no-expiry"
    case .lastUpdateInFuture: "last-update-in-future"
    case .maximumAge: "maximum-age"
    case .deadline: "deadline"
    case .version: "version"
    case .reachability(let reachability): reachability.code
    case .reachabilityIgnored: "reachability-ignored"
    case .marked: "marked"
    case .notMarked: "not-marked"
    case .declaredValid: "declared-valid"
    case .notDeclared: "not-declared"
    case .combined: "combined"
    case .everyElement: "every-element"
    case .emptyList: "empty-list"
    case .custom: "custom"
    }
  }
}
