import FreshStore
import Strategies

/// The machine's clocks, with a wall clock that is wrong by some time.
struct OffsetClock: StoreClock {
  let offset: Duration
  private let machine = SystemClock()

  init(offset: Duration) { self.offset = offset }

  func reading() -> ClockReading {
    let reading = machine.reading()
    return ClockReading(
      wall: reading.wall.advanced(by: offset), boot: reading.boot, sinceBoot: reading.sinceBoot)
  }

  func sleep(for duration: Duration) async throws { try await machine.sleep(for: duration) }
}
