import FreshStore
import Synchronization

/// A reporter that keeps everything it is told.
final class EventLog: Reporter {
  private let state = Mutex<[StoreEvent]>([])

  var events: [StoreEvent] { state.withLock { $0 } }

  /// How many decisions it was told of.
  var decisions: Int {
    events.count { event in
      if case .decided = event { true } else { false }
    }
  }

  func report(_ event: StoreEvent) {
    state.withLock { $0.append(event) }
  }
}
