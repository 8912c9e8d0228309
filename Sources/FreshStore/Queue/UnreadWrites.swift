internal import Strategies
internal import Synchronization

/// The local writes of another version of the program, which this process leaves to those that can read
/// them for a while. In memory alone: the file holds nobody else up.
final class UnreadWrites: Sendable {
  private struct Pause {
    let boot: Int64
    /// On the boot clock.
    let end: Duration
  }

  private let pauses = Mutex<[OutboxEntry.ID: Pause]>([:])

  init() {}

  /// Leaves a write alone for so long; returns when that is over.
  func note(_ id: OutboxEntry.ID, for pause: Duration, at now: ClockReading) -> Timestamp {
    let pause = min(max(.zero, pause), Backoff.longestNamed)
    let end = Duration.milliseconds(now.sinceBoot) + pause
    pauses.withLock { $0[id] = Pause(boot: now.boot, end: end) }
    return now.wall.advanced(by: pause)
  }

  /// Those that are left alone now, and when that is over.
  func ends(at now: ClockReading) -> [OutboxEntry.ID: Timestamp] {
    let sinceBoot = Duration.milliseconds(now.sinceBoot)
    return pauses.withLock { pauses in
      guard !pauses.isEmpty else { return [:] }
      pauses = pauses.filter { $0.value.boot == now.boot && $0.value.end > sinceBoot }
      return pauses.mapValues { now.wall.advanced(by: $0.end - sinceBoot) }
    }
  }

  /// They may be readable now.
  func forget(_ ids: [OutboxEntry.ID]) {
    pauses.withLock { pauses in
      guard !pauses.isEmpty else { return }
      for id in ids { pauses[id] = nil }
    }
  }

  /// All may be readable now.
  func forgetAll() { pauses.withLock { $0 = [:] } }
}
