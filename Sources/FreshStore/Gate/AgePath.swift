internal import Strategies

/// The strategies that a chain asks before the age, if their verdict is not known in advance: a
/// record that none of them decides, and that has not expired, is fresh.
struct AgePath: Sendable {
  /// The first provider of reachability in the chain; without one, a provider that is always online.
  private(set) var provider: any ReachabilityProvider = FixedReachability(.online)
  /// The strategy that asks it.
  private(set) var reachability: AnyStrategy<RecordStamps>?
  /// The caller's own strategies ahead of the reachability strategy.
  private(set) var before: [AnyStrategy<RecordStamps>] = []
  /// The same, behind it.
  private(set) var after: [AnyStrategy<RecordStamps>] = []

  /// True when the age and the route alone decide, as in the standard chain.
  var isPlain: Bool { before.isEmpty && after.isEmpty }

  /// `nil` where the chain has no timestamp strategy with the store's own skew.
  init?(_ chain: Chain<RecordStamps>, allowedSkew: Duration) {
    for strategy in chain.strategies {
      if reachability == nil, let asked = strategy.provider {
        (provider, reachability) = (asked, strategy)
        continue
      }
      switch strategy.base {
      case is InvalidationStrategy<RecordStamps>: continue
      case let time as TimestampStrategy<RecordStamps> where time.allowedSkew == allowedSkew:
        return
      default: if reachability == nil { before.append(strategy) } else { after.append(strategy) }
      }
    }
    return nil
  }
}
