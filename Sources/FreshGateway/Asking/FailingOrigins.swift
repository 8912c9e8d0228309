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
