internal import Synchronization

/// Tells one waiter that there may be news. All news until the waiter takes them count as one.
final class NewsSignal: Sendable {
  private struct State {
    /// The first look is due at once.
    var isSet = true
    var isHeld = false
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?

    var isDue: Bool { isOver || (isSet && !isHeld) }

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }
  }

  private let state = Mutex(State())

  /// Notes that there may be news.
  func set() { change { $0.isSet = true } }

  /// Notes that there will be no more news.
  func end() { change { $0.isOver = true } }

  /// Waits for news, and takes them; false when there will be no more, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - earliest: The time since boot before which news have to wait; `nil` for none.
  ///   - latest: The time since boot that counts as news; `nil` for none.
  func take(
    notBefore earliest: Duration?, notAfter latest: Duration?, clock: any StoreClock
  ) async -> Bool {
    let isDue = state.withLock { state in
      state.isHeld = earliest != nil
      return state.isDue
    }
    let timers = isDue ? [] : timers(earliest, latest, clock)
    defer { for timer in timers { timer.cancel() } }
    await wait()
    return state.withLock { state in
      guard !state.isOver, !Task.isCancelled else { return false }
      state.isSet = false
      return true
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.isDue || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.takeWaiter() }
      waiter?.resume()
    }
  }

  private func timers(
    _ earliest: Duration?, _ latest: Duration?, _ clock: any StoreClock
  ) -> [Task<Void, Never>] {
    var timers: [Task<Void, Never>] = []
    if let earliest {
      timers.append(timer(at: earliest, clock) { news in news.change { $0.isHeld = false } })
    }
    if let latest { timers.append(timer(at: latest, clock) { news in news.set() }) }
    return timers
  }

  private func timer(
    at moment: Duration, _ clock: any StoreClock, _ ring: @escaping @Sendable (NewsSignal) -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        try await clock.sleep(until: moment)
        ring(self)
      } catch {
        // The wait has ended without this timer, which was cancelled.
      }
    }
  }

  /// Changes the state, and wakes the waiter if news are due. The waiter resumes outside of the lock, because a
  /// cancellation of its task takes the lock, too.
  private func change(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state in
      body(&state)
      return state.isDue ? state.takeWaiter() : nil
    }
    waiter?.resume()
  }
}
