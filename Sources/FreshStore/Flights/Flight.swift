internal import Synchronization

/// One fetch under way for one or more keys, and everyone who waits for it.
///
/// It runs in a task of its own: a waiter that is cancelled leaves the others waiting, and only when
/// the last one has gone is the fetch cancelled.
final class Flight<Value: Sendable>: Sendable {
  /// What became of one key. Indirect, as it is handed to many.
  indirect enum Outcome: Sendable {
    /// Fetched, or confirmed by the source, and stored.
    case stored(StoredRecord, Value, isRevalidated: Bool)
    /// Fetched, but not kept: the source forbids it, or the store failed.
    case unstored(Value, FetchDetails, StoreError?)
    /// Another owner fetched it meanwhile; or the network went away, and the copy is served all the same.
    case found(StoredRecord, Value, isFresh: Bool)
    /// The source says that the object does not exist, to whoever asks for that variant.
    case absent(variant: String?)
    case failed(FetchFailure)
  }

  /// What became of one key, and how new that is.
  struct Delivery: Sendable {
    let outcome: Outcome
    /// The number of the question that it answers, when a mark, or another value, has come since: who
    /// asked later is not to be handed it. `nil` when it serves everybody.
    let outdated: Int64?
  }

  /// How a wait ended.
  enum WaitResult: Sendable {
    case delivery(Delivery)
    case softTimeout
    case cancelled
  }

  private struct State {
    var deliveries: [String: Delivery] = [:]
    /// Those who wait, by key and number.
    var waiters: [String: [Int: CheckedContinuation<WaitResult, Never>]] = [:]
    /// Waiters that left before they were registered.
    var left: [Int: WaitResult] = [:]
    var task: Task<Void, Never>?
    /// Callers that have joined and not yet left or been served.
    var interested = 0
    /// True when the fetch goes on although nobody waits.
    var isWanted: Bool
    /// True when everyone had gone: nobody may join a flight that is being cancelled.
    var isAbandoned = false
  }

  private let state: Mutex<State>
  /// Numbers those who wait.
  private let count = Atomic<Int>(0)
  /// The number of the first lease taken, 0 before that; invalidations below it are older than
  /// anything the flight brings.
  let fence = Atomic<Int64>(0)

  init(isBackground: Bool) {
    state = Mutex(State(isWanted: isBackground))
  }

  /// Counts one more caller, who is to call ``outcome(of:softTimeout:clock:)`` or
  /// ``leaveUnserved()`` once; false when the flight is being cancelled.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.interested += 1
      return true
    }
  }

  /// Takes back a ``join()``; the fetch goes on without the caller.
  func leaveUnserved() {
    state.withLock { state in
      state.interested -= 1
      state.isWanted = true
    }
  }

  /// Ends the fetch and returns when its leases are given back.
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

  /// Waits for one key, at most `softTimeout`.
  func outcome(
    of key: String, softTimeout: Duration?, clock: any StoreClock
  ) async -> WaitResult {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let timer = softTimeout.map { limit in
      Task {
        do {
          try await clock.sleep(for: limit)
          leave(number, of: key, .softTimeout)
        } catch {
          // Cancelled: the outcome was quicker.
        }
      }
    }
    defer { timer?.cancel() }
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
    case .softTimeout, .cancelled: part(after: result)
    }
    return result
  }

  /// One caller fewer that was not served by the flight. A caller that was served a stale copy still wants the fetch to end well; when
  /// nobody is left who wants it, it is cancelled.
  private func part(after result: WaitResult) {
    let abandoned = state.withLock { state -> Task<Void, Never>? in
      state.interested -= 1
      if case .softTimeout = result { state.isWanted = true }
      guard case .cancelled = result, state.interested == 0, !state.isWanted else { return nil }
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

  /// Hands a key's outcome to everyone who waits for it, and to those who come later.
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
  /// The variant of what was brought; `nil` when nothing was.
  var variant: String?? {
    switch self {
    case .stored(let record, _, _), .found(let record, _, _): .some(record.content.variant)
    case .unstored(_, let details, _): .some(details.variant)
    case .absent(let variant): .some(variant)
    case .failed: nil
    }
  }
}
