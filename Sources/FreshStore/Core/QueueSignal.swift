internal import Synchronization

/// Wakes waiters when the refetch queue grows without a change of a record: by stored verdicts, and
/// by sweeps.
package final class QueueSignal: Sendable {
  private struct State {
    var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  init() {}

  /// One element for one or more occasions since the last read.
  package func occasions() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.waiters[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.waiters.removeValue(forKey: number) }
    }
    return stream
  }

  func wake() {
    let waiters = state.withLock { Array($0.waiters.values) }
    for waiter in waiters { waiter.yield() }
  }
}
