public import Strategies
internal import Synchronization

/// A reachability provider that says what a test tells it to, and counts how often it was asked.
///
/// Safe to use from any thread.
public final class ScriptedReachability: ReachabilityProvider {
  private struct State {
    var steady: Reachability
    var queue: [Reachability] = []
    var asked = 0
    var generation: UInt64 = 0
  }

  private let state: Mutex<State>

  /// Creates a provider that says `steady` until it is told otherwise.
  public init(_ steady: Reachability = .online) {
    state = Mutex(State(steady: steady))
  }

  /// How often ``reachability()`` was called.
  public var timesAsked: Int { state.withLock(\.asked) }

  /// Says `steady` from now on; queued answers are dropped.
  public func set(_ steady: Reachability) {
    state.withLock {
      $0.steady = steady
      $0.queue = []
    }
  }

  /// Gives these answers, one for each question, before the steady one; after those queued already.
  public func enqueue(_ answers: Reachability...) {
    state.withLock { $0.queue += answers }
  }

  /// Which network this is; each ``changeNetwork()`` begins another.
  public var generation: UInt64 { state.withLock(\.generation) }

  /// Begins another network, in which nothing found in the present one holds.
  public func changeNetwork() {
    state.withLock { $0.generation += 1 }
  }

  /// The next queued answer, or the steady one when none is left.
  public func reachability() -> Reachability {
    state.withLock {
      $0.asked += 1
      return $0.queue.isEmpty ? $0.steady : $0.queue.removeFirst()
    }
  }
}
