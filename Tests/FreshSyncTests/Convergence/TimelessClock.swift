import FreshStore
import FreshStoreTesting

/// A manual clock that wakes no task: the schedule decides about delays, so that a seed leads
/// to the same run each time.
struct TimelessClock: StoreClock {
  let manual: ManualClock

  func reading() -> ClockReading { manual.reading() }

  /// Ends with the task only.
  func sleep(for duration: Duration) async throws {
    try await Latch(isOpen: false).pass()
  }
}
