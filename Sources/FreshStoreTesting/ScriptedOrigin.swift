public import FreshStore
internal import Synchronization

/// A source that answers by a script, counts its requests, and can be made to wait.
///
/// ```swift
/// let origin = ScriptedOrigin<String> { previous in .value("news") }
/// let answer = try await collection.get("front") { try await origin.fetch($0) }
/// ```
public final class ScriptedOrigin<Value: Sendable>: Sendable {
  /// Answers one request.
  public typealias Script = @Sendable (Previous<Value>) async throws -> Fetched<Value>

  private struct State {
    var script: Script
    var requests: [Previous<Value>] = []
    var running = 0
    var mostAtOnce = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>
  /// Requests wait here before they are answered; open unless ``hold()`` was called.
  private let latch = Latch()

  /// Creates a source that answers by `script`.
  public init(_ script: @escaping Script) {
    state = Mutex(State(script: script))
  }

  /// Replaces the script from now on.
  public func answer(_ script: @escaping Script) {
    state.withLock { $0.script = script }
  }

  /// Lets requests wait from now on; they count as asked.
  public func hold() { latch.close() }

  /// Answers the waiting requests, and later ones.
  public func release() { latch.open() }

  /// Asks the source.
  public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
    let (script, watchers) = state.withLock { state in
      state.requests.append(previous)
      state.running += 1
      state.mostAtOnce = max(state.mostAtOnce, state.running)
      let count = state.requests.count
      let due = state.watchers.filter { $0.count <= count }
      state.watchers.removeAll { $0.count <= count }
      return (state.script, due)
    }
    for watcher in watchers { watcher.continuation.resume() }
    defer { state.withLock { $0.running -= 1 } }
    try await latch.pass()
    return try await script(previous)
  }

  /// Every request so far, oldest first.
  public var requests: [Previous<Value>] { state.withLock { $0.requests } }

  /// The number of requests so far.
  public var calls: Int { state.withLock { $0.requests.count } }

  /// The most requests that ran at once.
  public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  /// Returns once the source was asked at least `count` times.
  public func calls(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
