internal import Strategies

/// Decides when observers are notified: of offline at once, of a better state or another network
/// only once it has held for a while, because addresses, names and neighbours follow a route a
/// little later.
struct SettledReachability {
  private struct Sight: Equatable {
    let state: Reachability
    let generation: UInt64
  }

  private let settle: Duration
  private var told: Sight?
  private var waiting: (sight: Sight, due: ContinuousClock.Instant)?

  init(settle: Duration) {
    self.settle = settle
  }

  /// The time at which a waiting state is reported.
  var due: ContinuousClock.Instant? { waiting?.due }

  /// Takes a new state; returns the state to report now. The first state is reported as it is.
  ///
  /// - Parameter generation: The number of the network.
  mutating func note(
    _ state: Reachability, generation: UInt64, at now: ContinuousClock.Instant
  ) -> Reachability? {
    let sight = Sight(state: state, generation: generation)
    if sight == told || state.isProvablyOffline && state == told?.state {
      waiting = nil
      return nil
    }
    if told == nil || state.isProvablyOffline || settle <= .zero { return tell(sight) }
    if waiting?.sight != sight {
      // The state has held since then, though the network may have changed.
      let holds = waiting?.sight.state == state && state != told?.state
      waiting = (sight, holds ? waiting?.due ?? now + settle : now + settle)
    }
    return nil
  }

  /// Returns the state that has waited long enough.
  mutating func ripe(at now: ContinuousClock.Instant) -> Reachability? {
    guard let waiting, now >= waiting.due else { return nil }
    return tell(waiting.sight)
  }

  private mutating func tell(_ sight: Sight) -> Reachability {
    told = sight
    waiting = nil
    return sight.state
  }
}
