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
