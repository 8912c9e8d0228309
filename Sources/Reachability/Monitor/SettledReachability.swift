internal import Strategies

/// Decides when observers are told: of offline at once, of anything better only when it has held
/// for a while, because addresses, names and neighbours follow a route a little later.
struct SettledReachability {
  private let settle: Duration
  private var told: Reachability?
  private var waiting: (state: Reachability, due: ContinuousClock.Instant)?

  init(settle: Duration) {
    self.settle = settle
  }

  /// When something waits to be told.
  var due: ContinuousClock.Instant? { waiting?.due }

  /// Takes a new state; returns what observers are to be told now. The first state is told as it
  /// is.
  mutating func note(
    _ state: Reachability, at now: ContinuousClock.Instant
  ) -> Reachability? {
    if state == told {
      waiting = nil
      return nil
    }
    if told == nil || state.isProvablyOffline || settle <= .zero { return tell(state) }
    if waiting?.state != state { waiting = (state, now + settle) }
    return nil
  }

  /// Returns what has waited long enough.
  mutating func ripe(at now: ContinuousClock.Instant) -> Reachability? {
    guard let waiting, now >= waiting.due else { return nil }
    return tell(waiting.state)
  }

  private mutating func tell(_ state: Reachability) -> Reachability {
    told = state
    waiting = nil
    return state
  }
}
