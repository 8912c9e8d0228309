internal import Platform
internal import Synchronization

/// One part of the memory of a store, and its lock.
final class LockedShard: Sendable {
  /// How often the lock is tried for.
  private static let tries = 50

  private let state: Mutex<MemoryShard>

  init(_ limits: EvictionSize, _ ownCommit: OwnCommit) {
    state = Mutex(MemoryShard(limits: limits, ownCommit))
  }

  /// Who finds the lock taken lets others go on first. A thread that waited in the kernel would be
  /// handed the lock there, and so would all after it, each for many times what a look takes.
  @inline(__always)
  func withLock<Result: Sendable>(_ body: (inout MemoryShard) -> Result) -> Result {
    for _ in 0..<Self.tries {
      if let result = state.withLockIfAvailable({ body(&$0) }) { return result }
      sched_yield()
    }
    return state.withLock { body(&$0) }
  }
}
