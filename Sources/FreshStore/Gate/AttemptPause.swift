internal import Strategies

/// Why no fetch is tried for a while, although the copy is stale.
struct AttemptPause: Sendable, Equatable {
  let until: Timestamp
  let cause: String

  /// What a caller is told whose copy stands in.
  var failure: FetchFailure {
    FetchFailure(
      .pausing(until: until),
      "no attempt was made, because the last one failed (\(cause)); the next one is due at \(until)"
    )
  }
}
