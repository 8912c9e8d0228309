internal import Dispatch

/// Where work that waits for the disk runs, one piece after the other, off the threads of Swift's own
/// pool. A store has one for everything that writes, as SQLite allows one writer, and one for moving
/// the log, which goes on beside.
final class WorkQueue: Sendable {
  private let queue: DispatchQueue?
  /// In place of threads of its own.
  private let tasks = WorkTasks()

  /// - Parameter usesTasks: True, and the work runs in tasks, on whatever runs those: for tests that
  ///   decide in which order everything happens.
  init(_ label: String = "freshstore.work", usesTasks: Bool = false) {
    queue = usesTasks ? nil : DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Runs `work` after everything that was handed in before it.
  func run<Result: Sendable>(
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
    if let queue { queue.async { work() } } else { tasks.add(work) }
  }

  /// Runs `work` when `pause` has passed, and does not wait for it.
  func start(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
    guard let queue else { return tasks.add(work, after: pause) }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) { work() }
  }
}
