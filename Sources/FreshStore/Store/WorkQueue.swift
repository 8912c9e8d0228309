internal import Dispatch

/// Where everything that writes runs, one after the other: SQLite allows one writer, and a thread of
/// Swift's own pool must not wait for the disk.
final class WorkQueue: Sendable {
  private let queue = DispatchQueue(label: "freshstore.writes", qos: .userInitiated)

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
