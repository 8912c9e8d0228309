internal import Strategies

/// The right to sweep a store, given back when it is released, or when its process ends, however it
/// ends. It is a lock on a file beside the database, `NAME-sweep`, which stays.
package final class SweepLock: Sendable {
  private let lock: FileLock

  init(database: String, since: Timestamp) throws(StoreError) {
    do throws(FileLock.Failure) {
      lock = try FileLock(database: database, suffix: Self.suffix, since: since)
    } catch {
      switch error {
      case .held(let holder):
        throw StoreError(.sweepUnderWay(holder), .sweep, path: database)
      case .failed(let code, let file): throw StoreError(code, .sweep, path: file)
      }
    }
  }

  /// The lock file.
  package static func file(of database: String) -> String { CompanionFile.path(database, suffix) }

  private static let suffix = "-sweep"

  /// Releases the lock. Calling it again does nothing.
  package func release() { lock.release() }
}
