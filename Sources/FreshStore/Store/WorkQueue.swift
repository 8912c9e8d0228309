internal import Dispatch

/// Where work that waits for the disk runs, one piece after the other, off the threads of Swift's own
/// pool. A store has one for everything that writes, as SQLite allows one writer.
final class WorkQueue: Sendable {
  private let queue = DispatchQueue(label: "freshstore.work", qos: .userInitiated)

  /// Runs `work` after everything that was handed in before it.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        do throws(StoreError) {
          continuation.resume(returning: Swift.Result<Result, StoreError>.success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
