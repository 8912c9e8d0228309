internal import Synchronization

/// The lists that are being followed, and when each was last followed here, on the boot clock.
final class Following: Sendable {
  private struct State {
    var now: Set<SyncedList.Name> = []
    var ends: [SyncedList.Name: Duration] = [:]
  }

  /// A list whose answer expires at once is followed this often.
  private static let shortestInterval = Duration.seconds(1)

  private let state = Mutex(State())
  private let once: Bool

  /// - Parameter once: True for a run that ends when all is done.
  init(once: Bool) {
    self.once = once
  }

  /// The pause of a list after its last time; `nil` while it is being followed, and after it was in
  /// a run that follows each list once.
  func rest(of name: SyncedList.Name, at now: Duration) -> Duration? {
    state.withLock { state in
      guard !state.now.contains(name), !once || state.ends[name] == nil else { return nil }
      return state.ends[name].map { max(.zero, $0 + Self.shortestInterval - now) } ?? .zero
    }
  }

  /// Reserves the list until it is given back.
  func begin(_ name: SyncedList.Name) -> Taken {
    state.withLock { _ = $0.now.insert(name) }
    return Taken { [self] in state.withLock { _ = $0.now.remove(name) } }
  }

  /// The list was followed to its end.
  func noteEnd(of name: SyncedList.Name, at now: Duration) {
    state.withLock { $0.ends[name] = now }
  }
}
