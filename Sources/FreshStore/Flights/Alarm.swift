internal import Platform

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
