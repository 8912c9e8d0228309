internal import Synchronization

/// Whether the one origin of a gateway answers, as operators are told: once when that changes, and not again for some
/// seconds where it comes and goes.
final class OriginWatch: Sendable {
  private struct State {
    /// Why it fails; `nil` while it answers.
    var cause: String?
    /// What operators have been told.
    var isToldToFail = false
    /// When they were told, in milliseconds since the machine started.
    var toldAt: Int64?
  }

  private let state = Mutex(State())

  private static let pause: Int64 = 10_000

  /// What operators are to be told of a failure; `nil` where they know, or have just heard something else.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func fail(_ cause: String, at now: Int64) -> String? {
    state.withLock { state in
      state.cause = cause
      return Self.tell(&state, now)
    }
  }

  /// The same of an answer.
  func answer(at now: Int64) -> String? {
    state.withLock { state in
      guard state.cause != nil || state.isToldToFail else { return nil }
      state.cause = nil
      return Self.tell(&state, now)
    }
  }

  private static func tell(_ state: inout State, _ now: Int64) -> String? {
    let fails = state.cause != nil
    guard fails != state.isToldToFail else { return nil }
    if let last = state.toldAt, now - last < pause { return nil }
    (state.isToldToFail, state.toldAt) = (fails, now)
    return state.cause.map { "the origin fails: \($0)" } ?? "the origin answers again"
  }
}
