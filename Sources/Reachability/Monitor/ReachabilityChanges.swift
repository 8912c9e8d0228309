public import Strategies

/// The states of a ``RouteMonitor`` as they change; made by ``RouteMonitor/changes(settle:)``.
public struct ReachabilityChanges: AsyncSequence, Sendable {
  let monitor: RouteMonitor
  let settle: Duration

  /// Begins with the present state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(monitor: monitor, states: monitor.stream(settle: settle).makeAsyncIterator())
  }

  /// Waits for the states, one after the other.
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
