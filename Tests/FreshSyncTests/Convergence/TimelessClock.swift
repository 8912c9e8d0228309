import FreshStore
import FreshStoreTesting

/// A manual clock that wakes nobody: what is late is made late by the schedule, so that a seed leads
/// to the same run each time.
struct TimelessClock: StoreClock {
  let manual: ManualClock

  func now() -> ClockReading { manual.now() }

  /// Ends with the task only.
  func sleep(for duration: Duration) async throws {
    try await Door(isOpen: false).pass()
  }
}
