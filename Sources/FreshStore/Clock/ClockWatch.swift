internal import Strategies
internal import Synchronization

/// Notices that the wall clock was set since somebody last looked, and that what the file knows of the
/// clock has grown old.
final class ClockWatch: Sendable {
  /// In milliseconds. A clock that is set right little by little goes that far in half an hour.
  static let tolerance: Int64 = 1000
  /// In milliseconds. A clock that goes wrong while the machine is off is noticed to within so much.
  private static let memory: Int64 = 60_000

  private let last = Mutex<ClockReading?>(nil)

  /// True when the file is to be told.
  func isNews(_ now: ClockReading) -> Bool {
    last.withLock { last in
      guard let last, last.boot == now.boot, now.boot != 0 else { return true }
      let passed = now.sinceBoot &- last.sinceBoot
      let step = now.wall.millisecondsSinceEpoch &- last.wall.millisecondsSinceEpoch &- passed
      return step.magnitude >= Self.tolerance || passed >= Self.memory
    }
  }

  func note(_ now: ClockReading) {
    last.withLock { $0 = now }
  }
}

extension Store {
  /// Has the file know the time, and what is to be done later moved with it, before anything is asked or
  /// stamped that may have to wait; true when the file was told. Mostly two clock reads.
  @discardableResult
  package func keepTime() async throws(StoreError) -> Bool {
    let now = now()
    guard clockWatch.isNews(now) else { return false }
    try await queue.run { [storage] () throws(StoreError) in try storage.keepTime(now) }
    clockWatch.note(now)
    return true
  }
}
