import Synchronization

/// Measures the number of concurrent tasks for each name.
final class Gauge: Sendable {
  private let state = Mutex<(now: [String: Int], most: [String: Int])>(([:], [:]))

  var most: [String: Int] { state.withLock(\.most) }

  func measure<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
    state.withLock { state in
      state.now[name, default: 0] += 1
      state.most[name] = max(state.most[name] ?? 0, state.now[name] ?? 0)
    }
    defer { state.withLock { $0.now[name, default: 0] -= 1 } }
    return try await body()
  }
}
