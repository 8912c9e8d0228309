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
