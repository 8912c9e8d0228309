internal import Strategies
internal import Synchronization

/// One running fetch for one or more keys, and all its waiters.
///
/// It runs in a task of its own: a cancelled waiter leaves the others waiting, and only when the
/// last one has gone is the fetch cancelled. It has the limits of the caller that began it. A less patient caller
/// leaves before that, and a more patient one asks again.
final class Flight<Value: Sendable>: Sendable {
  /// The outcome for one key. Indirect, as it is passed to many.
  indirect enum Outcome: Sendable {
    /// Fetched, or confirmed by the source, and stored.
    case stored(StoredRecord, Value, isRevalidated: Bool)
    /// Fetched, but not kept: the source forbids it, or the store failed.
    case unstored(Value, FetchDetails, StoreError?)
    /// Another owner fetched it meanwhile; or the network went away, and the copy is served anyway.
    case found(StoredRecord, Value, isFresh: Bool)
    /// The source reported that the object does not exist, for requests of that variant: just now, or
    /// earlier, as a stored record says.
    case absent(variant: String?, found: StoredRecord?)
    case failed(FetchFailure)
    /// The store was wiped since the flight began: it asked nobody.
    case wiped(StoreError)
  }

  /// The outcome for one key, and its age.
  struct Delivery: Sendable {
    let outcome: Outcome
    /// The number of the store's sequence as its source was asked, ``Flight/unknownNumber`` where the store could
    /// not tell; `nil` where no source was asked.
    let request: Int64?
    /// True where a mark, or another value, may be newer than the request: a caller with a later one must
    /// not get it.
    let isOutdated: Bool
    /// The reason why the source was asked without the fleet.
    var obstacle: StoreError?
  }

  /// The number of a request whose number is not known. It is older than any other.
  static var unknownNumber: Int64 { .min }

  /// How a caller came to the flight.
  enum Boarding: Sendable {
    case began
    /// It joined, and the source was asked after that.
    case joined
    /// It joined, and the source may have been asked before that.
    case joinedLate
  }

  /// The end of a wait.
  enum WaitResult: Sendable {
    case delivery(Delivery)
    case softTimeout
    case cancelled
    /// The waiter's own limit has passed, and the fetch goes on for others.
    case hardTimeout
  }

  private struct State {
    var deliveries: [String: Delivery] = [:]
    /// The waiters, by key and number.
    var waiters: [String: [Int: CheckedContinuation<WaitResult, Never>]] = [:]
    /// Waiters that left before they were registered.
    var left: [Int: WaitResult] = [:]
    var task: Task<Void, Never>?
    /// Callers that joined and have neither left nor been served.
    var interested = 0
    /// True when the fetch continues without waiters.
    var isWanted: Bool
    /// True when all waiters had gone: no caller may join a flight that is being cancelled.
    var isAbandoned = false
  }

  private let state: Mutex<State>
  /// Numbers the waiters.
  private let count = Atomic<Int>(0)
  /// The number of the first lease taken, 0 before that; invalidations below it are older than any
  /// result of the flight.
  let fence = Atomic<Int64>(0)
  /// True once a source is asked for one of its keys.
  let hasAsked = Atomic<Bool>(false)

  /// How long the flight waits for the leases of others, and how long its source may take.
  let limits: (waiting: Duration, asking: Duration)

  init(isBackground: Bool, by policy: Policy) {
    limits = (policy.waitingLimit, policy.hardTimeout)
    state = Mutex(State(isWanted: isBackground))
  }

  /// Counts one more caller, which must call ``outcome(of:softTimeout:limit:clock:)`` or
  /// ``leaveUnserved()`` once; false when the flight is being cancelled.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.interested += 1
      return true
    }
  }

  /// Leaves without a wait; the fetch is cancelled when no caller wants it any more.
  func leave() { part(after: .cancelled) }

  /// Undoes a ``join()``; the fetch continues without the caller.
  func leaveUnserved() {
    state.withLock { state in
      state.interested -= 1
      state.isWanted = true
    }
  }

  /// Ends the fetch and returns when its leases are released.
  func cancel() async {
    let task = state.withLock { state in
      state.isAbandoned = true
      return state.task
    }
    task?.cancel()
    await task?.value
  }

  /// Starts the fetch.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    let isAbandoned = state.withLock { state in
      state.task = task
      return state.isAbandoned
    }
    if isAbandoned { task.cancel() }
  }

  /// Waits for one key, at most `softTimeout`, and at most `limit`.
  func outcome(
    of key: String, softTimeout: Duration?, limit: Duration?, clock: any StoreClock
  ) async -> WaitResult {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let alarm = [softTimeout, limit].compactMap(\.self).min().map { first in
      let end = Duration.milliseconds(clock.reading().sinceBoot) + min(first, .unlimited)
      return Alarm(at: end, on: clock) { [self] in
        leave(number, of: key, first == softTimeout ? .softTimeout : .hardTimeout)
      }
    }
    defer { alarm?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> WaitResult? in
          if let delivery = state.deliveries[key] {
            state.interested -= 1
            return .delivery(delivery)
          }
          if let result = state.left.removeValue(forKey: number) { return result }
          state.waiters[key, default: [:]][number] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      leave(number, of: key, .cancelled)
    }
    switch result {
    case .delivery: break
    case .softTimeout, .hardTimeout, .cancelled: part(after: result)
    }
    return result
  }

  /// Removes a caller that was not served by the flight. A caller that was served a stale copy
  /// still wants the fetch to succeed; when no caller wants it any more, it is cancelled.
  private func part(after result: WaitResult) {
    let abandoned = state.withLock { state -> Task<Void, Never>? in
      state.interested -= 1
      if case .softTimeout = result { state.isWanted = true }
      guard state.interested == 0, !state.isWanted else { return nil }
      state.isAbandoned = true
      return state.task
    }
    abandoned?.cancel()
  }

  private func leave(_ number: Int, of key: String, _ result: WaitResult) {
    let waiter = state.withLock { state in
      let waiter = state.waiters[key]?.removeValue(forKey: number)
      if waiter == nil { state.left[number] = result }
      return waiter
    }
    waiter?.resume(returning: result)
  }

  /// Delivers a key's outcome to all current and later waiters.
  func deliver(_ delivery: Delivery, for key: String) {
    let waiters = state.withLock { state in
      if state.deliveries[key] == nil { state.deliveries[key] = delivery }
      let waiters = state.waiters.removeValue(forKey: key) ?? [:]
      state.interested -= waiters.count
      return waiters
    }
    for waiter in waiters.values { waiter.resume(returning: .delivery(delivery)) }
  }
}

extension Flight.Outcome {
  /// The variant of the result; `nil` without one.
  var variant: String?? {
    switch self {
    case .stored(let record, _, _), .found(let record, _, _): .some(record.content.variant)
    case .unstored(_, let details, _): .some(details.variant)
    case .absent(let variant, _): .some(variant)
    case .failed, .wiped: nil
    }
  }
}
