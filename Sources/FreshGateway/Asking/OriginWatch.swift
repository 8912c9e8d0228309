internal import Synchronization

/// Whether the one origin of a gateway answers, as operators are told: once when it begins to fail, and once when that
/// is over. Where it answers some requests and fails others, it fails.
final class OriginWatch: Sendable {
  private struct State {
    /// What operators have been told.
    var isToldToFail = false
    /// When it failed last, in milliseconds since the machine started.
    var failedAt: Int64 = 0
  }

  private let state = Mutex(State())

  /// How long it must not fail until its failures are over, in milliseconds. Any client may ask for what fails: a
  /// short time would have it write as many lines as it likes.
  private static let calm: Int64 = 60_000

  /// What operators are to be told of a failure; `nil` where they know.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func fail(_ cause: String, at now: Int64) -> String? {
    state.withLock { state in
      state.failedAt = now
      guard !state.isToldToFail else { return nil }
      state.isToldToFail = true
      return "the origin fails: \(cause)"
    }
  }

  /// The same of an answer.
  func answer(at now: Int64) -> String? {
    state.withLock { state in
      guard state.isToldToFail, now - state.failedAt >= Self.calm else { return nil }
      state.isToldToFail = false
      return "the origin answers again"
    }
  }
}
