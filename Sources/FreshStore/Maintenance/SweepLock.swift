internal import Strategies

/// The right to sweep a store, given back when it is let go, or when its process ends, however it
/// ends. It lies in a file of its own beside the database, `NAME-sweep`, which stays.
public final class SweepLock: Sendable {
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

  /// The file that is locked.
  package static func file(of database: String) -> String { CompanionFile.path(database, suffix) }

  private static let suffix = "-sweep"

  /// Lets others sweep. Calling it again does nothing.
  public func release() { lock.release() }
}
