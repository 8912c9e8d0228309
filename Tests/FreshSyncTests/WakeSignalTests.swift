import FreshStore
import FreshStoreTesting
import Testing

@testable import FreshSync

/// A clock that advances by ten milliseconds after each reading.
private struct HastyClock: StoreClock {
  let manual = ManualClock()

  func reading() -> ClockReading {
    defer { manual.advance(by: .milliseconds(10)) }
    return manual.reading()
  }

  func sleep(for duration: Duration) async throws { try await manual.sleep(for: duration) }
  func sleep(until moment: Duration) async throws { try await manual.sleep(until: moment) }
}

@Suite(.timeLimit(.minutes(1))) struct WakeSignalTests {
  @Test func `a sleep ends on time although time passes as it begins`() async {
    let (clock, signal) = (HastyClock(), WakeSignal())
    let moment = clock.manual.reading().steady + .milliseconds(50)

    async let sleep: Void = signal.sleep(until: moment, clock: clock)
    await clock.manual.sleepers(atLeast: 1)
    clock.manual.advance(by: moment - clock.manual.reading().steady)

    #expect(clock.manual.sleepers == 0)
    signal.wake()
    await sleep
  }

  @Test func `a sleep until a past moment returns at once`() async {
    let (clock, signal) = (ManualClock(), WakeSignal())
    await signal.sleep(until: clock.reading().steady - .milliseconds(1), clock: clock)
    await signal.sleep(until: clock.reading().steady, clock: clock)
    #expect(clock.sleepers == 0)
  }
}
