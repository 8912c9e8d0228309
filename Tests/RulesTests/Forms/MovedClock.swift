import Synchronization

/// A clock that stands still until it is moved.
final class MovedClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var last = 0
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          if state.cancelled.remove(number) != nil {
            continuation.resume(throwing: CancellationError())
          } else if deadline <= state.now {
            continuation.resume()
          } else {
            state.sleepers[number] = (deadline, continuation)
            for watcher in state.watchers where watcher.count <= state.sleepers.count {
              watcher.continuation.resume()
            }
            state.watchers.removeAll { $0.count <= state.sleepers.count }
          }
        }
      }
    } onCancel: {
      state.withLock { state in
        if let sleeper = state.sleepers.removeValue(forKey: number) {
          sleeper.continuation.resume(throwing: CancellationError())
        } else {
          state.cancelled.insert(number)
        }
      }
    }
  }

  /// Lets time pass; every task whose sleep is over wakes up.
  func advance(by duration: Duration) {
    state.withLock { state in
      state.now = state.now.advanced(by: duration)
      for (number, sleeper) in state.sleepers where sleeper.until <= state.now {
        state.sleepers[number] = nil
        sleeper.continuation.resume()
      }
    }
  }

  /// The number of sleeping tasks.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Returns once this many tasks sleep.
  func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.sleepers.count >= count {
          continuation.resume()
        } else {
          state.watchers.append((count, continuation))
        }
      }
    }
  }
}
