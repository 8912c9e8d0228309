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
