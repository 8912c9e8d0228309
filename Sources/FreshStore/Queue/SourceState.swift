package import Strategies

/// Whether the source of a collection is to be asked now.
package enum SourceState: Sendable, Hashable {
  /// Nothing speaks against it.
  case open
  /// It, or the way to it, has failed: one attempt at a time is to find out whether it is back.
  case trial
  /// It is left alone until then, for this reason.
  case paused(until: Timestamp, reason: String)
  /// It is provably out of reach.
  case offline(String)
}
