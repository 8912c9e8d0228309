internal import Reachability
internal import Strategies

/// Holds a provider as the store's configuration does, so that the compiler cannot know its type.
final class Provider {
  let value: any ReachabilityProvider

  init(_ value: any ReachabilityProvider) {
    self.value = value
  }
}
