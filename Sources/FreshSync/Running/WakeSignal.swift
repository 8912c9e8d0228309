internal import FreshStore

/// Wakes one sleeper; any number of wakes while it is awake count as one.
final class WakeSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func wake() { continuation.yield() }

  /// Returns once woken, once the boot clock shows `moment`, or when the task is cancelled.
  func sleep(until moment: Duration, clock: any StoreClock) async {
    let timer = Task {
      do {
        try await clock.sleep(until: moment)
        wake()
      } catch {
        // Cancelled: the sleeper was woken earlier.
      }
    }
    defer { timer.cancel() }
    var occasions = stream.makeAsyncIterator()
    _ = await occasions.next()
  }
}
