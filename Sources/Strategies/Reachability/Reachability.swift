/// The known state of the path to the source.
///
/// Only ``offline(_:)`` is a proof; every other grade means that an attempt is worth making. A
/// probe that could not be made is ``unknown(_:)``, which counts as online: a false "offline" hides
/// fresh data, a false "online" costs one failed fetch.
public enum Reachability: Sendable, Hashable {
  /// The kernel proves that no packet can leave for the source.
  case offline(OfflineCause)
  /// There is a route; the path beyond it is unknown.
  case online
  /// A recent fetch succeeded.
  case validated
  /// Recent fetches failed although there is a route.
  case suspected(String)
  /// The probe itself failed.
  case unknown(String)

  /// True only for a proof of being offline.
  public var isProvablyOffline: Bool {
    if case .offline = self { true } else { false }
  }
}

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
