internal import Strategies
internal import Synchronization

/// The answers whose heads were sent and that the store does not have yet. Until it does, the copies are older than the
/// answer that a client has.
final class Landings: Sendable {
  struct Landing: Sendable {
    fileprivate let number: Int
    fileprivate let answer: StoredAnswer
    /// The time of its head, in milliseconds since the machine started.
    fileprivate let moment: Int64
  }

  private struct State {
    /// By the key of the address.
    var landings: [String: [Landing]] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// True where there are none; costs one atomic load.
  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  /// Notes that the head of an answer that will be stored is sent. Returns its number for ``end(_:at:)``.
  ///
  /// - Parameter moment: The time of its head, in milliseconds since the machine started.
  func begin(_ answer: StoredAnswer, at key: CopyKey, since moment: Int64) -> Int {
    count.add(1, ordering: .sequentiallyConsistent)
    return state.withLock { state in
      state.lastNumber += 1
      state.landings[key.base, default: []].append(
        Landing(number: state.lastNumber, answer: answer, moment: moment))
      return state.lastNumber
    }
  }

  /// Notes that the store has the answer, or never will.
  func end(_ number: Int, at key: CopyKey) {
    state.withLock { state in
      let others = state.landings[key.base]?.filter { $0.number != number } ?? []
      state.landings[key.base] = others.isEmpty ? nil : others
    }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// The answers of an address; to be read before its copies.
  func answers(at key: CopyKey) -> [Landing] {
    isEmpty ? [] : state.withLock { $0.landings[key.base] ?? [] }
  }
}

extension Candidate {
  /// True for a copy that is older than one of these answers, where a request selects both. They are compared by a
  /// clock that is never set.
  ///
  /// - Parameter moment: A time before the copy was read, in milliseconds since the machine started.
  func isOlder(
    than landings: [Landings.Landing], for request: GatewayRequest, at moment: Int64
  ) -> Bool {
    landings.contains { landing in
      guard request.selects(landing.answer.selection) else { return false }
      let isSame =
        answer.receivedAt == landing.answer.receivedAt && answer.fields == landing.answer.fields
      return !isSame && moment - residentTime.wholeMilliseconds <= landing.moment
    }
  }
}

/// The number of runs: requests that are still to be answered, sent to an origin or stored.
final class RunRegistry: Sendable {
  private struct State {
    var count = 0
    var ended: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.count += 1 } }

  func end() {
    let ended = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count -= 1
      return state.count == 0 ? state.ended.take() : nil
    }
    ended?.resume()
  }

  /// Returns once all have ended, or the task is cancelled; for one task.
  func drain() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          guard state.count > 0, !Task.isCancelled else { return true }
          state.ended = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.ended.take() }?.resume()
    }
  }
}

/// A value that becomes known once, to any number of waiting tasks.
final class Announcement<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  /// The value, if it is known already.
  var made: Value? { state.withLock { $0.value } }

  /// Gives the value to all tasks, now or later; only the first value counts.
  func make(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// The value; `nil` when the task is cancelled first.
  func value() async -> Value? {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Value?? in
          if let value = state.value { return .some(value) }
          // An earlier cancellation found no waiter to resume.
          guard !Task.isCancelled else { return .some(nil) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: nil)
    }
  }
}
