internal import FreshStore
internal import Synchronization

/// The lists that are being followed, and when each was last followed here, on the boot clock.
final class Following: Sendable {
  private struct End {
    let at: Duration
    let left: ListStanding
  }

  private struct State {
    var now: Set<SyncedList.Name> = []
    var ends: [SyncedList.Name: End] = [:]
    var ended: Set<SyncedList.Name> = []
  }

  /// A list whose answer expires at once, or that fails without a pause, is followed this often.
  private static let shortestInterval = Duration.seconds(1)

  private let state = Mutex(State())
  private let once: Bool

  /// - Parameter once: True for a run that ends when all is done.
  init(once: Bool) {
    self.once = once
  }

  /// False while a list is being followed, and after it was in a run that follows each list once.
  func isFree(_ name: SyncedList.Name) -> Bool {
    state.withLock { state in
      !state.now.contains(name) && !(once && state.ended.contains(name))
    }
  }

  /// The rest of a list's pause after its last time; `nil` when it may be followed: the pause is over, or
  /// somebody has asked for the list since.
  func rest(of name: SyncedList.Name, at now: Duration, _ standing: ListStanding) -> Duration? {
    state.withLock { state in
      guard let end = state.ends[name], !standing.isAskedFor(since: end.left) else { return nil }
      let rest = end.at + Self.shortestInterval - now
      return rest > .zero ? rest : nil
    }
  }

  /// Reserves the list until it is given back.
  func begin(_ name: SyncedList.Name) -> Taken {
    state.withLock { _ = $0.now.insert(name) }
    return Taken { [self] in state.withLock { _ = $0.now.remove(name) } }
  }

  /// The list was followed to its end, and left like that; with `nil` it does not rest.
  func noteEnd(of name: SyncedList.Name, at now: Duration, _ left: ListStanding?) {
    state.withLock { state in
      state.ended.insert(name)
      state.ends[name] = left.map { End(at: now, left: $0) }
    }
  }
}
