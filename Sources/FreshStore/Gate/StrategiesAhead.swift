internal import Strategies

/// The strategies of the caller's own that a chain asks before it asks about the age: a record that none of
/// them decides, and that has not expired, is fresh. A class, so that every read hands on one reference.
final class StrategiesAhead: Sendable {
  /// The strategy that asks about reachability; `nil` without one.
  let reachability: AnyStrategy<RecordStamps>?
  /// Strategies ahead of that question.
  let before: [AnyStrategy<RecordStamps>]
  /// Strategies behind it.
  let after: [AnyStrategy<RecordStamps>]

  /// True where the age and the route alone decide, as in the standard chain.
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// `nil` where the chain has no timestamp strategy with the store's own skew.
  init?(_ chain: Chain<RecordStamps>, allowedSkew: Duration) {
    var reachability: AnyStrategy<RecordStamps>?
    var (before, after): ([AnyStrategy<RecordStamps>], [AnyStrategy<RecordStamps>]) = ([], [])
    for strategy in chain.strategies {
      if reachability == nil, strategy.provider != nil {
        reachability = strategy
        continue
      }
      switch strategy.base {
      case is InvalidationStrategy<RecordStamps>: continue
      case let time as TimestampStrategy<RecordStamps> where time.allowedSkew == allowedSkew:
        (self.reachability, self.before, self.after) = (reachability, before, after)
        return
      default: if reachability == nil { before.append(strategy) } else { after.append(strategy) }
      }
    }
    return nil
  }
}
