/// The known state of the path to the source.
///
/// Only ``offline(_:)`` is a proof; every other grade means that an attempt is worth making. A failed probe is
/// ``unknown(_:)``, which counts as online. A false "offline" hides fresh data; a false "online" costs one failed
/// fetch.
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

/// Why no packet can leave for the source, in plain English.
public struct OfflineCause: Sendable, Hashable {
  /// The cause in plain English.
  public let description: String

  /// Creates a cause from a text. A literal is not copied, so that reporting it allocates nothing.
  public init(_ text: String) {
    description = text
  }
}

extension OfflineCause: CustomStringConvertible, ExpressibleByStringInterpolation {
  /// Creates a cause from a text.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

/// A type that knows the present state of the path to the source without waiting.
public protocol ReachabilityProvider: Sendable {
  /// The present state. Must not block on the network; called on every read that asks.
  func reachability() -> Reachability

  /// The number of the network. A new number is a new network, and no earlier finding holds for it. Always 0 where
  /// a provider cannot tell.
  var generation: UInt64 { get }
}

extension ReachabilityProvider {
  /// Always 0: this provider does not distinguish networks.
  public var generation: UInt64 { 0 }
}

/// A provider that also reports changes of its state, so that callers need not poll.
///
/// A caller that waits for the network takes any ``ReachabilityProvider`` and checks for this
/// refinement; a provider without it is polled.
public protocol ObservableReachability: ReachabilityProvider {
  /// The sequence of states.
  associatedtype Changes: AsyncSequence & Sendable
  where Changes.Element == Reachability, Changes.Failure == Never

  /// The present state and then each change: offline at once, a better state once it has held for
  /// `settle`. A state repeats with a new ``ReachabilityProvider/generation``. A slow reader may
  /// get the newest state only. The sequence ends when changes can no longer be observed.
  func changes(settle: Duration) -> Changes
}

/// Always the same answer: for tests, and for programs that know the state.
public struct FixedReachability: ReachabilityProvider {
  private let state: Reachability

  /// Creates a provider that always answers `state`.
  public init(_ state: Reachability) {
    self.state = state
  }

  /// The fixed answer.
  public func reachability() -> Reachability { state }
}

extension ReachabilityProvider where Self == FixedReachability {
  /// Always the same answer.
  public static func fixed(_ state: Reachability) -> FixedReachability { FixedReachability(state) }
}

/// A provider written as a closure: for a program with a source of its own.
public struct ClosureReachability: ReachabilityProvider {
  private let body: @Sendable () -> Reachability

  /// Creates the provider; the closure must not wait for the network.
  public init(_ body: @escaping @Sendable () -> Reachability) {
    self.body = body
  }

  /// Runs the closure.
  public func reachability() -> Reachability { body() }
}

extension ReachabilityProvider where Self == ClosureReachability {
  /// Asks a closure, which must not wait for the network.
  ///
  /// Where the parameter is `some ReachabilityProvider`, Swift 6.3 does not see that the closure is
  /// `@Sendable`: begin it with `@Sendable in` there.
  public static func asking(_ body: @escaping @Sendable () -> Reachability) -> ClosureReachability {
    ClosureReachability(body)
  }
}
