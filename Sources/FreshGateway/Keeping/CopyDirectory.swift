internal import Synchronization

/// The keys of the copies of addresses that vary, as this process last saw them. It spares a look at the
/// file's index: what another process has added is seen before the origin is asked.
final class CopyDirectory: Sendable {
  private struct State {
    var recent: [String: [String]] = [:]
    var older: [String: [String]] = [:]
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: Twice as many addresses are known at the most.
  init(capacity: Int = 20_000) { self.capacity = capacity }

  func keys(of base: String) -> [String]? {
    state.withLock { state in
      if let keys = state.recent[base] { return keys }
      guard let keys = state.older[base] else { return nil }
      Self.set(keys, of: base, in: &state, capacity)
      return keys
    }
  }

  func set(_ keys: [String], of base: String) {
    state.withLock { Self.set(keys, of: base, in: &$0, capacity) }
  }

  func forget(_ base: String) {
    state.withLock { state in
      state.recent[base] = nil
      state.older[base] = nil
    }
  }

  private static func set(
    _ keys: [String], of base: String, in state: inout State, _ capacity: Int
  ) {
    if state.recent.count >= capacity, state.recent[base] == nil {
      state.older = state.recent
      state.recent = [:]
    }
    state.recent[base] = keys
  }
}
