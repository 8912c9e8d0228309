/// Something that knows, now and without waiting, what is known of the way to the source.
public protocol ReachabilityProvider: Sendable {
  /// The present state. Must not block on the network; called on every read that asks.
  func reachability() -> Reachability

  /// Which network this is: another number is another network, for which nothing found in an
  /// earlier one holds. Always 0 where a provider cannot tell.
  var generation: UInt64 { get }
}

extension ReachabilityProvider {
  /// Always 0: this provider does not tell one network from another.
  public var generation: UInt64 { 0 }
}

/// A provider that also tells when its state changes, so that nobody has to ask again and again.
///
/// Whoever waits for the network takes any ``ReachabilityProvider`` and looks for this refinement;
/// one that does not have it is asked at intervals.
public protocol ObservableReachability: ReachabilityProvider {
  /// The states, one after the other.
  associatedtype Changes: AsyncSequence & Sendable
  where Changes.Element == Reachability, Changes.Failure == Never

  /// The present state and then each change: offline at once, anything better when it has held for
  /// `settle`. A state comes again with a new ``ReachabilityProvider/generation``. A reader who is late may get the newest state only. A sequence that ends says that
  /// nothing can tell of changes any more.
  func changes(settle: Duration) -> Changes
}

/// Always the same answer: for tests, and for a program that knows.
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
