/// Where the store reads the time, once per operation, and waits.
///
/// ``SystemClock`` outside tests; `ManualClock` of `FreshStoreTesting` in them.
public protocol StoreClock: Sendable {
  /// The time now. Cost: two clock reads, some 50 ns.
  func now() -> ClockReading
  /// Waits until `duration` has passed on the boot clock; throws `CancellationError` when the task
  /// is cancelled first.
  func sleep(for duration: Duration) async throws
}

extension StoreClock where Self == SystemClock {
  /// The machine's clocks.
  public static var system: SystemClock { SystemClock() }
}
