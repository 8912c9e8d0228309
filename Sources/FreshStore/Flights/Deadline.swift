internal import Platform
internal import Strategies
internal import Synchronization

/// Enforces a deadline on work that may ignore cancellation.
enum Deadline {
  /// The work's result, or the failure of the deadline or a cancellation. The work is then
  /// cancelled and no longer waited for; a later result is dropped. A cancelled caller begins none.
  ///
  /// - Parameters:
  ///   - name: The word for the work in the message of its failure.
  ///   - extend: Called with a limit that has passed; returns a later one where the work may go on.
  static func run<Value: Sendable>(
    _ limit: Duration, clock: any StoreClock, naming name: String = "fetch",
    extend: @escaping @Sendable (Duration) -> Duration? = { _ in nil },
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, FetchFailure> {
    guard !Task.isCancelled else { return .failure(.cancelled) }
    let outcome = OneShot<Result<Value, FetchFailure>>()
    // Reckoned before the work begins: a clock that is moved by hand once the work is seen ends it.
    let limits = Limits(start: .milliseconds(clock.reading().sinceBoot), clock: clock, extend) {
      outcome.resolve(.failure(.tookTooLong($0, name)))
    }
    let running = Task.onCallersExecutor {
      do {
        outcome.resolve(.success(try await work()))
      } catch {
        outcome.resolve(
          .failure(FetchFailure(.thrown, "the \(name) failed: \(error)", underlying: error)))
      }
    }
    limits.set(limit)
    defer {
      running.cancel()
      limits.cancel()
    }
    return await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      outcome.resolve(.failure(.cancelled))
    }
  }

  /// The alarm for the limit of some work, each limit later than the one before.
  private final class Limits: Sendable {
    private let start: Duration
    private let clock: any StoreClock
    private let extend: @Sendable (Duration) -> Duration?
    private let end: @Sendable (Duration) -> Void
    /// The alarm that is set, and whether the work is over.
    private let state = Mutex<(alarm: Alarm?, isOver: Bool)>((nil, false))

    init(
      start: Duration, clock: any StoreClock, _ extend: @escaping @Sendable (Duration) -> Duration?,
      end: @escaping @Sendable (Duration) -> Void
    ) {
      (self.start, self.clock, self.extend, self.end) = (start, clock, extend, end)
    }

    func set(_ limit: Duration) {
      state.withLock { state in
        guard !state.isOver else { return }
        let moment = start + min(max(.zero, limit), .unlimited)
        state.alarm = Alarm(at: moment, on: clock) { [self] in
          if let later = extend(limit) { set(later) } else { end(limit) }
        }
      }
    }

    func cancel() {
      state.withLock { state in
        state.alarm?.cancel()
        state = (nil, true)
      }
    }
  }
}

/// Work that is done at a moment, unless it is cancelled before.
///
/// Most are the limits of work that ends long before. On the machine's clock one takes no task, which would be begun,
/// cancelled and run to its end for each of them.
enum Alarm: Sendable {
  #if os(Linux)
    case queued(SleepQueue, UInt64)
  #endif
  case task(Task<Void, Never>)

  /// - Parameters:
  ///   - moment: The time since boot.
  ///   - work: May run on a thread that all alarms share, which it must not hold up.
  init(
    at moment: Duration, on clock: any StoreClock, _ work: @escaping @Sendable () -> Void
  ) {
    #if os(Linux)
      if clock is SystemClock, let queue = SleepQueue.shared, queue.isRunning {
        let left = moment - .milliseconds(SystemClock.sinceBoot)
        let bounded = min(max(.zero, left), Self.longest)
        self = .queued(
          queue, queue.alarm(afterNanoseconds: Int64(bounded / .nanoseconds(1)), work))
        return
      }
    #endif
    self = .task(
      Task.onCallersExecutor {
        do {
          try await clock.sleep(until: moment)
          work()
        } catch {
          // Cancelled.
        }
      })
  }

  /// The work is not done any more, unless it has begun.
  func cancel() {
    switch self {
    #if os(Linux)
      case .queued(let queue, let number): queue.end(alarm: number)
    #endif
    case .task(let task): task.cancel()
    }
  }

  #if os(Linux)
    /// As ``SystemClock/sleep(for:)`` has it.
    private static let longest = Duration.seconds(3_000_000_000)
  #endif
}

/// A value that is set once and awaited by one task; the first caller that sets it wins.
final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Value, Never>)
    case set(Value)
    case delivered
  }

  private let state = Mutex(State.empty)

  /// Sets the value unless it is set.
  func resolve(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .empty:
        state = .set(value)
        return nil
      case .awaited(let continuation):
        state = .delivered
        return continuation
      case .set, .delivered: return nil
      }
    }
    waiting?.resume(returning: value)
  }

  /// The value, once it is set. Called by one task, once.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if case .set(let value) = state {
          state = .delivered
          return value
        }
        state = .awaited(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
