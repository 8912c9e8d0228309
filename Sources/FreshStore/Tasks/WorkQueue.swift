internal import Dispatch

/// Where work that waits for the disk runs, one piece after the other, off the threads of Swift's own
/// pool. A store has one for everything that writes, as SQLite allows one writer, and one for moving
/// the log, which goes on beside.
package final class WorkQueue: Sendable {
  private enum Place {
    case threads(DispatchQueue)
    case tasks(WorkTasks)
  }

  private let place: Place

  /// - Parameter taskClock: With one, the work runs in tasks (``Configuration/taskClock``).
  package init(_ label: String = "freshstore.work", taskClock: (any StoreClock)? = nil) {
    place =
      taskClock.map { .tasks(WorkTasks(clock: $0)) }
      ?? .threads(DispatchQueue(label: label, qos: .userInitiated))
  }

  /// Runs `work` after everything that was handed in before it.
  package func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let result = await withCheckedContinuation { continuation in
      start {
        do throws(StoreError) {
          continuation.resume(returning: Swift.Result<Result, StoreError>.success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// As above, for work that cannot fail.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: work()) }
    }
  }

  /// Runs `work` after everything that was handed in before it, and does not wait for it.
  func start(_ work: @escaping @Sendable () -> Void) {
    switch place {
    case .threads(let queue): queue.async { work() }
    case .tasks(let tasks): tasks.add(work)
    }
  }

  /// Runs `work` when `pause` has passed, and does not wait for it.
  func start(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
    switch place {
    case .threads(let queue):
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) { work() }
    case .tasks(let tasks): tasks.add(work, after: pause)
    }
  }
}
