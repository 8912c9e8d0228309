internal import BenchmarkKit
internal import Synchronization

/// The first moment of an event after the one from which it is waited for.
final class FirstMoment: Sendable {
  private struct State {
    var start = Int64.max
    var found: Int64?
  }

  private let state = Mutex(State())

  /// The moment; `nil` as long as there is none.
  var found: Int64? { state.withLock(\.found) }

  /// Waits for the first one from now on.
  func begin() { state.withLock { $0 = State(start: Moment.now) } }

  /// It happens now.
  func note() {
    let now = Moment.now
    state.withLock { state in
      if state.found == nil, now >= state.start { state.found = now }
    }
  }
}
