internal import Strategies

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
    let alarm = Alarm(at: end, on: clock) {
      outcome.resolve(
        .failure(
          FetchFailure(.timedOut(after: limit), "the \(name) took longer than \(limit.brief)")))
    }
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
