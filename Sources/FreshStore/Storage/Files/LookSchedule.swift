internal import Synchronization

/// Schedules the check whether a path still names the open file: once a second, whatever clock the
/// reads use.
final class LookSchedule: Sendable {
  /// In milliseconds.
  private static let pause: Int64 = 1000

  private let next = Atomic<Int64>(.min)

  /// True for the one reader that has to check now.
  ///
  /// - Parameter now: In milliseconds on a clock that goes forward.
  @inline(__always)
  func isDue(at now: Int64) -> Bool {
    let next = next.load(ordering: .relaxed)
    // A moment far ahead comes from another clock.
    guard now >= next || next &- now > Self.pause else { return false }
    return take(next, at: now)
  }

  private func take(_ next: Int64, at now: Int64) -> Bool {
    self.next.compareExchange(expected: next, desired: now &+ Self.pause, ordering: .relaxed)
      .exchanged
  }
}
