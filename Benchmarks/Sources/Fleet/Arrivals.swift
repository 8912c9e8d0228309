internal import BenchmarkKit
internal import Synchronization

/// The moments at which hosts have applied marks.
final class Arrivals: Sendable {
  private struct State {
    /// By key, and by host.
    var moments: [String: [Int: Int64]] = [:]
    var waiting: (key: String, continuation: CheckedContinuation<Void, Never>)?
  }

  private let hosts: Int
  private let state = Mutex(State())

  init(hosts: Int) { self.hosts = hosts }

  /// A host has applied the mark of a key.
  func note(_ key: String, on host: Int) {
    let now = Moment.now
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.moments[key]?[host] == nil { state.moments[key, default: [:]][host] = now }
      guard let waiting = state.waiting, waiting.key == key,
        state.moments[key]?.count == hosts
      else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume()
  }

  /// The moment at which the last host has applied the mark of a key.
  func last(of key: String) async -> Int64 {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.moments[key]?.count == hosts { return true }
        state.waiting = (key, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    return state.withLock { $0.moments[key]?.values.max() ?? 0 }
  }
}
