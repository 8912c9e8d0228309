internal import Strategies
internal import Synchronization

/// The outcome of a local write.
public enum WriteOutcome: Sendable, Hashable {
  /// The source has the write, as it was written or in a write that has merged it.
  case accepted
  /// The write was given up: in favour of the source's version, by a drop or by a wipe.
  case discarded
  /// The write waits until it is retried, corrected or dropped, for this reason.
  case parked(String)
  /// The write had left the outbox before a caller looked, and this process has not seen how.
  case unknown
}

/// The outcomes of the local writes that this process has lately seen settled.
final class RecentOutcomes: Sendable {
  private struct State {
    var outcomes: [OutboxEntry.ID: WriteOutcome] = [:]
    /// The writes in the order in which they were settled.
    var order: [OutboxEntry.ID] = []
  }

  private static let most = 1024
  private let state = Mutex(State())

  /// Notes writes that are gone.
  func note(_ ids: [OutboxEntry.ID], _ outcome: WriteOutcome) {
    guard !ids.isEmpty else { return }
    state.withLock { state in
      for id in ids where state.outcomes.updateValue(outcome, forKey: id) == nil {
        state.order.append(id)
      }
      guard state.order.count > 2 * Self.most else { return }
      for id in state.order.prefix(Self.most) { state.outcomes[id] = nil }
      state.order.removeFirst(Self.most)
    }
  }

  subscript(_ id: OutboxEntry.ID) -> WriteOutcome? { state.withLock { $0.outcomes[id] } }
}

/// The local writes of another version of the program, which this process cannot read.
///
/// For a while it leaves them to processes that can read them. The pauses are only in memory, so that they delay no
/// other process.
final class UnreadWrites: Sendable {
  private struct Pause {
    let boot: Int64
    /// On the boot clock.
    let end: Duration
  }

  private let pauses = Mutex<[OutboxEntry.ID: Pause]>([:])

  /// Makes this process skip a write for so long; returns the end of that time.
  func note(_ id: OutboxEntry.ID, for pause: Duration, at now: ClockReading) -> Timestamp {
    let pause = min(max(.zero, pause), Backoff.longestNamed)
    let end = Duration.milliseconds(now.sinceBoot) + pause
    pauses.withLock { $0[id] = Pause(boot: now.boot, end: end) }
    return now.wall.advanced(by: pause)
  }

  /// The writes that this process skips now, each with the end of that time.
  func ends(at now: ClockReading) -> [OutboxEntry.ID: Timestamp] {
    let sinceBoot = Duration.milliseconds(now.sinceBoot)
    return pauses.withLock { pauses in
      guard !pauses.isEmpty else { return [:] }
      pauses = pauses.filter { $0.value.boot == now.boot && $0.value.end > sinceBoot }
      return pauses.mapValues { now.wall.advanced(by: $0.end - sinceBoot) }
    }
  }

  /// Ends the pauses of writes that may be readable now.
  func forget(_ ids: [OutboxEntry.ID]) {
    pauses.withLock { pauses in
      guard !pauses.isEmpty else { return }
      for id in ids { pauses[id] = nil }
    }
  }

  /// Ends all pauses, because any write may be readable now.
  func forgetAll() { pauses.withLock { $0 = [:] } }
}
