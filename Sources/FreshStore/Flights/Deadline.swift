internal import Platform
internal import Strategies
internal import Synchronization

/// Enforces a deadline on work that may ignore cancellation.
enum Deadline {
  /// The work's result, or the failure of the deadline or a cancellation. The work is then
  /// cancelled and no longer waited for; a later result is dropped. A cancelled caller begins none.
  ///
  /// - Parameter name: The word for the work in the message of its failure.
  static func run<Value: Sendable>(
    _ limit: Duration, clock: any StoreClock, naming name: String = "fetch",
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, FetchFailure> {
    guard !Task.isCancelled else { return .failure(.cancelled) }
    let outcome = OneShot<Result<Value, FetchFailure>>()
    // Reckoned before the work begins: a clock that is moved by hand once the work is seen ends it.
    let end = Duration.milliseconds(clock.reading().sinceBoot) + min(max(.zero, limit), .unlimited)
    let running = Task.onCallersExecutor {
      do {
        outcome.resolve(.success(try await work()))
      } catch {
        outcome.resolve(
          .failure(FetchFailure(.thrown, "the \(name) failed: \(error)", underlying: error)))
      }
    }
    let alarm = Alarm(at: end, on: clock) { outcome.resolve(.failure(.tookTooLong(limit, name))) }
    defer {
      running.cancel()
      alarm.cancel()
    }
    return await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      outcome.resolve(.failure(.cancelled))
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
