internal import Strategies
internal import Synchronization

/// Notices that the wall clock was set since somebody last looked, and that what the file knows of it has
/// grown old.
final class ClockWatch: Sendable {
  /// In milliseconds. A clock that is set right little by little goes that far in half an hour.
  static let tolerance: Int64 = 1000
  /// In milliseconds. A clock that goes wrong while the machine is off is noticed to within so much.
  static let memory: Int64 = 60_000

  private let clock: any StoreClock
  private struct State {
    /// What the file was told last, by this store or as it was seen to have been told.
    var last: ClockReading?
    /// How many commits there had been in the file by then, or after the last one of this store.
    var changes: UInt32?
    /// True from when the file is told until that is committed.
    var isNoted = false
  }

  private let state = Mutex(State())
  private let notes = Atomic<Int>(0)

  init(_ clock: any StoreClock) {
    self.clock = clock
  }

  var now: ClockReading { clock.now() }

  /// The time, when the file is to be told; `nil` when it knows, as far as can be told without a look at
  /// it.
  var news: ClockReading? {
    let now = now
    return state.withLock { !$0.isNoted && ($0.last?.foretells(now) ?? false) } ? nil : now
  }

  /// True when the file knows the time: nobody else has committed since this store was sure of it. For a
  /// write, under its lock.
  ///
  /// - Parameter changes: How many commits there have been in the file.
  func isKnown(_ now: ClockReading, at changes: UInt32?) -> Bool {
    state.withLock { state in
      defer { state.changes = changes }
      // Another may have seen the clock set, and set back, in between.
      guard let changes, changes == state.changes else { return false }
      return state.last?.foretells(now) ?? false
    }
  }

  /// How often the file was told of the time: whoever looked at it before and after this changed may
  /// have seen moments as they were.
  var noteCount: Int { notes.load(ordering: .acquiring) }

  /// The file was seen to know the time.
  func note(_ now: ClockReading) {
    state.withLock { $0.last = now }
    notes.add(1, ordering: .acquiringAndReleasing)
  }

  /// The file is told the time by the write that is under way; until ``noteEnd(_:)`` nobody else sees it.
  func noteBegin(_ now: ClockReading) {
    state.withLock { ($0.last, $0.isNoted) = (now, true) }
  }

  /// A write has ended with so many commits; with `nil` it has failed, and what the file was told is
  /// anybody's guess.
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

  /// The same moment as the clock shows it that the file was told of last. Who came with a reading may
  /// have waited for the write lock, and the clock may have been set meanwhile.
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
  /// True when the clock shows `now` as it was to be expected, not long after this.
  fileprivate func foretells(_ now: ClockReading) -> Bool {
    guard boot == now.boot, boot != 0 else { return false }
    let passed = now.sinceBoot &- sinceBoot
    let step = now.wall.millisecondsSinceEpoch &- wall.millisecondsSinceEpoch &- passed
    return step.magnitude < ClockWatch.tolerance && passed < ClockWatch.memory
  }
}

/// What a file knows of the wall clock.
struct KnownClock {
  let boot: Int64
  /// What the wall clock would have shown when that boot began.
  let origin: Int64
  let wall: Int64

  init(boot: Int64, origin: Int64, wall: Int64) {
    (self.boot, self.origin, self.wall) = (boot, origin, wall)
  }

  init(_ now: ClockReading) {
    let wall = now.wall.millisecondsSinceEpoch
    self.init(boot: now.boot, origin: wall &- now.sinceBoot, wall: wall)
  }

  /// By how much the clock was set before `present`, and what is due by either; `nil` when it was not.
  ///
  /// Across a boot all that is known is that it does not go back; a machine that does not name its boots
  /// always has a new one.
  func step(to present: KnownClock) -> (step: Int64, moment: Int64)? {
    let expected =
      isOfSameBoot(as: present)
      ? origin &+ (present.wall &- present.origin) : max(wall, present.wall)
    let step = present.wall &- expected
    return step.magnitude < ClockWatch.tolerance ? nil : (step, min(expected, present.wall))
  }

  func isOfSameBoot(as present: KnownClock) -> Bool { boot == present.boot && boot != 0 }

  /// True when there is no need to write `present` down in its place.
  func standsFor(_ present: KnownClock) -> Bool {
    boot == present.boot && step(to: present) == nil
      && present.wall &- wall < ClockWatch.memory
  }
}
