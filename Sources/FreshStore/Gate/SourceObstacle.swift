internal import Strategies

/// Why a source is not asked.
enum SourceObstacle: Sendable, Equatable {
  case offline(String)
  case paused(AttemptPause)

  /// What a caller is told who gets no fetch.
  var failure: FetchFailure {
    switch self {
    case .offline(let cause): .offline(cause)
    case .paused(let pause): pause.failure
    }
  }
}
