internal import Strategies
internal import Synchronization

/// The failures of each origin since its last answer, and the origins that are backing off.
///
/// Repeated failures of one address, with any query, count once: only failures of several addresses show that the
/// origin is down. An answer with an error is no such failure while the origin answers other requests properly.
final class FailingOrigins: Sendable {
  private struct State {
    /// The hash values of addresses, by origin.
    var failed: [String: Set<Int>] = [:]
    var pauses: [String: Timestamp] = [:]
    /// The time of the latest answer of each origin, in milliseconds since the machine started.
    var answered: [String: Int64] = [:]
  }

  private let state = Mutex(State())
  private let addresses: Int
  private let origins: Int

  /// - Parameters:
  ///   - addresses: The most addresses that are told apart at one origin.
  ///   - origins: The most origins that are remembered.
  init(addresses: Int = 64, origins: Int = 1000) {
    (self.addresses, self.origins) = (addresses, origins)
  }

  /// Notes that an address got no answer; true when that is new for its origin.
  func fail(_ address: String, of origin: String) -> Bool {
    state.withLock { state in
      if state.failed[origin] == nil, state.failed.count >= origins { state.failed = [:] }
      let known = state.failed[origin, default: []]
      guard known.count < addresses else { return !known.contains(address.hashValue) }
      return state.failed[origin, default: []].insert(address.hashValue).inserted
    }
  }

  /// Notes that the origin has answered without an error of its own.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func answer(of origin: String, at now: Int64) {
    state.withLock { state in
      state.failed[origin] = nil
      state.pauses[origin] = nil
      if state.answered[origin] == nil, state.answered.count >= origins { state.answered = [:] }
      state.answered[origin] = now
    }
  }

  /// True where it has done so within this time.
  func hasAnswered(_ origin: String, within time: Duration, at now: Int64) -> Bool {
    state.withLock { state in
      guard let moment = state.answered[origin] else { return false }
      return Duration.milliseconds(now - moment) < time
    }
  }

  /// Notes that the origin is not asked until this time.
  func pause(_ origin: String, until end: Timestamp) {
    state.withLock { state in
      if state.pauses.count >= origins { state.pauses = [:] }
      state.pauses[origin] = end
    }
  }

  /// The origin with the latest end of its pause, and that end; `nil` where no origin is paused.
  func longestPause(at now: Timestamp) -> (origin: String, end: Timestamp)? {
    state.withLock { state in
      let pause = state.pauses.max { $0.value < $1.value }
      guard let pause, pause.value.duration(since: now) > .zero else { return nil }
      return (pause.key, pause.value)
    }
  }

  /// The number of paused origins.
  func pausing(at now: Timestamp) -> Int {
    state.withLock { $0.pauses.values.count { $0.duration(since: now) > .zero } }
  }
}

/// The messages to operators about the only origin of a gateway. There is one when it begins to fail, one when it is
/// not asked for a while, and one when that is over. An origin that answers some requests and fails others counts as
/// failing.
final class OriginWatch: Sendable {
  private struct State {
    var isToldToFail = false
    var isToldToBeLeftAlone = false
    /// The time of the last failure, in milliseconds since the machine started, and its cause.
    var failedAt: Int64 = 0
    var cause: String?
  }

  private let state = Mutex(State())

  /// How long, in milliseconds, it must not fail until failures without a pause are over. Any client may request an
  /// address that fails: a shorter time would let it write any number of lines.
  private static let calm: Int64 = 60_000

  /// The message about a failure; `nil` where operators know.
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

  /// The message about an origin that is not asked until this time, with the cause of its last failure. That may differ
  /// from the first one; failures in other processes have no cause here.
  func leaveAlone(_ origin: String, until end: String) -> String? {
    state.withLock { state in
      guard !state.isToldToBeLeftAlone else { return nil }
      (state.isToldToFail, state.isToldToBeLeftAlone) = (true, true)
      return "the origin " + Self.words(of: origin, until: end, state.cause)
    }
  }

  /// The same text for an operator's request, as long as the pause lasts.
  func words(of origin: String, until end: String) -> String {
    Self.words(of: origin, until: end, state.withLock { $0.cause })
  }

  private static func words(of origin: String, until end: String, _ cause: String?) -> String {
    "\(origin) is left alone until \(end), as it keeps failing" + (cause.map { ": \($0)" } ?? "")
  }

  /// The message about an answer. It ends a pause at once: pauses keep the messages apart.
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

/// The messages to operators about requests that are refused without a free connection to an origin. There is one when
/// that begins, and one when it is over.
final class ConnectionShortage: Sendable {
  private struct State {
    var isTold = false
    /// The time of the last refusal, in milliseconds since the machine started.
    var refusedAt: Int64 = 0
  }

  private let state = Mutex(State())

  /// How long, in milliseconds, no request must be refused until it is over: any client may cause refusals.
  private static let calm: Int64 = 60_000

  /// The message about a refused request; `nil` where operators know.
  ///
  /// - Parameter now: In milliseconds since the machine started.
  func refuse(_ reason: String, at now: Int64) -> String? {
    state.withLock { state in
      state.refusedAt = now
      guard !state.isTold else { return nil }
      state.isTold = true
      return "requests are refused for want of connections to the origin: \(reason)"
    }
  }

  /// The message about a request that got a connection.
  func serve(at now: Int64) -> String? {
    state.withLock { state in
      guard state.isTold, now - state.refusedAt >= Self.calm else { return nil }
      state.isTold = false
      return "no requests are refused for want of connections any longer"
    }
  }
}
