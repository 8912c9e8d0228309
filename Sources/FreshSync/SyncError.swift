public import FreshStore

/// The error that ends a ``Synchronizer``.
public enum SyncError: Error, Sendable {
  /// It already runs: one run at a time keeps the limits.
  case alreadyRunning
  /// The store was closed, or cannot be used in this process.
  case store(StoreError)
}

extension SyncError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .alreadyRunning: "the synchronizer runs already"
    case .store(let error): "\(error)"
    }
  }
}
