internal import FreshStore
internal import OriginServer
internal import Strategies
internal import Synchronization

/// A clock that stands still until it is moved.
final class ManualClock: StoreClock {
  private struct Sleeper {
    let end: Int64
    let gate: Gate
  }

  private struct State {
    var milliseconds: Int64 = 0
    var sleepers: [Sleeper] = []
    var expectations: [Gate] = []
  }

  private static let epoch = Timestamp(millisecondsSinceEpoch: 784_111_777_000)
  private let state = Mutex(State())

  func now() -> ClockReading {
    let milliseconds = state.withLock { $0.milliseconds }
    return ClockReading(
      wall: Self.epoch.advanced(by: .milliseconds(milliseconds)), boot: 1, sinceBoot: milliseconds)
  }

  func sleep(for duration: Duration) async throws {
    let gate = Gate()
    let expectations = state.withLock { state in
      let end = state.milliseconds + duration.wholeMilliseconds
      state.sleepers.append(Sleeper(end: end, gate: gate))
      defer { state.expectations.removeAll() }
      return state.expectations
    }
    for expectation in expectations {
      expectation.open()
    }
    await gate.wait()
    try Task.checkCancellation()
  }

  /// Moves the clock and wakes whoever has slept long enough.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.milliseconds += duration.wholeMilliseconds
      let now = state.milliseconds
      defer { state.sleepers.removeAll { $0.end <= now } }
      return state.sleepers.filter { $0.end <= now }
    }
    for sleeper in woken {
      sleeper.gate.open()
    }
  }

  /// Returns once somebody sleeps.
  func someoneSleeps() async {
    let gate = Gate()
    let isAwaited = state.withLock { state in
      guard state.sleepers.isEmpty else { return false }
      state.expectations.append(gate)
      return true
    }
    if isAwaited {
      await gate.wait()
    }
  }
}
