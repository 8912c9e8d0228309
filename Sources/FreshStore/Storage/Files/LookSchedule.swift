internal import Synchronization

/// Says when to look again whether a path names the file that is open: once a second, whatever clock the
/// reads go by.
final class LookSchedule: Sendable {
  /// In milliseconds.
  private static let pause: Int64 = 1000

  private let next = Atomic<Int64>(.min)

  /// True for the one reader that is to look now.
  ///
  /// - Parameter now: In milliseconds on a clock that goes forward.
  @inline(__always)
  func isDue(at now: Int64) -> Bool {
    let next = next.load(ordering: .relaxed)
    // A moment that is far ahead was named by another clock.
    guard now >= next || next &- now > Self.pause else { return false }
    return take(next, at: now)
  }

  private func take(_ next: Int64, at now: Int64) -> Bool {
    self.next.compareExchange(expected: next, desired: now &+ Self.pause, ordering: .relaxed)
      .exchanged
  }
}
