internal import Strategies
internal import Synchronization

/// Renews the leases of a call, here and in the fleet, until it is cancelled.
///
/// Most calls end before there is anything to renew: until then it is an alarm, and no task.
package final class LeaseKeeper: Sendable {
  private let own: RepeatedWork?
  private let shared: RepeatedWork?

  /// - Parameter part: Its leases are renewed by themselves: neither kind waits for the other.
  init(_ leases: [Lease], _ part: FleetPart, in store: Store) {
    let (clock, duration) = (store.configuration.clock, store.configuration.leaseDuration)
    own =
      leases.isEmpty
      ? nil : RepeatedWork(every: duration / 3, on: clock) { await store.renew(leases) }
    shared =
      part.isNone
      ? nil : RepeatedWork(every: duration / 3, on: clock) { await part.extend(for: duration) }
  }

  package func cancel() {
    own?.cancel()
    shared?.cancel()
  }
}

extension Store {
  /// Renews leases once. A lease that expires costs a second fetch, never a value: the next round tries again.
  fileprivate func renew(_ leases: [Lease]) async {
    let (now, duration) = (now(), configuration.leaseDuration)
    do throws(StoreError) {
      try await queue.run { [storage] () throws(StoreError) in
        try storage.renew(leases, for: duration, now: now)
      }
    } catch {
      // The landing reports it.
    }
  }

  /// The end of a wait for the leases of others.
  enum LeaseWait {
    /// One of them has ended.
    case released
    case timeIsUp
    /// The task was cancelled, or the file cannot be read.
    case unknown
  }

  /// Waits until one of these leases has ended. The holder may be another process, which sends no notice: this
  /// polls in real time, whatever the store's clock.
  ///
  /// - Parameter end: The time since boot at which nobody waits any more.
  func waitForRelease(
    of keys: [String], in collection: String, until end: Duration
  ) async -> LeaseWait {
    var interval = Duration.milliseconds(2)
    while !Task.isCancelled {
      let left = end - .milliseconds(now().sinceBoot)
      guard left > .zero else { return .timeIsUp }
      do {
        try await pause(for: min(interval, left))
        interval = min(interval * 2, .milliseconds(50))
        let holders = try storage.holders(collection, keys, now: now())
        if holders.count < keys.count { return .released }
      } catch {
        return .unknown
      }
    }
    return .unknown
  }
}

/// Work that is done again and again until it is cancelled: first after one interval.
private final class RepeatedWork: Sendable {
  private enum State {
    case new
    case waiting(Alarm)
    case running(Task<Void, Never>)
    case over
  }

  private let state = Mutex(State.new)

  init(
    every interval: Duration, on clock: any StoreClock,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let first = Duration.milliseconds(clock.reading().sinceBoot) + interval
    let alarm = Alarm(at: first, on: clock) { [self] in
      begin {
        while !Task.isCancelled {
          await work()
          do {
            try await clock.sleep(for: interval)
          } catch {
            return
          }
        }
      }
    }
    state.withLock { state in
      if case .new = state { state = .waiting(alarm) }
    }
  }

  private func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      switch state {
      case .new, .waiting: state = .running(Task.onCallersExecutor { await work() })
      case .running, .over: break
      }
    }
  }

  func cancel() {
    let last = state.withLock { state -> State in
      defer { state = .over }
      return state
    }
    switch last {
    case .waiting(let alarm): alarm.cancel()
    case .running(let task): task.cancel()
    case .new, .over: break
    }
  }
}
