internal import Dispatch

/// A serial queue for work that waits for the disk, off the threads of Swift's own pool. A store
/// has one for all writes, as SQLite allows one writer, and one for checkpoints, which run
/// concurrently.
package final class WorkQueue: Sendable {
  private enum Place {
    case threads(DispatchQueue)
    case tasks(WorkTasks)
  }

  private let place: Place

  /// - Parameter taskClock: If set, the work runs in tasks (``Configuration/taskClock``).
  package init(_ label: String = "freshstore.work", taskClock: (any StoreClock)? = nil) {
    place =
      taskClock.map { .tasks(WorkTasks(clock: $0)) }
      ?? .threads(DispatchQueue(label: label, qos: .userInitiated))
  }

  /// Runs `work` after all work enqueued before it.
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

  /// Runs `work` after all work enqueued before it, and does not wait for it.
  func start(_ work: @escaping @Sendable () -> Void) {
    switch place {
    case .threads(let queue): queue.async { work() }
    case .tasks(let tasks): tasks.add(work)
    }
  }

  /// Runs `work` after `pause`, and does not wait for it.
  func start(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
    switch place {
    case .threads(let queue):
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) { work() }
    case .tasks(let tasks): tasks.add(work, after: pause)
    }
  }
}
