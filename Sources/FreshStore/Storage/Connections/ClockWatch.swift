internal import Strategies
internal import Synchronization

/// Notices that the wall clock was set since the last check, and that the file's note of it has
/// aged.
final class ClockWatch: Sendable {
  /// In milliseconds. A clock that is slewed moves that far in half an hour.
  static let tolerance: Int64 = 1000
  /// In milliseconds. A clock that goes wrong while the machine is off is noticed to within this time.
  static let memory: Int64 = 60_000

  private let clock: any StoreClock
  private struct State {
    /// The file's last note of the time, by this store or as this store read it.
    var last: ClockReading?
    /// The file's commit count at that time, or after the last commit of this store.
    var changes: UInt32?
    /// True between writing the note and committing it.
    var isNoted = false
  }

  private let state = Mutex(State())
  private let notes = Atomic<Int>(0)

  init(_ clock: any StoreClock) {
    self.clock = clock
  }

  var now: ClockReading { clock.reading() }

  /// The time to note in the file; `nil` when the file knows it, as far as can be told without
  /// reading it.
  var news: ClockReading? {
    let now = now
    return state.withLock { !$0.isNoted && ($0.last?.foretells(now) ?? false) } ? nil : now
  }

  /// True when the file knows the time: no other store has committed since this store was sure of
  /// it. For a write, under its lock.
  ///
  /// - Parameter changes: The file's commit count.
  func isKnown(_ now: ClockReading, at changes: UInt32?) -> Bool {
    state.withLock { state in
      defer { state.changes = changes }
      // Another store may have seen the clock set, and set back, in between.
      guard let changes, changes == state.changes else { return false }
      return state.last?.foretells(now) ?? false
    }
  }

  /// The number of notes: a reader that saw it change may have seen moments from before the step.
  var noteCount: Int { notes.load(ordering: .acquiring) }

  /// Records that the file knows the time.
  func note(_ now: ClockReading) {
    state.withLock { $0.last = now }
    notes.add(1, ordering: .acquiringAndReleasing)
  }

  /// Records that the running write notes the time; until ``noteEnd(_:)`` no other connection sees it.
  func noteBegin(_ now: ClockReading) {
    state.withLock { ($0.last, $0.isNoted) = (now, true) }
  }

  /// Records that a write ended with that many commits; `nil` means that it failed, and that the
  /// file's note is unknown.
  func noteEnd(_ commits: Int?) {
    let wasNoted = state.withLock { state in
      defer { state.isNoted = false }
      if let commits {
        state.changes = state.changes.map { $0 &+ UInt32(commits) }
      } else {
        (state.last, state.changes) = (nil, nil)
      }
      return state.isNoted
    }
    if wasNoted { notes.add(1, ordering: .acquiringAndReleasing) }
  }

  /// The same moment on the clock of the file's last note. The caller of `reading` may have waited
  /// for the write lock, and the clock may have been set meanwhile.
  func present(_ reading: ClockReading) -> ClockReading {
    guard let last = state.withLock(\.last), last.boot == reading.boot, reading.boot != 0 else {
      return reading
    }
    let wall = reading.wall(at: last)
    guard abs(wall.duration(since: reading.wall).wholeMilliseconds) >= Self.tolerance else {
      return reading
    }
    return ClockReading(wall: wall, boot: reading.boot, sinceBoot: reading.sinceBoot)
  }
}

extension ClockReading {
  /// True when the clock shows `now` as expected, and not long after this.
  fileprivate func foretells(_ now: ClockReading) -> Bool {
    guard boot == now.boot, boot != 0 else { return false }
    let passed = now.sinceBoot &- sinceBoot
    let step = now.wall.millisecondsSinceEpoch &- wall.millisecondsSinceEpoch &- passed
    return step.magnitude < ClockWatch.tolerance && passed < ClockWatch.memory
  }
}

/// The file's knowledge of the wall clock.
struct KnownClock {
  let boot: Int64
  /// The wall clock's time at the start of that boot.
  let origin: Int64
  let wall: Int64

  init(boot: Int64, origin: Int64, wall: Int64) {
    (self.boot, self.origin, self.wall) = (boot, origin, wall)
  }

  init(_ now: ClockReading) {
    let wall = now.wall.millisecondsSinceEpoch
    self.init(boot: now.boot, origin: wall &- now.sinceBoot, wall: wall)
  }

  /// The step of the clock before `present`, and the latest moment that is due by both clocks; `nil`
  /// without a step.
  ///
  /// Across a boot only one thing is known: the clock does not go back; a machine that does not name its
  /// boots always has a new one.
  func step(to present: KnownClock) -> (step: Int64, moment: Int64)? {
    let expected =
      isOfSameBoot(as: present)
      ? origin &+ (present.wall &- present.origin) : max(wall, present.wall)
    let step = present.wall &- expected
    return step.magnitude < ClockWatch.tolerance ? nil : (step, min(expected, present.wall))
  }

  func isOfSameBoot(as present: KnownClock) -> Bool { boot == present.boot && boot != 0 }

  /// True when `present` need not replace it in the file.
  func standsFor(_ present: KnownClock) -> Bool {
    boot == present.boot && step(to: present) == nil
      && present.wall &- wall < ClockWatch.memory
  }
}
