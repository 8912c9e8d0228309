import FreshStore
import FreshStoreTesting

/// The clock of one process: the machine's time, and the process's own alarms, which do not run while
/// the machine sleeps, nor when the process is dead.
struct SimulatedClock: StoreClock {
  let machine: ManualClock
  let awake: ManualClock

  func reading() -> ClockReading { machine.reading() }

  func sleep(for duration: Duration) async throws { try await awake.sleep(for: duration) }
}
