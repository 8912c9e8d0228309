internal import Synchronization

/// Renews the lease of a request until it is cancelled.
///
/// Most requests end before there is anything to renew: until then it is an alarm, and no task.
package final class LeaseKeeper: Sendable {
  private enum State {
    case new
    case waiting(Alarm)
    case renewing(Task<Void, Never>)
    case over
  }

  private let state = Mutex(State.new)

  /// - Parameters:
  ///   - moment: When it is to be renewed first, since boot.
  ///   - renew: Renews it until its task is cancelled.
  init(
    at moment: Duration, on clock: any StoreClock,
    _ renew: @escaping @Sendable () async -> Void
  ) {
    let alarm = Alarm(at: moment, on: clock) { [self] in begin(renew) }
    state.withLock { state in
      if case .new = state { state = .waiting(alarm) }
    }
  }

  /// One whose task has begun.
  init(_ task: Task<Void, Never>) {
    state.withLock { $0 = .renewing(task) }
  }

  private func begin(_ renew: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      switch state {
      case .new, .waiting: state = .renewing(Task.onCallersExecutor { await renew() })
      case .renewing, .over: break
      }
    }
  }

  package func cancel() {
    let last = state.withLock { state -> State in
      defer { state = .over }
      return state
    }
    switch last {
    case .waiting(let alarm): alarm.cancel()
    case .renewing(let task): task.cancel()
    case .new, .over: break
    }
  }
}
