internal import Strategies

/// The right to synchronize a store as its only daemon: two would neither harm nor help each other.
/// It is a lock on a file beside the database, `NAME-sync`, which stays; the daemon can leave a
/// note on its work there for others to read.
package final class SyncLock: Sendable {
  /// The reason why the lock is not available.
  package enum Failure: Error {
    /// Another daemon holds it; `nil` when the holder is unknown.
    case held(SweepHolder?)
    /// The file cannot be opened, or locked.
    case failed(StoreError)
  }

  private let lock: FileLock

  /// Takes the lock; waits up to a second for processes that only query the holder.
  init(database: String, since: Timestamp) async throws(Failure) {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      do throws(FileLock.Failure) {
        lock = try FileLock(database: database, suffix: Self.suffix, since: since)
        return
      } catch {
        switch error {
        case .failed(let code, let file): throw .failed(StoreError(code, .open, path: file))
        case .held(let holder):
          guard ContinuousClock.now < end, !Task.isCancelled else { throw .held(holder) }
        }
        // After a cancellation, the next attempt is the last one.
        try? await ContinuousClock().sleep(for: .milliseconds(20))
      }
    }
  }

  /// Leaves a text of up to 60 KB for those that ask for the holder.
  package func note(_ text: String) { lock.note(text) }

  /// Releases the lock. Calling it again does nothing.
  package func release() { lock.release() }

  /// The process that synchronizes a store now, and its note; `nil` when there is none.
  package static func holder(of database: String) -> (SweepHolder?, note: String)? {
    FileLock.holder(of: database, suffix: suffix)
  }

  private static let suffix = "-sync"
}
