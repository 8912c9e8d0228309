internal import Strategies
internal import Synchronization

/// What became of a local write.
public enum WriteOutcome: Sendable, Hashable {
  /// Its source has it: as it was written, or in a write that has merged it.
  case accepted
  /// It was given up: for what its source holds, by a drop or by a wipe.
  case discarded
  /// It waits until it is retried, corrected or dropped, for this reason.
  case parked(String)
  /// It had left the outbox before anybody looked, and this process has not seen how.
  case unknown
}

/// The local writes that this process has seen settled of late.
final class RecentOutcomes: Sendable {
  private struct State {
    var outcomes: [OutboxEntry.ID: WriteOutcome] = [:]
    /// In the order of their ends.
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
