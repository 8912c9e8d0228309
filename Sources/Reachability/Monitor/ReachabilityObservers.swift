internal import Strategies
internal import Synchronization

/// The observers of changes, each with its own patience.
final class ReachabilityObservers: Sendable {
  private struct Observer {
    var settled: SettledReachability
    let continuation: AsyncStream<Reachability>.Continuation
  }

  private struct State {
    var observers: [UInt64: Observer] = [:]
    var lastNumber: UInt64 = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  /// Keeps the notifications in order. Cancelling a task holds the task's lock, which waking it
  /// takes too, and the end of its stream takes the state's lock: so no observer is notified under
  /// that.
  private let telling = Mutex(())

  /// True when there are no observers.
  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  /// The next moment at which ``tell(_:at:)`` has something to do without a further event.
  var due: ContinuousClock.Instant? {
    state.withLock { $0.observers.values.compactMap(\.settled.due).min() }
  }

  /// A stream that begins with the present state and keeps only the newest unread one; a stream
  /// that is not live ends there, because no change would be reported.
  ///
  /// The present state is read under the lock, so that no change falls between it and the states
  /// that are reported later.
  func stream(
    settle: Duration, isLive: Bool, present: () -> (state: Reachability, generation: UInt64)
  ) -> AsyncStream<Reachability> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Reachability.self, bufferingPolicy: .bufferingNewest(1))
    let number: UInt64? = state.withLock { state in
      var observer = Observer(
        settled: SettledReachability(settle: settle), continuation: continuation)
      let (present, generation) = present()
      let first = observer.settled.note(present, generation: generation, at: .now)
      if let first { continuation.yield(first) }
      guard isLive, !state.isFinished else { return nil }
      state.lastNumber += 1
      state.observers[state.lastNumber] = observer
      return state.lastNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [self] _ in remove(number) }
    return stream
  }

  /// Reports the state to the observers, to each when its patience allows.
  ///
  /// The streams are fed under a lock, which keeps the order of the states across threads.
  func tell(
    _ reachability: Reachability, generation: UInt64, at now: ContinuousClock.Instant
  ) {
    telling.withLock { _ in
      let told = state.withLock { state in
        var told: [(AsyncStream<Reachability>.Continuation, Reachability)] = []
        for (number, var observer) in state.observers {
          let news =
            observer.settled.note(reachability, generation: generation, at: now)
            ?? observer.settled.ripe(at: now)
          if let news { told.append((observer.continuation, news)) }
          state.observers[number] = observer
        }
        return told
      }
      for (continuation, news) in told { continuation.yield(news) }
    }
  }

  /// Ends all streams, later ones too.
  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      return state.observers.values.map(\.continuation)
    }
    // Ending a stream removes its observer, which takes the lock.
    for continuation in observers { continuation.finish() }
  }

  private func remove(_ number: UInt64) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }
}
