/// A strategy that asks a provider of reachability, whichever it is.
package protocol AskingReachability {
  /// The provider.
  var asked: any ReachabilityProvider { get }
}

extension ReachabilityStrategy: AskingReachability {
  package var asked: any ReachabilityProvider { provider }
}
