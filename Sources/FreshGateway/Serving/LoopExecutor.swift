#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// Runs tasks on an event loop, between its events: what answers a client need not change threads for every step.
  ///
  /// Nothing that blocks for long may run in such a task.
  final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Begins a task, and has whatever that begins run here, too.
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      WorkExecutor.$current.withValue(self) { Task(executorPreference: self) { await work() } }
    }
  }
#endif
