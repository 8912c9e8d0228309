import FreshStore
import Synchronization

/// A reporter that keeps everything it is told.
final class EventLog: Reporter {
  private let state = Mutex<[StoreEvent]>([])

  var events: [StoreEvent] { state.withLock { $0 } }

  func report(_ event: StoreEvent) {
    state.withLock { $0.append(event) }
  }
}
