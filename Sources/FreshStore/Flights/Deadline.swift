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
