internal import Strategies

/// The strategies that a chain asks before it asks about the age, as far as they cannot be told without
/// asking: a record that none of them decides, and that has not expired, is fresh.
struct AgePath: Sendable {
  /// The first provider of reachability that is asked; one that is always online where none is.
  private(set) var provider: any ReachabilityProvider = FixedReachability(.online)
  /// The strategy that asks it.
  private(set) var reachability: AnyStrategy<RecordStamps>?
  /// Strategies of the caller's own, ahead of that question.
  private(set) var before: [AnyStrategy<RecordStamps>] = []
  /// The same, behind it.
  private(set) var after: [AnyStrategy<RecordStamps>] = []

  /// True where the age and the way alone decide, as in the standard chain.
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
