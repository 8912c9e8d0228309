internal import Synchronization

/// One fetch under way for one or more keys, and everyone who waits for it.
///
/// It runs in a task of its own: a waiter that is cancelled leaves the others waiting, and only when
/// the last one has gone is the fetch cancelled.
final class Flight<Value: Sendable>: Sendable {
  /// What became of one key.
  enum Outcome: Sendable {
    /// Fetched, or confirmed by the source, and stored.
    case stored(StoredRecord, Value, isRevalidated: Bool)
    /// Fetched, but not kept: the source forbids it, or the store failed.
    case unstored(Value, FetchDetails, StoreError?)
    /// Another owner fetched it meanwhile.
    case found(StoredRecord)
    /// The source says that the object does not exist.
    case absent
    case failed(FetchFailure)
  }

  /// How a wait ended.
  enum WaitResult: Sendable {
    case outcome(Outcome)
    case softTimeout
    case cancelled
  }

  private struct Waiter {
    let key: String
    let continuation: CheckedContinuation<WaitResult, Never>
  }

  private struct State {
    var outcomes: [String: Outcome] = [:]
    var waiters: [Int: Waiter] = [:]
    /// Waiters that left before they were registered.
    var left: [Int: WaitResult] = [:]
    var next = 0
    var task: Task<Void, Never>?
    /// True when the fetch goes on although nobody waits.
    var isWanted: Bool
  }

  private let state: Mutex<State>
  /// The number of the newest lease taken; invalidations above it are newer than the fetch.
  let fence = Atomic<Int64>(.max)

  init(isBackground: Bool) {
    state = Mutex(State(isWanted: isBackground))
  }

  /// Starts the fetch.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    state.withLock { $0.task = task }
  }

  /// Waits for one key, at most `softTimeout`.
  func outcome(
    of key: String, softTimeout: Duration?, clock: any StoreClock
  ) async -> WaitResult {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = softTimeout.map { limit in
      Task {
        do {
          try await clock.sleep(for: limit)
          leave(number, .softTimeout)
        } catch {
          // Cancelled: the outcome was quicker.
        }
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> WaitResult? in
          if let outcome = state.outcomes[key] { return .outcome(outcome) }
          if let result = state.left.removeValue(forKey: number) { return result }
          state.waiters[number] = Waiter(key: key, continuation: continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      leave(number, .cancelled)
    }
  }

  private func leave(_ number: Int, _ result: WaitResult) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      // A caller that was served a stale copy still wants the fetch to end well.
      if case .softTimeout = result { state.isWanted = true }
      guard let waiter = state.waiters.removeValue(forKey: number) else {
        state.left[number] = result
        return (nil, nil)
      }
      return (waiter, state.waiters.isEmpty && !state.isWanted ? state.task : nil)
    }
    task?.cancel()
    waiter?.continuation.resume(returning: result)
  }

  /// Hands a key's outcome to everyone who waits for it, and to those who come later.
  func deliver(_ outcome: Outcome, for key: String) {
    let waiters = state.withLock { state -> [Waiter] in
      guard state.outcomes[key] == nil else { return [] }
      state.outcomes[key] = outcome
      let numbers = state.waiters.filter { $0.value.key == key }.map(\.key)
      return numbers.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in waiters { waiter.continuation.resume(returning: .outcome(outcome)) }
  }
}
