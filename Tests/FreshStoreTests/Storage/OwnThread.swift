import Dispatch

/// Runs tasks away from the shared threads: a blocking task here delays no other.
final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "freshstore.test.thread")

  /// Runs work between the tasks.
  func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
