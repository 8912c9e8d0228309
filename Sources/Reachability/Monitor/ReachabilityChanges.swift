internal import Platform
public import Strategies

/// The states of a ``RouteMonitor`` as they change; made by ``RouteMonitor/changes(settle:)``.
public struct ReachabilityChanges: AsyncSequence, Sendable {
  let monitor: RouteMonitor
  let settle: Duration

  /// Begins with the present state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(monitor: monitor, states: monitor.stream(settle: settle).makeAsyncIterator())
  }

  /// Waits for one state after the other.
  public struct Iterator: AsyncIteratorProtocol {
    // Held so that the monitor, and with it the stream, does not end.
    private let monitor: RouteMonitor
    private var states: AsyncStream<Reachability>.Iterator

    init(monitor: RouteMonitor, states: AsyncStream<Reachability>.Iterator) {
      self.monitor = monitor
      self.states = states
    }

    /// The next state; `nil` when the task is cancelled, or when changes can no longer be observed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Reachability? {
      await states.next(isolation: actor)
    }
  }
}

/// The observers of changes, each with its own settle time.
final class ReachabilityObservers: Sendable {
  private let observers = Multicast<Reachability, SettledReachability>()

  /// True when there are no observers.
  var isEmpty: Bool { observers.count == 0 }

  /// The next moment at which ``tell(_:generation:at:)`` has something to report without a further event.
  var due: ContinuousClock.Instant? { observers.facts(\.due).min() }

  /// A stream that begins with the present state and keeps only the newest unread state. A stream that is not live
  /// ends there, because no change would be reported.
  func stream(
    settle: Duration, isLive: Bool, present: () -> (state: Reachability, generation: UInt64)
  ) -> AsyncStream<Reachability> {
    observers.stream(
      for: SettledReachability(settle: settle), buffering: .bufferingNewest(1), isLive: isLive,
      first: { settled in
        let (present, generation) = present()
        return settled.note(present, generation: generation, at: .now)
      })
  }

  /// Reports the state to each observer once its settle time allows.
  func tell(
    _ reachability: Reachability, generation: UInt64, at now: ContinuousClock.Instant
  ) {
    observers.send { settled in
      settled.note(reachability, generation: generation, at: now) ?? settled.ripe(at: now)
    }
  }

  /// Ends all streams, later ones too.
  func finish() { observers.finish() }
}

/// Decides when observers are notified. Offline is reported at once. A better state or another network is reported
/// only once it has held for a while. Addresses, names and neighbours follow a route a little later.
struct SettledReachability {
  private struct Observation: Equatable {
    let state: Reachability
    let generation: UInt64
  }

  private let settle: Duration
  private var told: Observation?
  private var waiting: (seen: Observation, due: ContinuousClock.Instant)?

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
    let seen = Observation(state: state, generation: generation)
    if seen == told || state.isProvablyOffline && state == told?.state {
      waiting = nil
      return nil
    }
    if told == nil || state.isProvablyOffline || settle <= .zero { return tell(seen) }
    if waiting?.seen != seen {
      // The state has held since then, though the network may have changed.
      let holds = waiting?.seen.state == state && state != told?.state
      waiting = (seen, holds ? waiting?.due ?? now + settle : now + settle)
    }
    return nil
  }

  /// Returns the state that has waited long enough.
  mutating func ripe(at now: ContinuousClock.Instant) -> Reachability? {
    guard let waiting, now >= waiting.due else { return nil }
    return tell(waiting.seen)
  }

  private mutating func tell(_ seen: Observation) -> Reachability {
    told = seen
    waiting = nil
    return seen.state
  }
}
