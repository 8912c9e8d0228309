internal import Dispatch
internal import Synchronization

/// A serial queue for work that waits for the disk, off the threads of Swift's own pool.
///
/// A store has one queue for all writes, as SQLite allows one writer. It has another one for checkpoints,
/// which run beside the writes.
package final class WorkQueue: Sendable {
  private enum Place {
    case threads(DispatchQueue)
    case tasks(WorkTasks)
  }

  private let place: Place

  /// Creates a queue; with a `taskClock` the work runs in tasks (``Configuration/taskClock``).
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

  /// Runs work that cannot fail, after all work enqueued before it.
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

/// Tells work that runs on a thread of its own that the caller no longer waits.
package final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  package var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

extension WorkQueue {
  /// Runs `work`, and signals the task's cancellation to it.
  package func runUntilStopped<Result: Sendable>(
    _ work: @escaping @Sendable (StopSignal) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let stop = StopSignal()
    let result = await withTaskCancellationHandler { () -> Swift.Result<Result, StoreError> in
      do throws(StoreError) {
        return .success(try await run { () throws(StoreError) in try work(stop) })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      stop.set()
    }
    return try result.get()
  }
}

/// Runs work in tasks, one piece at a time.
final class WorkTasks: Sendable {
  private let clock: any StoreClock
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  init(clock: any StoreClock) {
    self.clock = clock
  }

  /// Runs `work` after all work added before it.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    if isFirst { start() }
  }

  /// Adds `work` after `pause`.
  func add(_ work: @escaping @Sendable () -> Void, after pause: Duration) {
    Task { [clock] in
      // No code cancels this task.
      try? await clock.sleep(for: pause)
      add(work)
    }
  }

  private func start() {
    Task {
      guard let next = waiting.withLock(\.first) else { return }
      next()
      let isMore = waiting.withLock { waiting in
        waiting.removeFirst()
        return !waiting.isEmpty
      }
      if isMore { start() }
    }
  }
}

/// The executor of the tasks that the store begins for a caller: Swift's own pool, unless the caller names another.
/// A server begins several such tasks for each request; with its own executor they need no step from thread to thread.
package enum WorkExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?
}

extension Task where Failure == Never {
  /// Begins a task on the caller's executor, and passes the executor on.
  @discardableResult
  package static func onCallersExecutor(
    _ work: sending @escaping @isolated(any) () async -> Success
  ) -> Task {
    Task(executorPreference: WorkExecutor.current, operation: work)
  }
}
