internal import Strategies

/// Why no fetch is tried for a while, although it is wanted.
struct AttemptPause: Sendable, Equatable {
  /// What a pause follows from.
  enum Origin: Sendable, Equatable {
    /// The last attempt failed, and the pause is the policy's own.
    case backoff
    /// The source has asked to be left alone for so long.
    case named
    /// The breaker of an origin is open.
    case breaker(String)
  }

  let until: Timestamp
  let cause: String
  var origin = Origin.backoff

  /// What a caller is told who gets no fetch.
  var failure: FetchFailure {
    switch origin {
    case .backoff:
      FetchFailure(
        .pausing(until: until),
        "no attempt was made, because the last one failed (\(cause)); the next one is due at \(until)"
      )
    case .named:
      FetchFailure(
        .pausing(until: until),
        "no attempt was made, because the source asked to be left alone until \(until) (\(cause))")
    case .breaker(let name): .originIsDown(name, until: until)
    }
  }
}
