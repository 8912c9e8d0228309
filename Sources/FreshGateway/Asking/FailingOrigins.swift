internal import Strategies
internal import Synchronization

/// What has failed at each origin since it last answered, and which origins are left alone for a while.
///
/// An address that fails again and again, whatever its query, says no more of its origin than once: only failures of
/// several say that the origin is down. Answers that are errors do not, as long as it answers others properly.
final class FailingOrigins: Sendable {
  private struct State {
    /// The hash values of addresses, by origin.
    var failed: [String: Set<Int>] = [:]
    var pauses: [String: Timestamp] = [:]
    /// When each has last answered, in milliseconds since the machine started.
    var answered: [String: Int64] = [:]
  }

  private let state = Mutex(State())
  private let addresses: Int
  private let origins: Int

  /// - Parameters:
  ///   - addresses: The most that are told apart at one origin.
  ///   - origins: The most that are remembered.
  init(addresses: Int = 64, origins: Int = 1000) {
    (self.addresses, self.origins) = (addresses, origins)
  }

  /// Notes that an address got no answer; true when that is news of its origin.
  func fail(_ address: String, of origin: String) -> Bool {
    state.withLock { state in
      if state.failed[origin] == nil, state.failed.count >= origins { state.failed = [:] }
      let known = state.failed[origin, default: []]
      guard known.count < addresses else { return !known.contains(address.hashValue) }
      return state.failed[origin, default: []].insert(address.hashValue).inserted
    }
  }

  /// The origin has answered, and with no error of its own.
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

  /// True where it has done so within that time.
  func hasAnswered(_ origin: String, within time: Duration, at now: Int64) -> Bool {
    state.withLock { state in
      guard let moment = state.answered[origin] else { return false }
      return Duration.milliseconds(now - moment) < time
    }
  }

  /// The origin is left alone for a while.
  func pause(_ origin: String, until end: Timestamp) {
    state.withLock { state in
      if state.pauses.count >= origins { state.pauses = [:] }
      state.pauses[origin] = end
    }
  }

  /// The origin that is left alone for longest, and until when; `nil` where none is.
  func longestPause(at now: Timestamp) -> (origin: String, end: Timestamp)? {
    state.withLock { state in
      let pause = state.pauses.max { $0.value < $1.value }
      guard let pause, pause.value.duration(since: now) > .zero else { return nil }
      return (pause.key, pause.value)
    }
  }

  /// The number of origins that are left alone.
  func pausing(at now: Timestamp) -> Int {
    state.withLock { $0.pauses.values.count { $0.duration(since: now) > .zero } }
  }
}

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

/// Whether requests are refused for want of connections to origins, as operators are told: once when that begins, and once
/// when it is over.
final class ConnectionShortage: Sendable {
  private struct State {
    /// What operators have been told.
    var isTold = false
    /// When the last was refused, in milliseconds since the machine started.
    var refusedAt: Int64 = 0
  }

  private let state = Mutex(State())

  /// How long none must have been refused, in milliseconds: any client may bring it about.
  private static let calm: Int64 = 60_000

  /// What operators are to be told of a request that is refused; `nil` where they know.
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

  /// The same of a request that has had a connection.
  func serve(at now: Int64) -> String? {
    state.withLock { state in
      guard state.isTold, now - state.refusedAt >= Self.calm else { return nil }
      state.isTold = false
      return "no requests are refused for want of connections any longer"
    }
  }
}
