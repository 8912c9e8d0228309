import Dispatch

/// Runs tasks away from the threads that all tasks share: what blocks here keeps nobody else waiting.
final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "freshstore.test.thread")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
