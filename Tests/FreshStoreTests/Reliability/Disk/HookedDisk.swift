import Synchronization

/// A disk that runs a piece of code at a moment of a checkpoint.
final class HookedDisk: Disk {
  /// The time of a hook.
  enum Moment: Hashable {
    /// Before a checkpoint takes its lock.
    case before
    /// Between its two looks at the log's index.
    case betweenLooks
    /// Before any write.
    case beforeWriting
  }

  /// Each runs once.
  private let hooks = Mutex<[Moment: @Sendable () -> Void]>([:])

  /// Runs `hook` once, at the next such moment.
  func arm(_ moment: Moment, _ hook: @escaping @Sendable () -> Void) {
    hooks.withLock { $0[moment] = hook }
  }

  func verdict(on call: DiskCall, of file: String) -> DiskVerdict {
    let moment: Moment
    switch call {
    case .unfetch: moment = .betweenLooks
    case .write: moment = .beforeWriting
    // The lock of checkpoints is the second (https://sqlite.org/walformat.html, section 2.3).
    case .lockShared(slot: 1): moment = .before
    default: return .proceed
    }
    hooks.withLock { $0.removeValue(forKey: moment) }?()
    return .proceed
  }
}
