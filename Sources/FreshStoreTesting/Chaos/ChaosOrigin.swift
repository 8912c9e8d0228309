public import FreshStore

/// A source that answers late and fails now and then.
public struct ChaosOrigin<Value: Sendable>: Sendable {
  private let fetch: @Sendable (Previous<Value>) async throws -> Fetched<Value>
  private let chaos: Chaos
  private let delay: Duration
  private let clock: any StoreClock

  /// Wraps a fetch: each call waits for `delay` on `clock`, then may fail, then answers.
  public init(
    _ chaos: Chaos, delay: Duration = .zero, on clock: any StoreClock,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) {
    self.fetch = fetch
    self.chaos = chaos
    self.delay = delay
    self.clock = clock
  }

  /// Asks the source.
  public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
    if delay > .zero { try await clock.sleep(for: delay) }
    try chaos.mayFail()
    return try await fetch(previous)
  }
}
