internal import Synchronization

/// Runs work in tasks, one piece at a time.
final class WorkTasks: Sendable {
  private let clock: any StoreClock
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  init(clock: any StoreClock) {
    self.clock = clock
  }

  /// Runs `work` after all work added before it.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    if isFirst { start() }
  }

  /// Adds `work` after `pause`.
  func add(_ work: @escaping @Sendable () -> Void, after pause: Duration) {
    Task { [clock] in
      // Nobody cancels this task.
      try? await clock.sleep(for: pause)
      add(work)
    }
  }

  private func start() {
    Task {
      guard let next = waiting.withLock(\.first) else { return }
      next()
      let isMore = waiting.withLock { waiting in
        waiting.removeFirst()
        return !waiting.isEmpty
      }
      if isMore { start() }
    }
  }
}
