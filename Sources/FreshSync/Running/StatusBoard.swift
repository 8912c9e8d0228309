internal import FreshStore
internal import Platform
internal import Synchronization

/// The present status, and the readers of its changes.
final class StatusBoard: Sendable {
  private let present = Mutex(SyncStatus())
  private let readers = Multicast<SyncStatus, Void>()

  var status: SyncStatus { present.withLock { $0 } }

  func show(_ status: SyncStatus) {
    readers.send(
      preparing: {
        present.withLock { present in
          defer { present = status }
          return present != status
        }
      }
    ) { _ in status }
  }

  func statuses() -> AsyncStream<SyncStatus> {
    readers.stream(for: (), buffering: .bufferingNewest(1), first: { _ in status })
  }
}

/// The callers that wait until a run has nothing to do for the moment.
final class SettledCallers: Sendable {
  private struct State {
    var last = 0
    var waiting: [Int: CheckedContinuation<SyncStatus?, Never>] = [:]
    var cancelledEarly: Set<Int> = []
  }

  private let state = Mutex(State())

  /// The number of the newest caller; `nil` when nobody waits. Callers with lower numbers came before.
  var newest: Int? { state.withLock { $0.waiting.keys.max() } }

  /// Waits for a status; `nil` when the task is cancelled first.
  ///
  /// - Parameter joined: Runs once the caller is registered.
  func status(joined: @Sendable () -> Void) async -> SyncStatus? {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelledEarly.remove(number) != nil { return true }
          state.waiting[number] = continuation
          return false
        }
        if isCancelled { continuation.resume(returning: nil) } else { joined() }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<SyncStatus?, Never>? in
        guard let waiting = state.waiting.removeValue(forKey: number) else {
          state.cancelledEarly.insert(number)
          return nil
        }
        return waiting
      }
      waiting?.resume(returning: nil)
    }
  }

  /// Tells the callers up to a number, or all of them.
  func tell(_ status: SyncStatus, upTo number: Int = .max) {
    let told = state.withLock { state in
      let told = state.waiting.filter { $0.key <= number }
      for number in told.keys { state.waiting[number] = nil }
      return told
    }
    for waiting in told.values { waiting.resume(returning: status) }
  }
}

/// Wakes one sleeper; any number of wakes while it is awake count as one.
final class WakeSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func wake() { continuation.yield() }

  /// Returns once woken, once the boot clock shows `moment`, or when the task is cancelled.
  func sleep(until moment: Duration, clock: any StoreClock) async {
    let timer = Task {
      do {
        try await clock.sleep(until: moment)
        wake()
      } catch {
        // Cancelled: the sleeper was woken earlier.
      }
    }
    defer { timer.cancel() }
    var occasions = stream.makeAsyncIterator()
    _ = await occasions.next()
  }
}
