import FreshStore
import Synchronization

/// A reporter that keeps every event.
final class EventLog: Reporter {
  private let state = Mutex<[StoreEvent]>([])

  var events: [StoreEvent] { state.withLock { $0 } }

  /// The number of decisions.
  var decisions: Int {
    events.count { event in
      if case .decided = event { true } else { false }
    }
  }

  func report(_ event: StoreEvent) {
    state.withLock { $0.append(event) }
  }
}
