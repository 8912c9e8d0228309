public import FreshStore

/// Why a ``Synchronizer`` could not go on.
public enum SyncError: Error, Sendable {
  /// It runs already: one run at a time keeps the limits.
  case alreadyRunning
  /// The store was closed, or cannot be used in this process.
  case store(StoreError)
}

extension SyncError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .alreadyRunning: "the synchronizer runs already"
    case .store(let error): "\(error)"
    }
  }
}
