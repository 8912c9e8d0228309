import FreshStoreTesting
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The limits of work, on a clock that is moved by hand and on the machine's.
@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
  private final class Count: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  @Test func `an alarm rings at its moment, unless it was cancelled before`() async {
    let (clock, count) = (ManualClock(), Count())
    for isCancelled in [false, true] {
      let moment = Duration.milliseconds(clock.reading().sinceBoot) + .seconds(5)
      let alarm = Alarm(at: moment, on: clock) { count.add() }
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(4999))
      if isCancelled {
        alarm.cancel()
        while clock.sleepers > 0 { await Task.yield() }
      }
      clock.advance(by: .milliseconds(1))
      while count.value == 0 { await Task.yield() }
      alarm.cancel()
      #expect(count.value == 1)
    }
  }

  @Test func `work ends at its limit on the machine's clock, too, and none that was in time`()
    async throws
  {
    let late = await Deadline.run(.milliseconds(20), clock: .system) {
      // Nobody moves this clock.
      try await ManualClock().sleep(for: .seconds(1))
    }
    let early = await Deadline.run(.seconds(3600), clock: .system) { 1 }
    guard case .failure(let failure) = late, case .timedOut = failure.code else {
      Issue.record("it was waited for: \(late)")
      return
    }
    #expect(try early.get() == 1)
  }

  @Test func `an alarm whose moment is over rings at once, and one beyond all time never`()
    async throws
  {
    let (past, never) = (Count(), Count())
    let alarms = [
      Alarm(at: .zero, on: .system) { past.add() },
      Alarm(at: .seconds(Int64.max), on: .system) { never.add() },
    ]
    while past.value == 0 { await Task.yield() }
    for alarm in alarms { alarm.cancel() }
    #expect(past.value == 1)
    #expect(never.value == 0)
  }
}
