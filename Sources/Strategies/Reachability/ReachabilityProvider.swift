/// Something that knows, now and without waiting, what is known of the way to the source.
public protocol ReachabilityProvider: Sendable {
  /// The present state. Must not block on the network; called on every read that asks.
  func reachability() -> Reachability
}
