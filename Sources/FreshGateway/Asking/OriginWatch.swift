internal import Synchronization

/// Whether the one origin of a gateway answers, as operators are told: once when it begins to fail, once when it is left
/// alone for that, and once when that is over. Where it answers some requests and fails others, it fails.
final class OriginWatch: Sendable {
  private struct State {
    /// What operators have been told.
    var isToldToFail = false
    var isToldToBeLeftAlone = false
    /// When it failed last, in milliseconds since the machine started, and why.
    var failedAt: Int64 = 0
    var cause: String?
  }

  private let state = Mutex(State())

  /// How long it must not fail until failures are over that never had it left alone, in milliseconds. Any client may ask
  /// for what fails: a short time would have it write as many lines as it likes.
  private static let calm: Int64 = 60_000

  /// What operators are to be told of a failure; `nil` where they know.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func fail(_ cause: String, at now: Int64) -> String? {
    state.withLock { state in
      (state.failedAt, state.cause) = (now, cause)
      guard !state.isToldToFail else { return nil }
      state.isToldToFail = true
      return "the origin fails: \(cause)"
    }
  }

  /// The same of an origin that is left alone until then, with the reason of its last failure, which may be another than
  /// that of the first; the failures of other processes have none here.
  func leaveAlone(_ origin: String, until end: String) -> String? {
    state.withLock { state in
      guard !state.isToldToBeLeftAlone else { return nil }
      (state.isToldToFail, state.isToldToBeLeftAlone) = (true, true)
      return "the origin " + Self.words(of: origin, until: end, state.cause)
    }
  }

  /// The same for whoever asks, as long as it is left alone.
  func words(of origin: String, until end: String) -> String {
    Self.words(of: origin, until: end, state.withLock { $0.cause })
  }

  private static func words(of origin: String, until end: String, _ cause: String?) -> String {
    "\(origin) is left alone until \(end), as it keeps failing" + (cause.map { ": \($0)" } ?? "")
  }

  /// The same of an answer. It ends what has had the origin left alone at once: between two lines of that is a pause.
  func answer(at now: Int64) -> String? {
    state.withLock { state in
      guard state.isToldToFail,
        state.isToldToBeLeftAlone || now - state.failedAt >= Self.calm
      else { return nil }
      state = State()
      return "the origin answers again"
    }
  }
}
