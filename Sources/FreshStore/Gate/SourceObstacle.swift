internal import Strategies

/// The reason why a source is not asked.
enum SourceObstacle: Sendable, Equatable {
  case offline(String)
  case paused(AttemptPause)

  /// The failure for a caller that gets no fetch.
  var failure: FetchFailure {
    switch self {
    case .offline(let cause): .offline(cause)
    case .paused(let pause): pause.failure
    }
  }
}
