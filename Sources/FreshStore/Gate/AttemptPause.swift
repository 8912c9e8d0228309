internal import Strategies

/// The reason why no fetch is tried for a while, although it is wanted.
struct AttemptPause: Sendable, Equatable {
  /// The cause of a pause.
  enum Origin: Sendable, Equatable {
    /// The last attempt failed, and the pause is the policy's own.
    case backoff
    /// The source asked for a pause of this length.
    case named
    /// The breaker of an origin is open.
    case breaker(String)
    /// The origin is held until it is released; `until` is only when to look again for one that waits
    /// for a moment.
    case hold(String)
  }

  let until: Timestamp
  let cause: String
  var origin = Origin.backoff

  var isHold: Bool {
    if case .hold = origin { true } else { false }
  }

  /// The failure for a caller that gets no fetch.
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
    case .hold(let name): .held(name, because: cause)
    }
  }
}
