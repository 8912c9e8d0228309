internal import FreshStore
internal import FreshStoreTesting
internal import Synchronization

/// A clock on which the waits before another attempt take no time: they are noted, and time passes by
/// them.
final class ImpatientClock: StoreClock {
  private let clock = ManualClock()
  private let noted = Mutex<[Duration]>([])
  private let limits: Set<Duration>

  /// - Parameter limit: The time of a fetch, which passes by the waits alone, as does that for the words of
  ///   an error.
  init(limit: Duration) { limits = [limit, .seconds(1)] }

  /// The waits so far.
  var waits: [Duration] { noted.withLock { $0 } }

  func reading() -> ClockReading { clock.reading() }

  func sleep(for duration: Duration) async throws {
    guard !limits.contains(duration) else { return try await clock.sleep(for: duration) }
    noted.withLock { $0.append(duration) }
    clock.advance(by: duration)
  }

  func sleep(until moment: Duration) async throws { try await clock.sleep(until: moment) }
}
