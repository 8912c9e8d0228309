/// The source of time for the store, read once per operation, and its way to wait.
///
/// ``SystemClock`` outside tests; `ManualClock` of `FreshStoreTesting` in them.
public protocol StoreClock: Sendable {
  /// The time now. Cost: two clock reads, some 50 ns.
  func reading() -> ClockReading
  /// Waits until `duration` has passed on the boot clock; throws `CancellationError` when the task
  /// is cancelled first.
  func sleep(for duration: Duration) async throws
  /// Waits until the boot clock shows `moment`, the time since boot; throws `CancellationError`
  /// when the task is cancelled first.
  ///
  /// A clock that is moved by hand implements it, so that no move falls between reading the time
  /// and waiting; any other clock waits for the difference from ``reading()``.
  func sleep(until moment: Duration) async throws
}

extension StoreClock {
  /// Waits for as long as ``reading()`` is before `moment`.
  public func sleep(until moment: Duration) async throws {
    let left = moment - .milliseconds(reading().sinceBoot)
    if left > .zero { try await sleep(for: left) }
  }
}

extension StoreClock where Self == SystemClock {
  /// The machine's clocks.
  public static var system: SystemClock { SystemClock() }
}
