internal import Platform
public import Strategies
internal import Synchronization

/// A reachability provider that answers as a test scripts it, and counts its calls.
///
/// Safe to use from any thread.
public final class ScriptedReachability: ObservableReachability {
  private struct State {
    var steady: Reachability
    var queue: [Reachability] = []
    var asked = 0
    var generation: UInt64 = 0
  }

  private let state: Mutex<State>
  private let readers = Multicast<Reachability, Void>()

  /// Creates a provider that answers `steady` until told otherwise.
  public init(_ steady: Reachability = .online) {
    state = Mutex(State(steady: steady))
  }

  /// The number of calls of ``reachability()``.
  public var timesAsked: Int { state.withLock(\.asked) }

  /// Answers `steady` from now on; queued answers are dropped.
  public func set(_ steady: Reachability) {
    tell { state in
      state.steady = steady
      state.queue = []
    }
  }

  /// Queues these answers, one for each call, before the steady one and after earlier queued answers.
  public func enqueue(_ answers: Reachability...) {
    state.withLock { $0.queue += answers }
  }

  /// The number of the network; each ``changeNetwork()`` begins another.
  public var generation: UInt64 { state.withLock(\.generation) }

  /// Begins another network, to which no finding from the present one applies, and tells the observers.
  public func changeNetwork() { tell { $0.generation += 1 } }

  /// Changes the state and tells the readers.
  private func tell(_ change: (inout State) -> Void) {
    var steady = Reachability.online
    readers.send(
      preparing: {
        state.withLock { state in
          change(&state)
          steady = state.steady
        }
        return true
      }
    ) { _ in steady }
  }

  /// The next queued answer, or the steady one when none is left.
  public func reachability() -> Reachability {
    state.withLock {
      $0.asked += 1
      return $0.queue.isEmpty ? $0.steady : $0.queue.removeFirst()
    }
  }

  /// The steady state, and then each new one from ``set(_:)``.
  ///
  /// Each comes at once, whatever `settle` says: a script has no clock. A slow reader gets all of them.
  public func changes(settle: Duration = .zero) -> AsyncStream<Reachability> {
    readers.stream(for: (), buffering: .unbounded, first: { _ in state.withLock(\.steady) })
  }

  /// The number of readers of ``changes(settle:)``.
  public var observers: Int { readers.count }
}
