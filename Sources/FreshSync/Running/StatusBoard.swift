internal import Synchronization

/// The present status, and the readers that wait for the next.
final class StatusBoard: Sendable {
  private struct State {
    var status = SyncStatus()
    var observers: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// Keeps the notifications in order. Cancelling a task holds the task's lock, which waking it
  /// takes too, and the end of its stream takes the state's lock: so no reader is notified under
  /// that.
  private let telling = Mutex(())

  var status: SyncStatus { state.withLock(\.status) }

  func show(_ status: SyncStatus) {
    telling.withLock { _ in
      let observers = state.withLock { state -> [AsyncStream<SyncStatus>.Continuation] in
        guard state.status != status else { return [] }
        state.status = status
        return Array(state.observers.values)
      }
      for observer in observers { observer.yield(status) }
    }
  }

  func statuses() -> AsyncStream<SyncStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.observers[state.next] = continuation
      continuation.yield(state.status)
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
    return stream
  }
}
