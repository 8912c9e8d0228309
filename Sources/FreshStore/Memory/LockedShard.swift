internal import Platform
internal import Synchronization

/// One part of a store's memory, and its lock.
final class LockedShard: Sendable {
  /// The number of attempts to take the lock.
  private static let tries = 50

  private let state: Mutex<MemoryShard>

  init(_ limits: EvictionSize, _ ownCommit: OwnCommit) {
    state = Mutex(MemoryShard(limits: limits, ownCommit))
  }

  /// A caller that finds the lock taken yields. If a thread waited in the kernel, the lock would be
  /// handed over there to it and to all threads after it, each time at many times the cost of a look-up.
  @inline(__always)
  func withLock<Result: Sendable>(_ body: (inout MemoryShard) -> Result) -> Result {
    for _ in 0..<Self.tries {
      if let result = state.withLockIfAvailable({ body(&$0) }) { return result }
      sched_yield()
    }
    return state.withLock { body(&$0) }
  }
}
