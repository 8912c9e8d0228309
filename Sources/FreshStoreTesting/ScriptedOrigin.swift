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
    var running = 0
    var mostAtOnce = 0
  }

  private let state: Mutex<State>
  private let arrivals = Arrivals<Previous<Value>>()
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

  /// Makes requests wait from now on; they count as asked.
  public func hold() { latch.close() }

  /// Answers the waiting requests, and later ones.
  public func release() { latch.open() }

  /// Asks the source.
  public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
    let script = state.withLock { state in
      state.running += 1
      state.mostAtOnce = max(state.mostAtOnce, state.running)
      return state.script
    }
    arrivals.note(previous)
    defer { state.withLock { $0.running -= 1 } }
    try await latch.pass()
    return try await script(previous)
  }

  /// Every request so far, oldest first.
  public var requests: [Previous<Value>] { arrivals.all }

  /// The number of requests so far.
  public var calls: Int { arrivals.all.count }

  /// The most requests that ran at once.
  public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  /// Returns once the source was asked at least `count` times.
  public func calls(atLeast count: Int) async { await arrivals.atLeast(count) }
}
