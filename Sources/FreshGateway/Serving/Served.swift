/// What an answer was, for the figures.
enum Served: Int, Sendable, CaseIterable {
  /// A copy that is fresh.
  case hit
  /// One that is not, by request, while it is renewed, or as the origin fails.
  case stale
  /// A copy that the origin has confirmed.
  case revalidated
  /// The origin's answer.
  case miss
  /// The origin's answer to somebody else.
  case collapsed
  /// The origin's answer to a request that no copy could answer.
  case passed
  /// An answer of the gateway's own.
  case own
  /// None: the client left before.
  case abandoned
}
