/// Where the tasks go on that the store begins for a caller: on threads of Swift's own pool, unless the caller names an
/// executor. A server whose requests each begin several of them spares the steps from thread to thread.
package enum WorkExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?
}

extension Task where Failure == Never {
  /// Begins a task on the caller's executor, and hands that on.
  @discardableResult
  package static func onCallersExecutor(
    _ work: sending @escaping @isolated(any) () async -> Success
  ) -> Task {
    Task(executorPreference: WorkExecutor.current, operation: work)
  }
}
