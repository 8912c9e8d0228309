internal import Synchronization

/// The exchanges that hold a connection to an origin for a client that is slow: only so many of one client at one origin,
/// so that others find a connection.
final class SlowClients: Sendable {
  /// Whose exchanges are counted together.
  struct Place: Sendable, Hashable {
    let client: String
    let origin: String
  }

  private struct State {
    /// Those that are slow.
    var counts: [Place: Int] = [:]
    /// Those that wait for their client just now, and may turn out to be slow.
    var waiting: [ObjectIdentifier: ClientPace] = [:]
  }

  /// How long an exchange may wait for its client until that is slow.
  let patience: Duration
  /// The bytes in a second with which it never is.
  let pace: Int
  let now: @Sendable () -> ContinuousClock.Instant
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The most exchanges of one client at one origin.
  ///   - now: The time; a test has its own.
  init(
    atMost limit: Int, patience: Duration = .seconds(1), pace: Int = 64 << 10,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.limit, self.patience, self.pace, self.now) = (limit, patience, pace, now)
  }

  /// All that are slow.
  var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

  /// The exchanges that wait for their client just now.
  var awaited: Int { state.withLock { $0.waiting.count } }

  /// True where no further exchange of the client may wait for it.
  func isFull(_ place: Place) -> Bool {
    state.withLock { $0.counts[place, default: 0] >= limit }
  }

  /// False where there are too many already.
  func take(_ place: Place) -> Bool {
    state.withLock { state in
      guard state.counts[place, default: 0] < limit else { return false }
      state.counts[place, default: 0] += 1
      return true
    }
  }

  func giveBack(_ place: Place) {
    state.withLock { state in
      let others = state.counts[place, default: 1] - 1
      state.counts[place] = others > 0 ? others : nil
    }
  }

  func add(_ pace: ClientPace) {
    state.withLock { $0.waiting[ObjectIdentifier(pace)] = pace }
  }

  func remove(_ pace: ClientPace) {
    state.withLock { state in
      state.waiting[ObjectIdentifier(pace)] = nil
    }
  }

  /// Finds out who has become slow; to be called now and then.
  func look() {
    let waiting = state.withLock { Array($0.waiting.values) }
    guard !waiting.isEmpty else { return }
    let moment = now()
    for pace in waiting { pace.look(at: moment) }
  }
}
