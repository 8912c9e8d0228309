import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// A clock that advances by a millisecond at every reading, as a real one may.
private final class TickingClock: StoreClock {
  private let manual = ManualClock()

  func reading() -> ClockReading {
    manual.advance(by: .milliseconds(1))
    return manual.reading()
  }

  func sleep(for duration: Duration) async throws { try await manual.sleep(for: duration) }
}

@Suite struct TickingClockTests {
  @Test(.timeLimit(.minutes(1)))
  func `a drain pushes and follows although time passes during its looks`() async throws {
    try await TemporaryStore.run(configure: { $0.clock = TickingClock() }) { temporary in
      let numbers = try temporary.store.collection("numbers", of: Int.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(numbers) { _ in
        .value(0)
      } push: { _ in
        .accepted
      }
      synchronizer.follow("all", of: numbers) { _ in .full([:], cursor: nil) }
      try await numbers.write(1, for: "a")

      let report = try await synchronizer.drain()

      #expect(report.pushed == 1 && report.lists == 1)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }
}
