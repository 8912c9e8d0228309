internal import Strategies

/// The right to synchronize a store as its only daemon: two would do each other no harm, and no good
/// either. It lies in a file of its own beside the database, `NAME-sync`, which stays; what the
/// daemon is doing can be left there for others to read.
package final class SyncLock: Sendable {
  /// Why the lock cannot be had.
  package enum Failure: Error {
    /// Another daemon has it; `nil` when it cannot be told who.
    case held(SweepHolder?)
    /// The file cannot be opened, or locked.
    case failed(StoreError)
  }

  private let lock: FileLock

  /// Takes the lock; waits up to a second for who only looked who has it.
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
        // Cancelled, the next look is the last one.
        try? await ContinuousClock().sleep(for: .milliseconds(20))
      }
    }
  }

  /// Leaves a text of up to 60 KB for whoever asks.
  package func note(_ text: String) { lock.note(text) }

  /// Lets others have it. Calling it again does nothing.
  package func release() { lock.release() }

  /// Who synchronizes a store now, and what they left; `nil` when nobody does.
  package static func holder(of database: String) -> (SweepHolder?, note: String)? {
    FileLock.holder(of: database, suffix: suffix)
  }

  private static let suffix = "-sync"
}
