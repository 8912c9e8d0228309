internal import Synchronization

/// Tells work on a thread of its own that its caller no longer waits.
package final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  package var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

extension WorkQueue {
  /// Runs `work` and signals the task's cancellation to it.
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
