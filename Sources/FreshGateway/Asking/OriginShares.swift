internal import Synchronization

/// The requests that each client has in flight to an origin, limited so that other clients find a connection.
///
/// A request beyond the limit waits until one of the same client has ended. All clients behind an untrusted proxy count
/// as one.
final class OriginShares: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Use {
    var count = 0
    var waiting: [Waiter] = []
  }

  private struct State {
    var uses: [SlowClients.Place: Use] = [:]
    var lastNumber = 0

    mutating func take(_ place: SlowClients.Place, ofAtMost limit: Int) -> Bool {
      guard uses[place, default: Use()].count < limit else { return false }
      uses[place, default: Use()].count += 1
      return true
    }
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter connections: The most connections to an origin. One client leaves a quarter of them to others, if
  ///   there is a quarter.
  init(of connections: Int) {
    limit = connections < 4 ? .max : connections - connections / 4
  }

  /// Takes a slot, which must be given back; false where none is free.
  func takeAtOnce(_ place: SlowClients.Place) -> Bool {
    state.withLock { $0.take(place, ofAtMost: limit) }
  }

  /// Waits for a slot, and takes it; false where none has become free in time, or the task was cancelled.
  func take(_ place: SlowClients.Place, within time: Duration) async -> Bool {
    guard !takeAtOnce(place) else { return true }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let late = Mutex<Task<Void, Never>?>(nil)
    defer { late.withLock { $0?.cancel() } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken = state.withLock { state -> Bool? in
          guard !Task.isCancelled else { return false }
          guard !state.take(place, ofAtMost: limit) else { return true }
          state.uses[place]?.waiting.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let isTaken { return continuation.resume(returning: isTaken) }
        // The timer starts once the request waits: before that it would find no waiter.
        late.withLock { $0 = Task { await leave(place, number, after: time) } }
      }
    } onCancel: {
      leave(place, number)
    }
  }

  /// Gives a slot to the request that has waited longest.
  func giveBack(_ place: SlowClients.Place) {
    let next = state.withLock { state -> Waiter? in
      guard var use = state.uses[place] else { return nil }
      let next = use.waiting.isEmpty ? nil : use.waiting.removeFirst()
      if next == nil { use.count -= 1 }
      state.uses[place] = use.count > 0 ? use : nil
      return next
    }
    next?.continuation.resume(returning: true)
  }

  /// The number of waiting requests.
  var waiting: Int { state.withLock { $0.uses.values.reduce(0) { $0 + $1.waiting.count } } }

  private func leave(_ place: SlowClients.Place, _ number: Int, after time: Duration) async {
    do {
      try await Task.sleep(for: time)
      leave(place, number)
    } catch {
      // The request has its slot.
    }
  }

  private func leave(_ place: SlowClients.Place, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.uses[place]?.waiting.firstIndex(where: { $0.number == number })
      else { return nil }
      return state.uses[place]?.waiting.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }
}
