import FreshStore
import Synchronization

/// A request that is in flight during other events. The schedule decides when it continues.
final class Flight: Sendable {
  /// A request that a server may still receive although nobody waits for its answer.
  typealias Stray = @Sendable () -> Void

  private struct State {
    var held: CheckedContinuation<Void, any Error>?
    var stray: Stray?
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let rests: AsyncStream<Void>
  private let rest: AsyncStream<Void>.Continuation

  /// The outbox entry that is pushed; `nil` for a read.
  let entry: OutboxEntry.ID?
  let began: ClockReading

  init(_ entry: OutboxEntry.ID? = nil, at began: ClockReading) {
    self.entry = entry
    self.began = began
    (rests, rest) = AsyncStream.makeStream(of: Void.self)
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Waits until the schedule lets the request continue; throws when it has timed out. With a stray the
  /// request has not arrived yet.
  func hold(stray: Stray? = nil) async throws {
    try await withCheckedThrowingContinuation { continuation in
      state.withLock { state in
        state.held = continuation
        state.stray = stray
      }
      rest.yield()
    }
  }

  /// Returns once the request is held or has ended.
  func untilItRests() async {
    var occasions = rests.makeAsyncIterator()
    _ = await occasions.next()
  }

  /// Lets the request continue, and returns once it is held again or has ended.
  func goOn() async {
    take()?.resume()
    await untilItRests()
  }

  /// Makes the request fail as if it had timed out; returns the request that is still in flight.
  func timeOut() async -> Stray? {
    let stray = state.withLock(\.stray)
    take()?.resume(throwing: SourceRefusal())
    await untilItRests()
    return stray
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    rest.yield()
  }

  private func take() -> CheckedContinuation<Void, any Error>? {
    state.withLock { state in
      defer { (state.held, state.stray) = (nil, nil) }
      return state.held
    }
  }
}
