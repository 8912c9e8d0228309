internal import Synchronization

/// The number of forks between this process and the one that started counting: a child has only the
/// forking thread, so state that other threads kept current is frozen in it.
package enum ForkCount {
  private static let count = Atomic<UInt64>(0)
  private static let isCounting = pthread_atfork(nil, nil, { ForkCount.increment() }) == 0

  /// The present count; costs one load.
  package static var now: UInt64 { count.load(ordering: .relaxed) }

  /// The present count; from now on forks are counted.
  package static func begin() -> UInt64 {
    _ = isCounting
    return now
  }

  private static func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
