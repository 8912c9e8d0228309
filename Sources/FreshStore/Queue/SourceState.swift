package import Strategies

/// Whether the source of a collection may be asked now.
package enum SourceState: Sendable, Hashable {
  /// There is no obstacle.
  case open
  /// It, or the route to it, has failed: one attempt at a time finds out whether it is back.
  case trial
  /// It is not asked until then, for this reason.
  case paused(until: Timestamp, reason: String)
  /// It is not asked until an application says so, for this reason.
  case held(String)
  /// It is provably unreachable.
  case offline(String)
}
