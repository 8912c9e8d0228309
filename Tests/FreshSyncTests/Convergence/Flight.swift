import FreshStore
import Synchronization

/// A request under way while other things happen: the schedule decides when it goes on.
final class Flight: Sendable {
  /// A request that a server may still get although nobody waits for its answer.
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

  /// Waits until the schedule lets it go on; throws when its time has run out. With a stray the
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

  /// Returns once it is held, or has ended.
  func untilItRests() async {
    var occasions = rests.makeAsyncIterator()
    _ = await occasions.next()
  }

  /// Lets it go on, and returns once it is held again or has ended.
  func goOn() async {
    take()?.resume()
    await untilItRests()
  }

  /// Has it fail as if its time had run out; returns the request that is still on its way.
  func timeOut() async -> Stray? {
    let stray = state.withLock(\.stray)
    take()?.resume(throwing: Refusal())
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
