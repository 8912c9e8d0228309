import FreshStore
import Strategies

/// A clock whose time stands still, so that an input does the same at every run.
struct StillClock: StoreClock {
  func reading() -> ClockReading {
    ClockReading(
      wall: Timestamp(millisecondsSinceEpoch: 1_700_000_000_000), boot: 1, sinceBoot: 1_000_000)
  }

  func sleep(for duration: Duration) async throws {
    try await SystemClock().sleep(for: duration)
  }
}
