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
