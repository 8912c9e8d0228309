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
    var observers: [Int: AsyncStream<Reachability>.Continuation] = [:]
    var nextObserver = 0
  }

  private let state: Mutex<State>
  /// Keeps the notifications in order; none is sent under the state's lock, which the end of a
  /// stream takes.
  private let telling = Mutex(())

  /// Creates a provider that answers `steady` until told otherwise.
  public init(_ steady: Reachability = .online) {
    state = Mutex(State(steady: steady))
  }

  /// The number of calls of ``reachability()``.
  public var timesAsked: Int { state.withLock(\.asked) }

  /// Answers `steady` from now on; queued answers are dropped.
  public func set(_ steady: Reachability) {
    telling.withLock { _ in
      let observers = state.withLock { state in
        state.steady = steady
        state.queue = []
        return Array(state.observers.values)
      }
      for observer in observers { observer.yield(steady) }
    }
  }

  /// Queues these answers, one for each question, before the steady one and after those queued
  /// already.
  public func enqueue(_ answers: Reachability...) {
    state.withLock { $0.queue += answers }
  }

  /// The number of the network; each ``changeNetwork()`` begins another.
  public var generation: UInt64 { state.withLock(\.generation) }

  /// Begins another network, to which no finding from the present one applies, and tells the
  /// observers.
  public func changeNetwork() {
    telling.withLock { _ in
      let (observers, steady) = state.withLock { state in
        state.generation += 1
        return (Array(state.observers.values), state.steady)
      }
      for observer in observers { observer.yield(steady) }
    }
  }

  /// The next queued answer, or the steady one when none is left.
  public func reachability() -> Reachability {
    state.withLock {
      $0.asked += 1
      return $0.queue.isEmpty ? $0.steady : $0.queue.removeFirst()
    }
  }

  /// The steady state and then each that is ``set(_:)``, at once whatever `settle` says: a script
  /// has no clock. A slow reader gets all of them.
  public func changes(settle: Duration = .zero) -> AsyncStream<Reachability> {
    let (stream, continuation) = AsyncStream.makeStream(of: Reachability.self)
    let number = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = continuation
      continuation.yield(state.steady)
      return state.nextObserver
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
    return stream
  }

  /// The number of readers of ``changes(settle:)``.
  public var observers: Int { state.withLock(\.observers.count) }
}
