import Synchronization

/// The reports of a world's tasks.
final class Log: Sendable {
  private struct State {
    var results: [Int: String] = [:]
    var running = 0
    var generations: [Int]
    var isDraining: [Bool]
  }

  private let state: Mutex<State>

  init(stores: Int) {
    state = Mutex(
      State(
        generations: Array(repeating: 0, count: stores),
        isDraining: Array(repeating: false, count: stores)))
  }

  func takeResults() -> [Int: String] {
    state.withLock { state in
      defer { state.results = [:] }
      return state.results
    }
  }

  // MARK: Operations that end by themselves

  var isBusy: Bool { state.withLock { $0.running > 0 } }

  func begin() { state.withLock { $0.running += 1 } }

  func end(_ number: Int, _ words: String) {
    state.withLock { state in
      state.running -= 1
      state.results[number] = words
    }
  }

  // MARK: Operations that wait for the source

  /// The life of a process.
  func generation(_ store: Int) -> Int { state.withLock { $0.generations[store] } }

  /// Ignores this life of a process from now on.
  func bury(_ store: Int) {
    state.withLock { state in
      state.generations[store] += 1
      state.isDraining[store] = false
    }
  }

  func note(_ number: Int, _ words: String, from store: Int, _ generation: Int) {
    state.withLock { state in
      if state.generations[store] == generation { state.results[number] = words }
    }
  }

  // MARK: Draining

  func isDraining(_ store: Int) -> Bool { state.withLock { $0.isDraining[store] } }

  /// False when it drains already.
  func beginDraining(_ store: Int) -> Bool {
    state.withLock { state in
      defer { state.isDraining[store] = true }
      return !state.isDraining[store]
    }
  }

  func endDraining(_ store: Int, _ failure: String?) {
    state.withLock { state in
      state.isDraining[store] = false
      if let failure { state.results[-1 - store] = "draining: \(failure)" }
    }
  }
}
